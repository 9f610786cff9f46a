/* tslint:disable */
/* eslint-disable */

/** A computation: `step` does about `work` units and says whether none are left, `finish` gives its outcome or throws. */
export interface Job<T> {
    free(): void;
    step(work: number): boolean;
    done(): number;
    total(): number;
    finish(): T;
}



/**
 * The answering of a workload.
 */
export class AnswerJob {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * The units done.
     */
    done(): number;
    /**
     * The answers.
     */
    finish(): Answers;
    /**
     * Answers a workload, clique `i` of which is `flat[starts[i]..starts[i + 1]]`, in at most `limit` bytes.
     */
    constructor(model: Model, flat: Uint16Array | number[], starts: Uint32Array | number[], limit: number);
    /**
     * Does about `work` units; true at the end.
     */
    step(work: number): boolean;
    /**
     * All units.
     */
    total(): number;
}

/**
 * The counts of all cliques of a workload.
 */
export class Answers {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * A copy of some consecutive cells, counted over all cliques.
     */
    block(from: number, to: number): Float64Array;
    /**
     * The number of cells of all cliques; nothing where one is held sparse.
     */
    cells(): number | undefined;
    /**
     * How many numbers are held for clique `i`: of all its cells, or of those that occur.
     */
    held(i: number): number;
    /**
     * Of some of the numbers that are held for clique `i`, the cells of those that are not zero, and then as many counts.
     */
    nonzero(i: number, from: number, to: number): Float64Array;
    /**
     * Where the cells of clique `i` begin and end among all; an error where they are too many to be handed out.
     */
    place(i: number): Float64Array;
    /**
     * Ranks pairs: for the `k` most informative ones; without `k`, for the tree with the highest total.
     */
    rank(k?: number | null): RankJob;
}

/**
 * Copies the rows of a public table without what tells groups apart.
 */
export class BlankingJob {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Rows read.
     */
    done(): number;
    /**
     * The rows.
     */
    finish(): Table;
    /**
     * A job that takes about `most` rows.
     */
    constructor(plan: GroupPlan, table: Table, most: number, digits: string);
    /**
     * Does about `work` units; true at the end.
     */
    step(work: number): boolean;
    /**
     * Rows to read.
     */
    total(): number;
}

/**
 * Makes candidates from a public table, and simulates each on a prior.
 */
export class DesignJob {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Estimates done.
     */
    done(): number;
    /**
     * The chosen candidate, the score of the prior as it is with its standard error, and of each candidate: its
     * family, the size of that, the power of cells, the score, its standard error, the draws, whether it is close to
     * the chosen one, and its cliques, each after its length.
     */
    finish(): Float64Array;
    /**
     * A job over a public table and a prior that was made of it, with options as JSON.
     */
    constructor(table: Table, prior: Table, options: string);
    /**
     * Does about `work` units; true at the end.
     */
    step(work: number): boolean;
    /**
     * Estimates in all.
     */
    total(): number;
}

/**
 * An estimation in the making.
 */
export class EstimateJob {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * A calibrated estimation: measurements and options as JSON, and the values of one measurement after another.
     * The cells of rows are kept in at most `limit` bytes.
     */
    static calibrated(prior: PriorBase, measurements: string, values: Float64Array | number[], options: string, limit: number): EstimateJob;
    /**
     * The units done; how many there are is not known.
     */
    done(): number;
    /**
     * The best model so far.
     */
    finish(): Estimated;
    /**
     * An iterative estimation from a model, which may be the prior itself.
     */
    static iterative(start: Model, measurements: string, values: Float64Array | number[], options: string, limit: number): EstimateJob;
    /**
     * How many judgements there are.
     */
    judgements(): number;
    /**
     * Does about `work` units; true at the end.
     */
    step(work: number): boolean;
}

/**
 * What came of an estimation.
 */
export class Estimated {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * The total and its variance, the strength, the consistency, and the gap, the relative gap, the value, the bound
     * and the entropy of the certificate, and the flatness; NaN for what there is not.
     */
    figures(): Float64Array;
    /**
     * For each measurement the number of answers that no row can meet, and their sum.
     */
    missing(): Float64Array;
    /**
     * The model.
     */
    model(): Model;
    /**
     * How it ended.
     */
    status(): string;
    /**
     * The judgements: where, the value, the gap, the entropy.
     */
    trace(): Float64Array;
}

/**
 * The making of all rows that a schema allows, in the order of their codes.
 */
export class FullTableJob {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Rows made.
     */
    done(): number;
    /**
     * The rows.
     */
    finish(): Table;
    /**
     * All rows of a schema, in at most `limit` bytes.
     */
    constructor(schema: string, limit: number);
    /**
     * Makes about `rows` more rows; true at the end.
     */
    step(rows: number): boolean;
    /**
     * All rows.
     */
    total(): number;
}

/**
 * The answering of a workload of some groups together.
 */
export class GroupAnswerJob {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Groups answered.
     */
    done(): number;
    /**
     * The answers.
     */
    finish(): Answers;
    /**
     * Answers a workload, clique `i` of which is `flat[starts[i]..starts[i + 1]]`, in at most `limit` bytes: the sum of
     * what groups of the last level have.
     */
    constructor(groups: Groups, places: Uint32Array | number[], flat: Uint16Array | number[], starts: Uint32Array | number[], limit: number);
    /**
     * Does about `work` units; true at the end.
     */
    step(work: number): boolean;
    /**
     * All groups.
     */
    total(): number;
}

/**
 * The making of one group's distribution.
 */
export class GroupModelJob {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * The units done.
     */
    done(): number;
    /**
     * The distribution.
     */
    finish(): Model;
    /**
     * A job for a group of the last level.
     */
    constructor(groups: Groups, group: number);
    /**
     * Does about `work` units; true at the end.
     */
    step(work: number): boolean;
    /**
     * Not known.
     */
    total(): number;
}

/**
 * The working out of which part of each group meets a condition.
 */
export class GroupPartsJob {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Groups done.
     */
    done(): number;
    /**
     * The share of each group.
     */
    finish(): Float64Array;
    /**
     * A job for groups at these places, and a condition on attributes that are none of groups.
     */
    constructor(groups: Groups, places: Uint32Array | number[], attributes: Uint16Array | number[], allowed: Uint8Array | number[]);
    /**
     * Does about `work` units; true at the end.
     */
    step(work: number): boolean;
    /**
     * All groups.
     */
    total(): number;
}

/**
 * The declared groups of a schema.
 */
export class GroupPlan {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * How many records what a group lies within is worth as its prior, for each level: by public counts, the cliques of
     * each level as JSON and the values of one after another.
     */
    between(counts: string, values: Float64Array | number[]): Float64Array;
    /**
     * Of each group its level, the group that it lies within (−1 for none), and its codes of the attributes of its
     * level.
     */
    groups(): Float64Array;
    /**
     * The groups of a chain of levels, each a list of attributes; `declared` says what follows from those of the last.
     */
    constructor(schema: string, levels: string, declared: string);
}

/**
 * Groups that were estimated.
 */
export class Groups {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Of each level the factor of the strengths of its priors, and by how many standard errors its answers contradicted
     * them; not numbers where nobody asked these.
     */
    judged(): Float64Array;
    /**
     * Of each level how many potentials the prior of a group has, and the group itself.
     */
    lengths(): Uint32Array;
    /**
     * How many levels there are.
     */
    levels(): number;
    /**
     * The potentials of so many groups from one on: of each those of its prior and then its own.
     */
    numbers(first: number, groups: number): Float64Array;
    /**
     * The rows that groups share.
     */
    rows(): number;
    /**
     * Of each group how many steps of Algorithm 1 make it again; 0 where it has potentials.
     */
    steps(): Float64Array;
}

/**
 * The estimation of all groups.
 */
export class GroupsJob {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Groups done.
     */
    done(): number;
    /**
     * The groups.
     */
    finish(): Groups;
    /**
     * Measurements of each level, then its public counts, as JSON, and the values of one after another. The cells of
     * rows are kept in at most `limit` bytes.
     */
    constructor(shared: SharedRows, values: Float64Array | number[], options: string, limit: number);
    /**
     * Does about `work` units; true at the end.
     */
    step(work: number): boolean;
    /**
     * Of each group that was finished since this was last asked: its place, how it ended (0 converged, 1 limit,
     * 2 refused), its relative gap, the relative entropy to its prior, its total with the variance, what it is worth as a
     * prior, and the records that its answers have where no row is.
     */
    take(): Float64Array;
    /**
     * All groups.
     */
    total(): number;
}

/**
 * Makes records of groups, so many of each.
 */
export class GroupsRecordsJob {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Thousandths done.
     */
    done(): number;
    /**
     * The records.
     */
    finish(): Table;
    /**
     * A job for groups at these places, each with a number of records. `flat` and `starts` are the tables that controlled
     * rounding keeps in each, `digits` the seed.
     */
    constructor(groups: Groups, wanted: Float64Array | number[], method: string, flat: Uint16Array | number[], starts: Uint32Array | number[], digits: string);
    /**
     * Does about `work` units; true at the end.
     */
    step(work: number): boolean;
    /**
     * All thousandths.
     */
    total(): number;
    /**
     * Makes only records that meet a condition, on attributes that are none of groups.
     */
    within(attributes: Uint16Array | number[], allowed: Uint8Array | number[]): void;
}

/**
 * Groups that are put together again: the cells of rows in steps, and then group after group.
 */
export class GroupsRestorer {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * All groups, when all were taken.
     */
    finish(): Groups;
    /**
     * Measurements of each level as JSON, and the values of one after another. The cells of rows are kept in at most
     * `limit` bytes.
     */
    constructor(shared: SharedRows, values: Float64Array | number[], options: string, limit: number);
    /**
     * How many numbers the next groups have.
     */
    numbers(groups: number): number;
    /**
     * Takes the next groups: of each its total, the variance, what it is worth and its steps, and their numbers one after
     * another.
     */
    push(figures: Float64Array | number[], numbers: Float64Array | number[]): void;
    /**
     * Does about `work` units; true when groups come next.
     */
    step(work: number): boolean;
}

/**
 * The working out of standard errors of groups.
 */
export class GroupsSpreadJob {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * The answers done.
     */
    done(): number;
    /**
     * For each answer the variance by the noise, and by what is left open.
     */
    finish(): Float64Array;
    /**
     * The errors of what groups answer together: the measurements of each level as JSON and the values of one after
     * another, and as JSON the places of the groups, how totals were found, the questions and, for shares, the records that
     * they are parts of. `shares` are the answers then. `attributes` and `allowed` say which records are asked about.
     */
    constructor(groups: Groups, levels: string, values: Float64Array | number[], options: string, shares: Float64Array | number[], attributes: Uint16Array | number[], allowed: Uint8Array | number[]);
    /**
     * Does about `work` units; true at the end.
     */
    step(work: number): boolean;
    /**
     * All answers.
     */
    total(): number;
}

/**
 * The mixing of priors, and then the merging of rows that several of them have.
 */
export class MixingJob {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Adds a prior with its share.
     */
    add(prior: PriorBase, share: number): void;
    /**
     * Rows copied, merged and copied again.
     */
    done(): number;
    /**
     * The prior.
     */
    finish(): Table;
    /**
     * Nothing to mix yet, over a schema.
     */
    constructor(first: PriorBase);
    /**
     * Copies or merges about `rows` more rows; true at the end.
     */
    step(rows: number): boolean;
    /**
     * At most so many.
     */
    total(): number;
}

/**
 * A distribution on the rows of a prior, behind a handle.
 */
export class Model {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * How many of the prior's `records` the model effectively rests on.
     */
    effectiveSize(records: number): number;
    /**
     * The prior itself, standing for `total` records.
     */
    static ofPrior(prior: PriorBase, total: number): Model;
    /**
     * Relative entropy to the prior, in nats.
     */
    relativeEntropy(): number;
    /**
     * The number of rows.
     */
    rows(): number;
    /**
     * The rows as a table, weighted by the records that the model gives to each.
     */
    table(): Table;
    /**
     * What each row gets; the sum is 1.
     */
    weights(): Float64Array;
}

/**
 * A model that is put together again.
 */
export class ModelRestorer {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * The units done.
     */
    done(): number;
    /**
     * The model.
     */
    finish(): Model;
    /**
     * From potentials. The cells of rows are kept in at most `limit` bytes.
     */
    static potentials(prior: PriorBase, flat: Uint16Array | number[], starts: Uint32Array | number[], values: Float64Array | number[], total: number, limit: number): ModelRestorer;
    /**
     * Does about `work` units; true at the end.
     */
    step(work: number): boolean;
    /**
     * All units.
     */
    total(): number;
    /**
     * From a weight for each row of a prior.
     */
    static weights(prior: PriorBase, weights: Float64Array | number[], total: number): ModelRestorer;
}

/**
 * Pools a public table over a group attribute.
 */
export class PoolingJob {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * The share of the pooled weights.
     */
    alpha(): number;
    /**
     * Estimates done.
     */
    done(): number;
    /**
     * Rows in all groups with their weights.
     */
    finish(): Table;
    /**
     * A job over a public table, with options as JSON.
     */
    constructor(table: Table, options: string);
    /**
     * Does about `work` units; true at the end.
     */
    step(work: number): boolean;
    /**
     * Estimates in all.
     */
    total(): number;
}

/**
 * What a model is given by, where that is less than its weights.
 */
export class Potentials {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * The attributes of one clique after another.
     */
    flat(): Uint16Array;
    /**
     * Those of a model; nothing where it is given by weights.
     */
    static of(model: Model): Potentials | undefined;
    /**
     * Where each clique begins, and where the last one ends.
     */
    starts(): Uint32Array;
    /**
     * A number for each cell of each clique that a row lies in.
     */
    values(): Float64Array;
}

/**
 * A prior behind a handle: its rows, and what it gives to each.
 */
export class PriorBase {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * The rows of a table, best its distinct ones, with their weights.
     */
    constructor(table: Table);
    /**
     * The number of rows of positive weight.
     */
    rows(): number;
    /**
     * Its rows with their shares.
     */
    table(): Table;
    /**
     * The same weight for each of the rows of a table, which must be distinct.
     */
    static uniformOn(table: Table): PriorBase;
    /**
     * The sum of their weights.
     */
    weight(): number;
}

/**
 * Makes the rows of a public table distinct, without those that are denied, and draws more from its network.
 */
export class PriorJob {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Thousandths done.
     */
    done(): number;
    /**
     * Distinct rows with their weights.
     */
    finish(): Table;
    /**
     * A job over a public table, with options as JSON.
     */
    constructor(table: Table, options: string);
    /**
     * How many of the distinct rows are the table's own, at the end.
     */
    own(): number;
    /**
     * Does about `work` units; true at the end.
     */
    step(work: number): boolean;
    /**
     * All thousandths.
     */
    total(): number;
}

/**
 * Ranks the pairs of a workload that was counted by their mutual information.
 */
export class RankJob {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * The units done.
     */
    done(): number;
    /**
     * The attributes of one pair after another.
     */
    finish(): Uint16Array;
    /**
     * Does about `work` units; true at the end.
     */
    step(work: number): boolean;
    /**
     * All units.
     */
    total(): number;
}

/**
 * Rounds the weights of rows to a number of records, puts these in random order and copies them to a table.
 */
export class RecordsJob {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Thousandths done.
     */
    done(): number;
    /**
     * The records.
     */
    finish(): Table;
    /**
     * A job over the rows of a prior, each of which has a weight. `flat` and `starts` are the tables that controlled
     * rounding keeps, `digits` the seed.
     */
    constructor(base: Table, weights: Float64Array | number[], records: number, method: string, flat: Uint16Array | number[], starts: Uint32Array | number[], digits: string);
    /**
     * Does about `work` units; true at the end.
     */
    step(work: number): boolean;
    /**
     * All thousandths.
     */
    total(): number;
}

/**
 * Rows that all groups share.
 */
export class SharedRows {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * The distinct rows of a table that was made by a [`BlankingJob`].
     */
    constructor(plan: GroupPlan, table: Table);
    /**
     * The number of rows.
     */
    rows(): number;
}

/**
 * A problem as the exact solver takes it.
 */
export class SmallProblem {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Shares of the total, marginal after marginal.
     */
    answers(): Float64Array;
    /**
     * The cell of each row, marginal after marginal.
     */
    cells(): Uint32Array;
    /**
     * The weight of each row.
     */
    prior(): Float64Array;
    /**
     * Cells of each marginal.
     */
    sizes(): Uint32Array;
}

/**
 * Simulates ways to divide a budget.
 */
export class SplitJob {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Trials done.
     */
    done(): number;
    /**
     * The place of the best, the score of public tables as they are with its standard error, and of each way its score, the
     * standard error, the truths that it was tried on, and whether it is close to the best.
     */
    finish(): Float64Array;
    /**
     * A job on a public table, for the groups of what was made of it; with options as JSON, and the public counts of all
     * levels one after another.
     */
    constructor(shared: SharedRows, table: Table, options: string, values: Float64Array | number[]);
    /**
     * Does about `work` units; true at the end.
     */
    step(work: number): boolean;
    /**
     * Trials in all.
     */
    total(): number;
}

/**
 * The working out of standard errors.
 */
export class SpreadJob {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * The answers done.
     */
    done(): number;
    /**
     * For each answer the variance by the noise, and by what is left open.
     */
    finish(): Float64Array;
    /**
     * The errors of what a model answers: measurements as JSON and the values of one after another, and as JSON the
     * total and its variance, the strength of the prior, the questions and whether answers are shares. `attributes` and
     * `allowed` say which rows are asked about. The cells of rows are kept in at most `limit` bytes.
     */
    constructor(model: Model, measurements: string, values: Float64Array | number[], options: string, attributes: Uint16Array | number[], allowed: Uint8Array | number[], limit: number);
    /**
     * Does about `work` units; true at the end.
     */
    step(work: number): boolean;
    /**
     * All answers.
     */
    total(): number;
}

/**
 * A table behind a handle.
 */
export class Table {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * How many attributes there are, derived ones included.
     */
    attributes(): number;
    /**
     * A copy of the codes of an attribute, where they are wider than bytes.
     */
    codes16(attribute: number): Uint16Array | undefined;
    /**
     * A copy of the codes of an attribute, where they are bytes.
     */
    codes8(attribute: number): Uint8Array | undefined;
    /**
     * Where those of each row stand, unless every row has one.
     */
    rawStarts(place: number): Uint32Array | undefined;
    /**
     * The weights of those of a row up to each, unless all weigh the same.
     */
    rawSums(place: number): Float64Array | undefined;
    /**
     * A copy of the raw numbers of the attribute at that place of [`Table::raw`].
     */
    rawValues(place: number): Float64Array;
    /**
     * The attributes whose raw numbers are kept.
     */
    raw(): Uint32Array;
    /**
     * Number of rows.
     */
    rows(): number;
    /**
     * The normal form of the schema.
     */
    schema(): string;
    /**
     * The same table behind another handle, for a call that takes it over.
     */
    share(): Table;
    /**
     * Whether rows have weights.
     */
    weighted(): boolean;
    /**
     * A copy of the weights.
     */
    weights(): Float64Array | undefined;
}

/**
 * A copy of a table in the making.
 */
export class TableCopy {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * The codes of the next attribute, where they are wider than bytes.
     */
    codes16(codes: Uint16Array | number[]): void;
    /**
     * The codes of the next attribute, where they are bytes.
     */
    codes8(codes: Uint8Array | number[]): void;
    /**
     * The table.
     */
    finish(): Table;
    /**
     * Nothing yet of a table of so many rows.
     */
    constructor(schema: string, rows: number);
    /**
     * The raw numbers of one more attribute, as they come out of a table.
     */
    raw(attribute: number, values: Float64Array | number[], starts?: Uint32Array | number[] | null, sums?: Float64Array | number[] | null): void;
    /**
     * The weights of the rows.
     */
    weights(weights: Float64Array | number[]): void;
}

/**
 * What came of two stages.
 */
export class TwoStageFound {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * The loss and its gap, the entropy and its gap, the relative gap, and what cells without a row add to the loss.
     */
    figures(): Float64Array;
    /**
     * The model.
     */
    model(): Model;
    /**
     * Why the answers cannot be met, if so.
     */
    reason(): string | undefined;
    /**
     * How it ended.
     */
    status(): string;
    /**
     * The judgements: passes, price, loss, entropy.
     */
    trace(): Float64Array;
}

/**
 * Two stages by the interior point, or the first alone, in the making.
 */
export class TwoStageJob {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * The units done; how many there are is not known.
     */
    done(): number;
    /**
     * The best model so far.
     */
    finish(): TwoStageFound;
    /**
     * How many judgements there are.
     */
    judgements(): number;
    /**
     * Does about `work` units; true at the end.
     */
    step(work: number): boolean;
}

/**
 * A two-stage problem: first the making of its cells of rows.
 */
export class TwoStageTask {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Rows, cells that they lie in, the number of records and its variance; then for each measurement the number of
     * answers that no row can meet, and their sum.
     */
    about(): Float64Array;
    /**
     * The units done.
     */
    done(): number;
    /**
     * The model of weights that the exact solver found.
     */
    model(weights: Float64Array | number[]): Model;
    /**
     * A problem: measurements and options as JSON, and the values of one measurement after another. The cells of
     * rows are kept in at most `limit` bytes.
     */
    constructor(prior: PriorBase, measurements: string, values: Float64Array | number[], options: string, limit: number);
    /**
     * The problem as the exact solver takes it.
     */
    small(): SmallProblem;
    /**
     * Solves it here.
     */
    solve(): TwoStageJob;
    /**
     * Does about `work` units; true when the cells of rows are known.
     */
    step(work: number): boolean;
    /**
     * All units.
     */
    total(): number;
}

/**
 * How many whole records each of some totals gets of all.
 */
export function apportioned(totals: Float64Array | number[], records: number): Float64Array;

/**
 * Begins a call whose memory nobody may be told of, and which may take so many bytes for private rows in all.
 */
export function enterPrivate(most: number): void;

/**
 * Finds the dependencies of a public table: of each its two attributes, whether it takes raw numbers to know, and whether they
 * follow.
 */
export function findDependencies(table: Table): Job<Uint16Array<ArrayBuffer>>;

/**
 * What an attribute is for each code of another that it follows from: its codes, and then its raw numbers.
 */
export function followed(table: Table, from: number, to: number, number: boolean): Float64Array;

/**
 * Ends it.
 */
export function leavePrivate(): void;

/**
 * The limit that is in force for these.
 */
export function memoryLimit(): number;

/**
 * The limit for private rows and everything else together: it depends on no rows.
 */
export function memoryOfAll(): number;

/**
 * The bytes that are allocated in this module alone, without those for private rows.
 */
export function memoryOwn(): number;

/**
 * The bytes that are allocated now, here and beside, without those for private rows; within a private call, those alone.
 */
export function memoryUsed(): number;

/**
 * The number of records of a model.
 */
export function modelTotal(model: Model): number;

/**
 * The part of a model that meets a condition: attributes, and whether each of their codes is meant. Nothing where no
 * row that meets it has any weight.
 */
export function modelWithin(model: Model, attributes: Uint16Array | number[], allowed: Uint8Array | number[]): Model | undefined;

/**
 * The prior that a model is on.
 */
export function priorOf(model: Model): PriorBase;

/**
 * Says how many bytes the module beside this one holds: both share one limit.
 */
export function setMemoryBeside(bytes: number): void;

/**
 * Sets the bytes beyond which large allocations fail with `OUT_OF_MEMORY`.
 */
export function setMemoryLimit(bytes: number): void;

export type InitInput = RequestInfo | URL | Response | BufferSource | WebAssembly.Module;

export interface InitOutput {
    readonly memory: WebAssembly.Memory;
    readonly __wbg_answerjob_free: (a: number, b: number) => void;
    readonly __wbg_answers_free: (a: number, b: number) => void;
    readonly __wbg_blankingjob_free: (a: number, b: number) => void;
    readonly __wbg_designjob_free: (a: number, b: number) => void;
    readonly __wbg_estimated_free: (a: number, b: number) => void;
    readonly __wbg_estimatejob_free: (a: number, b: number) => void;
    readonly __wbg_fulltablejob_free: (a: number, b: number) => void;
    readonly __wbg_groupanswerjob_free: (a: number, b: number) => void;
    readonly __wbg_groupmodeljob_free: (a: number, b: number) => void;
    readonly __wbg_grouppartsjob_free: (a: number, b: number) => void;
    readonly __wbg_groupplan_free: (a: number, b: number) => void;
    readonly __wbg_groups_free: (a: number, b: number) => void;
    readonly __wbg_groupsjob_free: (a: number, b: number) => void;
    readonly __wbg_groupsrecordsjob_free: (a: number, b: number) => void;
    readonly __wbg_groupsrestorer_free: (a: number, b: number) => void;
    readonly __wbg_groupsspreadjob_free: (a: number, b: number) => void;
    readonly __wbg_job_free: (a: number, b: number) => void;
    readonly __wbg_mixingjob_free: (a: number, b: number) => void;
    readonly __wbg_model_free: (a: number, b: number) => void;
    readonly __wbg_modelrestorer_free: (a: number, b: number) => void;
    readonly __wbg_poolingjob_free: (a: number, b: number) => void;
    readonly __wbg_potentials_free: (a: number, b: number) => void;
    readonly __wbg_priorbase_free: (a: number, b: number) => void;
    readonly __wbg_priorjob_free: (a: number, b: number) => void;
    readonly __wbg_rankjob_free: (a: number, b: number) => void;
    readonly __wbg_recordsjob_free: (a: number, b: number) => void;
    readonly __wbg_sharedrows_free: (a: number, b: number) => void;
    readonly __wbg_smallproblem_free: (a: number, b: number) => void;
    readonly __wbg_splitjob_free: (a: number, b: number) => void;
    readonly __wbg_spreadjob_free: (a: number, b: number) => void;
    readonly __wbg_table_free: (a: number, b: number) => void;
    readonly __wbg_tablecopy_free: (a: number, b: number) => void;
    readonly __wbg_twostagefound_free: (a: number, b: number) => void;
    readonly __wbg_twostagejob_free: (a: number, b: number) => void;
    readonly __wbg_twostagetask_free: (a: number, b: number) => void;
    readonly answerjob_done: (a: number) => number;
    readonly answerjob_finish: (a: number) => [number, number, number];
    readonly answerjob_new: (a: number, b: number, c: number, d: number, e: number, f: number) => [number, number, number];
    readonly answerjob_step: (a: number, b: number) => [number, number, number];
    readonly answerjob_total: (a: number) => number;
    readonly answers_block: (a: number, b: number, c: number) => [number, number, number, number];
    readonly answers_cells: (a: number) => [number, number];
    readonly answers_held: (a: number, b: number) => [number, number, number];
    readonly answers_nonzero: (a: number, b: number, c: number, d: number) => [number, number, number, number];
    readonly answers_place: (a: number, b: number) => [number, number, number, number];
    readonly answers_rank: (a: number, b: number) => [number, number, number];
    readonly apportioned: (a: number, b: number, c: number) => [number, number, number, number];
    readonly blankingjob_done: (a: number) => number;
    readonly blankingjob_finish: (a: number) => [number, number, number];
    readonly blankingjob_new: (a: number, b: number, c: number, d: number, e: number) => [number, number, number];
    readonly blankingjob_step: (a: number, b: number) => [number, number, number];
    readonly blankingjob_total: (a: number) => number;
    readonly designjob_done: (a: number) => number;
    readonly designjob_finish: (a: number) => [number, number, number, number];
    readonly designjob_new: (a: number, b: number, c: number, d: number) => [number, number, number];
    readonly designjob_step: (a: number, b: number) => [number, number, number];
    readonly designjob_total: (a: number) => number;
    readonly enterPrivate: (a: number) => void;
    readonly estimated_figures: (a: number) => [number, number];
    readonly estimated_missing: (a: number) => [number, number];
    readonly estimated_model: (a: number) => number;
    readonly estimated_status: (a: number) => [number, number];
    readonly estimated_trace: (a: number) => [number, number];
    readonly estimatejob_calibrated: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number) => [number, number, number];
    readonly estimatejob_done: (a: number) => number;
    readonly estimatejob_finish: (a: number) => [number, number, number];
    readonly estimatejob_iterative: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number) => [number, number, number];
    readonly estimatejob_judgements: (a: number) => number;
    readonly estimatejob_step: (a: number, b: number) => [number, number, number];
    readonly findDependencies: (a: number) => number;
    readonly followed: (a: number, b: number, c: number, d: number) => [number, number, number, number];
    readonly fulltablejob_done: (a: number) => number;
    readonly fulltablejob_finish: (a: number) => [number, number, number];
    readonly fulltablejob_new: (a: number, b: number, c: number) => [number, number, number];
    readonly fulltablejob_step: (a: number, b: number) => [number, number, number];
    readonly fulltablejob_total: (a: number) => number;
    readonly groupanswerjob_done: (a: number) => number;
    readonly groupanswerjob_finish: (a: number) => [number, number, number];
    readonly groupanswerjob_new: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number) => [number, number, number];
    readonly groupanswerjob_step: (a: number, b: number) => [number, number, number];
    readonly groupanswerjob_total: (a: number) => number;
    readonly groupmodeljob_done: (a: number) => number;
    readonly groupmodeljob_finish: (a: number) => [number, number, number];
    readonly groupmodeljob_new: (a: number, b: number) => [number, number, number];
    readonly groupmodeljob_step: (a: number, b: number) => [number, number, number];
    readonly groupmodeljob_total: (a: number) => number;
    readonly grouppartsjob_done: (a: number) => number;
    readonly grouppartsjob_finish: (a: number) => [number, number, number, number];
    readonly grouppartsjob_new: (a: number, b: number, c: number, d: number, e: number, f: number, g: number) => [number, number, number];
    readonly grouppartsjob_step: (a: number, b: number) => [number, number, number];
    readonly grouppartsjob_total: (a: number) => number;
    readonly groupplan_between: (a: number, b: number, c: number, d: number, e: number) => [number, number, number, number];
    readonly groupplan_groups: (a: number) => [number, number];
    readonly groupplan_new: (a: number, b: number, c: number, d: number, e: number, f: number) => [number, number, number];
    readonly groups_judged: (a: number) => [number, number];
    readonly groups_lengths: (a: number) => [number, number];
    readonly groups_levels: (a: number) => number;
    readonly groups_numbers: (a: number, b: number, c: number) => [number, number, number, number];
    readonly groups_rows: (a: number) => number;
    readonly groups_steps: (a: number) => [number, number];
    readonly groupsjob_done: (a: number) => number;
    readonly groupsjob_finish: (a: number) => [number, number, number];
    readonly groupsjob_new: (a: number, b: number, c: number, d: number, e: number, f: number) => [number, number, number];
    readonly groupsjob_step: (a: number, b: number) => [number, number, number];
    readonly groupsjob_take: (a: number) => [number, number];
    readonly groupsjob_total: (a: number) => number;
    readonly groupsrecordsjob_done: (a: number) => number;
    readonly groupsrecordsjob_finish: (a: number) => [number, number, number];
    readonly groupsrecordsjob_new: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number, i: number, j: number, k: number) => [number, number, number];
    readonly groupsrecordsjob_step: (a: number, b: number) => [number, number, number];
    readonly groupsrecordsjob_total: (a: number) => number;
    readonly groupsrecordsjob_within: (a: number, b: number, c: number, d: number, e: number) => [number, number];
    readonly groupsrestorer_finish: (a: number) => [number, number, number];
    readonly groupsrestorer_new: (a: number, b: number, c: number, d: number, e: number, f: number) => [number, number, number];
    readonly groupsrestorer_numbers: (a: number, b: number) => number;
    readonly groupsrestorer_push: (a: number, b: number, c: number, d: number, e: number) => [number, number];
    readonly groupsrestorer_step: (a: number, b: number) => [number, number, number];
    readonly groupsspreadjob_done: (a: number) => number;
    readonly groupsspreadjob_finish: (a: number) => [number, number, number, number];
    readonly groupsspreadjob_new: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number, i: number, j: number, k: number, l: number, m: number) => [number, number, number];
    readonly groupsspreadjob_step: (a: number, b: number) => [number, number, number];
    readonly groupsspreadjob_total: (a: number) => number;
    readonly job_done: (a: number) => number;
    readonly job_finish: (a: number) => [number, number, number];
    readonly job_step: (a: number, b: number) => number;
    readonly job_total: (a: number) => number;
    readonly leavePrivate: () => void;
    readonly memoryLimit: () => number;
    readonly memoryOfAll: () => number;
    readonly memoryOwn: () => number;
    readonly memoryUsed: () => number;
    readonly mixingjob_add: (a: number, b: number, c: number) => [number, number];
    readonly mixingjob_done: (a: number) => number;
    readonly mixingjob_finish: (a: number) => [number, number, number];
    readonly mixingjob_new: (a: number) => number;
    readonly mixingjob_step: (a: number, b: number) => [number, number, number];
    readonly mixingjob_total: (a: number) => number;
    readonly modelTotal: (a: number) => number;
    readonly modelWithin: (a: number, b: number, c: number, d: number, e: number) => [number, number, number];
    readonly model_effectiveSize: (a: number, b: number) => [number, number, number];
    readonly model_ofPrior: (a: number, b: number) => [number, number, number];
    readonly model_relativeEntropy: (a: number) => [number, number, number];
    readonly model_rows: (a: number) => number;
    readonly model_table: (a: number) => [number, number, number];
    readonly model_weights: (a: number) => [number, number, number, number];
    readonly modelrestorer_done: (a: number) => number;
    readonly modelrestorer_finish: (a: number) => [number, number, number];
    readonly modelrestorer_potentials: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number, i: number) => [number, number, number];
    readonly modelrestorer_step: (a: number, b: number) => [number, number, number];
    readonly modelrestorer_total: (a: number) => number;
    readonly modelrestorer_weights: (a: number, b: number, c: number, d: number) => [number, number, number];
    readonly poolingjob_alpha: (a: number) => number;
    readonly poolingjob_done: (a: number) => number;
    readonly poolingjob_finish: (a: number) => [number, number, number];
    readonly poolingjob_new: (a: number, b: number, c: number) => [number, number, number];
    readonly poolingjob_step: (a: number, b: number) => [number, number, number];
    readonly poolingjob_total: (a: number) => number;
    readonly potentials_flat: (a: number) => [number, number];
    readonly potentials_of: (a: number) => [number, number, number];
    readonly potentials_starts: (a: number) => [number, number];
    readonly potentials_values: (a: number) => [number, number];
    readonly priorOf: (a: number) => number;
    readonly priorbase_new: (a: number) => [number, number, number];
    readonly priorbase_rows: (a: number) => number;
    readonly priorbase_table: (a: number) => [number, number, number];
    readonly priorbase_uniformOn: (a: number) => [number, number, number];
    readonly priorbase_weight: (a: number) => number;
    readonly priorjob_done: (a: number) => number;
    readonly priorjob_finish: (a: number) => [number, number, number];
    readonly priorjob_new: (a: number, b: number, c: number) => [number, number, number];
    readonly priorjob_own: (a: number) => number;
    readonly priorjob_step: (a: number, b: number) => [number, number, number];
    readonly priorjob_total: (a: number) => number;
    readonly rankjob_done: (a: number) => number;
    readonly rankjob_finish: (a: number) => [number, number, number, number];
    readonly rankjob_step: (a: number, b: number) => [number, number, number];
    readonly rankjob_total: (a: number) => number;
    readonly recordsjob_done: (a: number) => number;
    readonly recordsjob_finish: (a: number) => [number, number, number];
    readonly recordsjob_new: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number, i: number, j: number, k: number, l: number) => [number, number, number];
    readonly recordsjob_step: (a: number, b: number) => [number, number, number];
    readonly recordsjob_total: (a: number) => number;
    readonly setMemoryBeside: (a: number) => void;
    readonly setMemoryLimit: (a: number) => void;
    readonly sharedrows_new: (a: number, b: number) => [number, number, number];
    readonly sharedrows_rows: (a: number) => number;
    readonly smallproblem_answers: (a: number) => [number, number];
    readonly smallproblem_cells: (a: number) => [number, number];
    readonly smallproblem_prior: (a: number) => [number, number];
    readonly smallproblem_sizes: (a: number) => [number, number];
    readonly splitjob_done: (a: number) => number;
    readonly splitjob_finish: (a: number) => [number, number, number, number];
    readonly splitjob_new: (a: number, b: number, c: number, d: number, e: number, f: number) => [number, number, number];
    readonly splitjob_step: (a: number, b: number) => [number, number, number];
    readonly splitjob_total: (a: number) => number;
    readonly spreadjob_done: (a: number) => number;
    readonly spreadjob_finish: (a: number) => [number, number, number, number];
    readonly spreadjob_new: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number, i: number, j: number, k: number, l: number) => [number, number, number];
    readonly spreadjob_step: (a: number, b: number) => [number, number, number];
    readonly spreadjob_total: (a: number) => number;
    readonly table_attributes: (a: number) => number;
    readonly table_codes16: (a: number, b: number) => [number, number, number, number];
    readonly table_codes8: (a: number, b: number) => [number, number, number, number];
    readonly table_raw: (a: number) => [number, number];
    readonly table_rawStarts: (a: number, b: number) => [number, number, number, number];
    readonly table_rawSums: (a: number, b: number) => [number, number, number, number];
    readonly table_rawValues: (a: number, b: number) => [number, number, number, number];
    readonly table_rows: (a: number) => number;
    readonly table_schema: (a: number) => [number, number];
    readonly table_share: (a: number) => number;
    readonly table_weighted: (a: number) => number;
    readonly table_weights: (a: number) => [number, number, number, number];
    readonly tablecopy_codes16: (a: number, b: number, c: number) => [number, number];
    readonly tablecopy_codes8: (a: number, b: number, c: number) => [number, number];
    readonly tablecopy_finish: (a: number) => [number, number, number];
    readonly tablecopy_new: (a: number, b: number, c: number) => [number, number, number];
    readonly tablecopy_raw: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number) => [number, number];
    readonly tablecopy_weights: (a: number, b: number, c: number) => [number, number];
    readonly twostagefound_figures: (a: number) => [number, number];
    readonly twostagefound_model: (a: number) => number;
    readonly twostagefound_reason: (a: number) => [number, number];
    readonly twostagefound_status: (a: number) => [number, number];
    readonly twostagefound_trace: (a: number) => [number, number];
    readonly twostagejob_done: (a: number) => number;
    readonly twostagejob_finish: (a: number) => [number, number, number];
    readonly twostagejob_judgements: (a: number) => number;
    readonly twostagejob_step: (a: number, b: number) => [number, number, number];
    readonly twostagetask_about: (a: number) => [number, number];
    readonly twostagetask_done: (a: number) => number;
    readonly twostagetask_model: (a: number, b: number, c: number) => [number, number, number];
    readonly twostagetask_new: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number) => [number, number, number];
    readonly twostagetask_small: (a: number) => [number, number, number];
    readonly twostagetask_solve: (a: number) => [number, number, number];
    readonly twostagetask_step: (a: number, b: number) => [number, number, number];
    readonly twostagetask_total: (a: number) => number;
    readonly __wbindgen_free: (a: number, b: number, c: number) => void;
    readonly __wbindgen_externrefs: WebAssembly.Table;
    readonly __externref_table_dealloc: (a: number) => void;
    readonly __wbindgen_malloc: (a: number, b: number) => number;
    readonly __wbindgen_realloc: (a: number, b: number, c: number, d: number) => number;
    readonly __wbindgen_start: () => void;
}

export type SyncInitInput = BufferSource | WebAssembly.Module;

/**
 * Instantiates the given `module`, which can either be bytes or
 * a precompiled `WebAssembly.Module`.
 *
 * @param {{ module: SyncInitInput }} module - Passing `SyncInitInput` directly is deprecated.
 *
 * @returns {InitOutput}
 */
export function initSync(module: { module: SyncInitInput } | SyncInitInput): InitOutput;

/**
 * If `module_or_path` is {RequestInfo} or {URL}, makes a request and
 * for everything else, calls `WebAssembly.instantiate` directly.
 *
 * @param {{ module_or_path: InitInput | Promise<InitInput> }} module_or_path - Passing `InitInput` directly is deprecated.
 *
 * @returns {Promise<InitOutput>}
 */
export default function __wbg_init (module_or_path: { module_or_path: InitInput | Promise<InitInput> } | InitInput | Promise<InitInput>): Promise<InitOutput>;

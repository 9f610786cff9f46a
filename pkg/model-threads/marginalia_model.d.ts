/* tslint:disable */
/* eslint-disable */

/**
 * A computation: `step` does about `work` units and says whether none are left, `finish` gives its outcome or throws; `found` is what
 * it has come to since that was last asked, where it tells anything before its end.
 */
export interface Job<T> {
    free(): void;
    step(work: number): boolean;
    done(): number;
    total(): number;
    found(): Float64Array<ArrayBuffer>;
    finish(): T;
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
 * A model, and how good it is.
 */
export class Estimate {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * The model.
     */
    model(): Model;
    /**
     * All but the model, by the names of `Outcome`.
     */
    outcome(): object;
}

/**
 * An estimation in the making.
 */
export class EstimateJob {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Counts of which the caller's own loss is asked, once; nothing is done until it is told.
     */
    counts(): Float64Array | undefined;
    /**
     * The units done; how many there are is not known.
     */
    done(): number;
    /**
     * That loss, and its gradient.
     */
    evaluated(loss: number, gradient: Float64Array | number[]): void;
    /**
     * The best model so far.
     */
    finish(): Estimate;
    /**
     * How many judgements there are.
     */
    judgements(): number;
    /**
     * From rows of a prior that know some of a schema's attributes.
     */
    static onKnown(prior: PriorBase, schema: string, measurements: string, values: Float64Array | number[], options: string, limit: number): EstimateJob;
    /**
     * From a model on the rows of a prior.
     */
    static onModel(prior: PriorBase, start: Model, measurements: string, values: Float64Array | number[], options: string, limit: number): EstimateJob;
    /**
     * From the rows of a prior: measurements and options as JSON, and the values of one measurement after another. The
     * cells of rows are kept in at most `limit` bytes.
     */
    static onPrior(prior: PriorBase, measurements: string, values: Float64Array | number[], options: string, limit: number): EstimateJob;
    /**
     * From nothing but a schema.
     */
    static onSchema(schema: string, measurements: string, values: Float64Array | number[], options: string, limit: number): EstimateJob;
    /**
     * From a model without rows.
     */
    static onStart(start: Model, measurements: string, values: Float64Array | number[], options: string, limit: number): EstimateJob;
    /**
     * A problem that is to be solved outside, once; nothing is done until it is answered.
     */
    outside(): SmallProblem | undefined;
    /**
     * What solved it: as JSON what is said of it, and the mass of each row.
     */
    resume(found: string, weights: Float64Array | number[]): void;
    /**
     * Does about `work` units; true at the end.
     */
    step(work: number): boolean;
    /**
     * Nothing solved it.
     */
    unanswered(): void;
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
 * Groups that are put together again, group after group.
 */
export class GroupsRestorer {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * All groups, when all were taken.
     */
    finish(): Groups;
    /**
     * How many numbers the next groups have.
     */
    numbers(groups: number): number;
    /**
     * Takes the next groups: of each its total, the variance, what it is worth and its steps, and their numbers one after
     * another.
     */
    push(figures: Float64Array | number[], numbers: Float64Array | number[]): void;
}

/**
 * The weights after the rounds so far.
 */
export class Iterate {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Of a prior, before any round, by the options of the estimator, a seed and how many records it stands for; clique `i` of what is answered is
     * `flat[starts[i]..starts[i + 1]]`.
     */
    static begin(prior: PriorBase, flat: Uint16Array | number[], starts: Uint32Array | number[], options: string, limit: number): Job<Iterate>;
    /**
     * What is answered to some consecutive of these cells, in records.
     */
    block(from: number, to: number): Float64Array;
    /**
     * How many these are.
     */
    cells(): number;
    /**
     * A round for each of some measurements of a table of so many records.
     */
    meet(measurements: string, values: Float64Array | number[], records: number): void;
    /**
     * The places of the cells that a row lies in, among all of the workload.
     */
    places(): Uint32Array;
}

/**
 * Priors that are to be mixed.
 */
export class Mixing {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Adds a prior with its share.
     */
    add(prior: PriorBase, share: number): void;
    /**
     * Their distinct rows.
     */
    mixed(): Job<Table>;
    /**
     * Nothing to mix yet, over the schema of a prior.
     */
    constructor(first: PriorBase);
}

/**
 * A model of any kind, behind a handle.
 */
export class Model {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Answers a workload, clique `i` of which is `flat[starts[i]..starts[i + 1]]`, in at most `limit` bytes.
     */
    answer(flat: Uint16Array | number[], starts: Uint32Array | number[], limit: number): Job<Answers>;
    /**
     * A prior of it, in at most `limit` bytes.
     */
    asPrior(limit: number): Job<PriorBase>;
    /**
     * How many of the prior's `records` the model effectively rests on.
     */
    effectiveSize(records: number): number;
    /**
     * What it is given by.
     */
    form(): ModelForm;
    /**
     * Its kind.
     */
    kind(): string;
    /**
     * The prior itself, standing for `total` records.
     */
    static ofPrior(prior: PriorBase, total: number): Model;
    /**
     * The part that meets a condition: attributes, and whether each of their codes is meant. Nothing where no record
     * can meet it.
     */
    part(attributes: Uint16Array | number[], allowed: Uint8Array | number[]): Model | undefined;
    /**
     * The prior that it is on.
     */
    prior(): PriorBase;
    /**
     * So many records. `flat` and `starts` are the tables that controlled rounding keeps, `digits` the seed.
     */
    records(records: number, method: string, flat: Uint16Array | number[], starts: Uint32Array | number[], digits: string): Job<Table>;
    /**
     * Relative entropy to the prior, in nats.
     */
    relativeEntropy(): number;
    /**
     * How many numbers it is held by, about.
     */
    size(): number;
    /**
     * For each answer the variance by the noise, and by what is left open: measurements as JSON and the values of one
     * after another, and as JSON the total and its variance, the strength of the prior, the questions and whether answers
     * are shares. `attributes` and `allowed` say which records are asked about. The cells of rows are kept in at most
     * `limit` bytes.
     */
    standardErrors(measurements: string, values: Float64Array | number[], options: string, attributes: Uint16Array | number[], allowed: Uint8Array | number[], limit: number): Job<Float64Array<ArrayBuffer>>;
    /**
     * The rows as a table, weighted by the records that the model gives to each.
     */
    table(): Table;
    /**
     * The number of records.
     */
    total(): number;
    /**
     * What each row gets; the sum is 1.
     */
    weights(): Float64Array;
}

/**
 * What a model is given by, beside its schema, its total and the rows that it may be on.
 */
export class ModelForm {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * The attributes of one clique after another, where cells of cliques have the numbers.
     */
    flat(): Uint16Array | undefined;
    /**
     * Where each clique begins, and where the last one ends.
     */
    starts(): Uint32Array;
    /**
     * The numbers.
     */
    values(): Float64Array;
}

/**
 * A table that was pooled.
 */
export class PooledRows {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * The share of the pooled weights.
     */
    alpha(): number;
    /**
     * Rows in all groups with their weights.
     */
    table(): Table;
}

/**
 * A prior behind a handle: its rows, and what it gives to each.
 */
export class PriorBase {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Its rows, whatever weights their table has.
     */
    bare(): Table;
    /**
     * The rows of a table, best its distinct ones, with their weights.
     */
    constructor(table: Table);
    /**
     * The number of rows of positive weight.
     */
    rows(): number;
    /**
     * The same without the rows that break a rule.
     */
    ruled(list: string): PriorBase;
    /**
     * What it gives to each.
     */
    shares(): Float64Array;
    /**
     * Its rows with their shares, weighed again.
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
 * Rows that all groups share.
 */
export class SharedRows {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * The distinct rows of a table that was made by [`blank_rows`].
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
     * Whether nothing else is to solve it.
     */
    required(): boolean;
    /**
     * Cells of each marginal.
     */
    sizes(): Uint32Array;
    /**
     * What the second stage keeps.
     */
    target(): string;
    /**
     * The relative gap that is good enough.
     */
    tolerance(): number;
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
 * A table that was widened.
 */
export class WideRows {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * How many of the distinct rows are the public table's own.
     */
    own(): number;
    /**
     * Distinct rows with their weights.
     */
    table(): Table;
}

/**
 * The sum of what groups of the last level at these places answer to a workload, clique `i` of which is
 * `flat[starts[i]..starts[i + 1]]`, in at most `limit` bytes.
 */
export function answerGroups(groups: Groups, places: Uint32Array | number[], flat: Uint16Array | number[], starts: Uint32Array | number[], limit: number): Job<Answers>;

/**
 * How many whole records each of some totals gets of all.
 */
export function apportioned(totals: Float64Array | number[], records: number): Float64Array;

/**
 * The rows of a public table, or about `most` of them, without what tells groups apart.
 */
export function blankRows(plan: GroupPlan, table: Table, most: number, digits: string): Job<Table>;

/**
 * Candidates from a public table, simulated on a prior that was made of it, with options as JSON: the chosen candidate, the score
 * of the prior as it is with its standard error, and of each candidate: its family, the size of that, the power of cells, the
 * score, its standard error, the draws, whether it is close to the chosen one, and its cliques, each after its length.
 */
export function designWorkload(table: Table, prior: Table, options: string): Job<Float64Array<ArrayBuffer>>;

/**
 * Begins a call whose memory nobody may be told of, and which may take so many bytes for private rows in all.
 */
export function enterPrivate(most: number): void;

/**
 * The estimation of all groups: measurements of each level, then its public counts, as JSON, and the values of one after
 * another. The cells of rows are kept in at most `limit` bytes.
 */
export function estimateGroups(shared: SharedRows, values: Float64Array | number[], options: string, limit: number): Job<Groups>;

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
 * All rows that a schema allows, in the order of their codes, in at most `limit` bytes.
 */
export function fullTable(schema: string, limit: number): Job<Table>;

/**
 * The errors of what groups answer together: the measurements of each level as JSON and the values of one after
 * another, and as JSON the places of the groups, how totals were found, the questions and, for shares, the records that
 * they are parts of. `shares` are the answers then. `attributes` and `allowed` say which records are asked about. For each
 * answer the variance by the noise, and by what is left open.
 */
export function groupErrors(groups: Groups, levels: string, values: Float64Array | number[], options: string, shares: Float64Array | number[], attributes: Uint16Array | number[], allowed: Uint8Array | number[]): Job<Float64Array<ArrayBuffer>>;

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
 * The distribution of a group of the last level.
 */
export function modelOfGroup(groups: Groups, group: number): Job<Model>;

/**
 * Which share of each of the groups at these places meets a condition on attributes that are none of groups.
 */
export function partsOfGroups(groups: Groups, places: Uint32Array | number[], attributes: Uint16Array | number[], allowed: Uint8Array | number[]): Job<Float64Array<ArrayBuffer>>;

/**
 * A public table, pooled over a group attribute; with options as JSON.
 */
export function poolRows(table: Table, options: string): Job<PooledRows>;

/**
 * Builds the global pool of `threads` threads, of which the calling one is the first; returns when workers
 * have taken up the others.
 */
export function poolStart(threads: number): void;

/**
 * Waits for a thread of the pool and becomes it: never returns while the pool lives.
 */
export function poolWork(): void;

/**
 * The distinct rows of a public table with their weights, without those that are denied, and rows drawn from its network; with
 * options as JSON.
 */
export function publicPrior(table: Table, options: string): Job<WideRows>;

/**
 * Records of groups at these places that meet a condition on attributes that are none of groups, each place with a number of
 * records; the method and the seed as JSON. `flat` and `starts` are the tables that controlled rounding keeps in each.
 */
export function recordsOfGroups(groups: Groups, wanted: Float64Array | number[], flat: Uint16Array | number[], starts: Uint32Array | number[], options: string, attributes: Uint16Array | number[], allowed: Uint8Array | number[]): Job<Table>;

/**
 * Groups on shared rows that are to be put together again: measurements of each level as JSON, and the values of one after another.
 * The cells of rows are kept in at most `limit` bytes.
 */
export function restoreGroups(shared: SharedRows, values: Float64Array | number[], options: string, limit: number): Job<GroupsRestorer>;

/**
 * A model of a kind that is put together again: by its form, as [`Model::form`] gives it, without cliques where `flat` is
 * missing. What it is summed over is kept in at most `limit` bytes.
 */
export function restoreModel(kind: string, schema: string, flat: Uint16Array | number[] | null | undefined, starts: Uint32Array | number[], values: Float64Array | number[], total: number, limit: number): Job<Model>;

/**
 * The same of a kind that is on the rows of a prior. The cells of rows are kept in at most `limit` bytes.
 */
export function restoreModelOn(prior: PriorBase, kind: string, flat: Uint16Array | number[] | null | undefined, starts: Uint32Array | number[], values: Float64Array | number[], total: number, limit: number): Job<Model>;

/**
 * Says how many bytes the module beside this one holds: both share one limit.
 */
export function setMemoryBeside(bytes: number): void;

/**
 * Sets the bytes beyond which large allocations fail with `OUT_OF_MEMORY`.
 */
export function setMemoryLimit(bytes: number): void;

/**
 * Simulates ways to divide a budget on a public table, for the groups of shared rows that were made of it; with options as JSON,
 * and the public counts of all levels one after another: the place of the best, the score of public tables as they are with its
 * standard error, and of each way its score, the standard error, the truths that it was tried on, and whether it is close to the
 * best.
 */
export function splitBudget(shared: SharedRows, table: Table, options: string, values: Float64Array | number[]): Job<Float64Array<ArrayBuffer>>;

export type InitInput = RequestInfo | URL | Response | BufferSource | WebAssembly.Module;

export interface InitOutput {
    readonly memory: WebAssembly.Memory;
    readonly __wbg_answers_free: (a: number, b: number) => void;
    readonly __wbg_estimate_free: (a: number, b: number) => void;
    readonly __wbg_estimatejob_free: (a: number, b: number) => void;
    readonly __wbg_groupplan_free: (a: number, b: number) => void;
    readonly __wbg_groups_free: (a: number, b: number) => void;
    readonly __wbg_groupsrestorer_free: (a: number, b: number) => void;
    readonly __wbg_iterate_free: (a: number, b: number) => void;
    readonly __wbg_job_free: (a: number, b: number) => void;
    readonly __wbg_mixing_free: (a: number, b: number) => void;
    readonly __wbg_model_free: (a: number, b: number) => void;
    readonly __wbg_modelform_free: (a: number, b: number) => void;
    readonly __wbg_pooledrows_free: (a: number, b: number) => void;
    readonly __wbg_priorbase_free: (a: number, b: number) => void;
    readonly __wbg_rankjob_free: (a: number, b: number) => void;
    readonly __wbg_sharedrows_free: (a: number, b: number) => void;
    readonly __wbg_smallproblem_free: (a: number, b: number) => void;
    readonly __wbg_table_free: (a: number, b: number) => void;
    readonly __wbg_tablecopy_free: (a: number, b: number) => void;
    readonly __wbg_widerows_free: (a: number, b: number) => void;
    readonly answerGroups: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number) => [number, number, number];
    readonly answers_block: (a: number, b: number, c: number) => [number, number, number, number];
    readonly answers_cells: (a: number) => [number, number];
    readonly answers_held: (a: number, b: number) => [number, number, number];
    readonly answers_nonzero: (a: number, b: number, c: number, d: number) => [number, number, number, number];
    readonly answers_place: (a: number, b: number) => [number, number, number, number];
    readonly answers_rank: (a: number, b: number) => [number, number, number];
    readonly apportioned: (a: number, b: number, c: number) => [number, number, number, number];
    readonly blankRows: (a: number, b: number, c: number, d: number, e: number) => [number, number, number];
    readonly designWorkload: (a: number, b: number, c: number, d: number) => [number, number, number];
    readonly enterPrivate: (a: number) => void;
    readonly estimateGroups: (a: number, b: number, c: number, d: number, e: number, f: number) => [number, number, number];
    readonly estimate_model: (a: number) => number;
    readonly estimate_outcome: (a: number) => any;
    readonly estimatejob_counts: (a: number) => [number, number];
    readonly estimatejob_done: (a: number) => number;
    readonly estimatejob_evaluated: (a: number, b: number, c: number, d: number) => void;
    readonly estimatejob_finish: (a: number) => [number, number, number];
    readonly estimatejob_judgements: (a: number) => number;
    readonly estimatejob_onKnown: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number, i: number, j: number) => [number, number, number];
    readonly estimatejob_onModel: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number, i: number) => [number, number, number];
    readonly estimatejob_onPrior: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number) => [number, number, number];
    readonly estimatejob_onSchema: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number, i: number) => [number, number, number];
    readonly estimatejob_onStart: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number) => [number, number, number];
    readonly estimatejob_outside: (a: number) => number;
    readonly estimatejob_resume: (a: number, b: number, c: number, d: number, e: number) => [number, number];
    readonly estimatejob_step: (a: number, b: number) => number;
    readonly estimatejob_unanswered: (a: number) => void;
    readonly findDependencies: (a: number) => number;
    readonly followed: (a: number, b: number, c: number, d: number) => [number, number, number, number];
    readonly fullTable: (a: number, b: number, c: number) => [number, number, number];
    readonly groupErrors: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number, i: number, j: number, k: number, l: number, m: number) => [number, number, number];
    readonly groupplan_between: (a: number, b: number, c: number, d: number, e: number) => [number, number, number, number];
    readonly groupplan_groups: (a: number) => [number, number];
    readonly groupplan_new: (a: number, b: number, c: number, d: number, e: number, f: number) => [number, number, number];
    readonly groups_judged: (a: number) => [number, number];
    readonly groups_lengths: (a: number) => [number, number];
    readonly groups_levels: (a: number) => number;
    readonly groups_numbers: (a: number, b: number, c: number) => [number, number, number, number];
    readonly groups_rows: (a: number) => number;
    readonly groups_steps: (a: number) => [number, number];
    readonly groupsrestorer_finish: (a: number) => [number, number, number];
    readonly groupsrestorer_numbers: (a: number, b: number) => number;
    readonly groupsrestorer_push: (a: number, b: number, c: number, d: number, e: number) => [number, number];
    readonly iterate_begin: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number) => [number, number, number];
    readonly iterate_block: (a: number, b: number, c: number) => [number, number];
    readonly iterate_cells: (a: number) => number;
    readonly iterate_meet: (a: number, b: number, c: number, d: number, e: number, f: number) => [number, number];
    readonly iterate_places: (a: number) => [number, number];
    readonly job_done: (a: number) => number;
    readonly job_finish: (a: number) => [number, number, number];
    readonly job_found: (a: number) => [number, number];
    readonly job_step: (a: number, b: number) => number;
    readonly job_total: (a: number) => number;
    readonly leavePrivate: () => void;
    readonly memoryLimit: () => number;
    readonly memoryOfAll: () => number;
    readonly memoryOwn: () => number;
    readonly memoryUsed: () => number;
    readonly mixing_add: (a: number, b: number, c: number) => void;
    readonly mixing_mixed: (a: number) => [number, number, number];
    readonly mixing_new: (a: number) => number;
    readonly modelOfGroup: (a: number, b: number) => [number, number, number];
    readonly model_answer: (a: number, b: number, c: number, d: number, e: number, f: number) => [number, number, number];
    readonly model_asPrior: (a: number, b: number) => [number, number, number];
    readonly model_effectiveSize: (a: number, b: number) => [number, number, number];
    readonly model_form: (a: number) => [number, number, number];
    readonly model_kind: (a: number) => [number, number];
    readonly model_ofPrior: (a: number, b: number) => [number, number, number];
    readonly model_part: (a: number, b: number, c: number, d: number, e: number) => [number, number, number];
    readonly model_prior: (a: number) => [number, number, number];
    readonly model_records: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number, i: number, j: number) => [number, number, number];
    readonly model_relativeEntropy: (a: number) => [number, number, number];
    readonly model_size: (a: number) => number;
    readonly model_standardErrors: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number, i: number, j: number, k: number, l: number) => [number, number, number];
    readonly model_table: (a: number) => [number, number, number];
    readonly model_total: (a: number) => number;
    readonly model_weights: (a: number) => [number, number, number, number];
    readonly modelform_flat: (a: number) => [number, number];
    readonly modelform_starts: (a: number) => [number, number];
    readonly modelform_values: (a: number) => [number, number];
    readonly partsOfGroups: (a: number, b: number, c: number, d: number, e: number, f: number, g: number) => [number, number, number];
    readonly poolRows: (a: number, b: number, c: number) => [number, number, number];
    readonly poolStart: (a: number) => [number, number];
    readonly poolWork: () => void;
    readonly pooledrows_alpha: (a: number) => number;
    readonly pooledrows_table: (a: number) => number;
    readonly priorbase_bare: (a: number) => [number, number, number];
    readonly priorbase_new: (a: number) => [number, number, number];
    readonly priorbase_rows: (a: number) => number;
    readonly priorbase_ruled: (a: number, b: number, c: number) => [number, number, number];
    readonly priorbase_shares: (a: number) => [number, number, number, number];
    readonly priorbase_table: (a: number) => [number, number, number];
    readonly priorbase_uniformOn: (a: number) => [number, number, number];
    readonly priorbase_weight: (a: number) => number;
    readonly publicPrior: (a: number, b: number, c: number) => [number, number, number];
    readonly rankjob_done: (a: number) => number;
    readonly rankjob_finish: (a: number) => [number, number, number, number];
    readonly rankjob_step: (a: number, b: number) => [number, number, number];
    readonly rankjob_total: (a: number) => number;
    readonly recordsOfGroups: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number, i: number, j: number, k: number, l: number, m: number) => [number, number, number];
    readonly restoreGroups: (a: number, b: number, c: number, d: number, e: number, f: number) => [number, number, number];
    readonly restoreModel: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number, i: number, j: number, k: number, l: number) => [number, number, number];
    readonly restoreModelOn: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number, i: number, j: number, k: number) => [number, number, number];
    readonly setMemoryBeside: (a: number) => void;
    readonly setMemoryLimit: (a: number) => void;
    readonly sharedrows_new: (a: number, b: number) => [number, number, number];
    readonly sharedrows_rows: (a: number) => number;
    readonly smallproblem_answers: (a: number) => [number, number];
    readonly smallproblem_cells: (a: number) => [number, number];
    readonly smallproblem_prior: (a: number) => [number, number];
    readonly smallproblem_required: (a: number) => number;
    readonly smallproblem_sizes: (a: number) => [number, number];
    readonly smallproblem_target: (a: number) => [number, number];
    readonly smallproblem_tolerance: (a: number) => number;
    readonly splitBudget: (a: number, b: number, c: number, d: number, e: number, f: number) => [number, number, number];
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
    readonly widerows_own: (a: number) => number;
    readonly widerows_table: (a: number) => number;
    readonly __wbindgen_free: (a: number, b: number, c: number) => void;
    readonly __wbindgen_externrefs: WebAssembly.Table;
    readonly __wbindgen_malloc: (a: number, b: number) => number;
    readonly __externref_table_dealloc: (a: number) => void;
    readonly __wbindgen_realloc: (a: number, b: number, c: number, d: number) => number;
    readonly __wbindgen_thread_destroy: (a?: number, b?: number, c?: number) => void;
    readonly __wbindgen_start: (a: number) => void;
}

export type SyncInitInput = BufferSource | WebAssembly.Module;

/**
 * Instantiates the given `module`, which can either be bytes or
 * a precompiled `WebAssembly.Module`.
 *
 * @param {{ module: SyncInitInput, memory?: WebAssembly.Memory, thread_stack_size?: number }} module - Passing `SyncInitInput` directly is deprecated.
 * @param {WebAssembly.Memory} memory - Deprecated.
 *
 * @returns {InitOutput}
 */
export function initSync(module: { module: SyncInitInput, memory?: WebAssembly.Memory, thread_stack_size?: number } | SyncInitInput, memory?: WebAssembly.Memory): InitOutput;

/**
 * If `module_or_path` is {RequestInfo} or {URL}, makes a request and
 * for everything else, calls `WebAssembly.instantiate` directly.
 *
 * @param {{ module_or_path: InitInput | Promise<InitInput>, memory?: WebAssembly.Memory, thread_stack_size?: number }} module_or_path - Passing `InitInput` directly is deprecated.
 * @param {WebAssembly.Memory} memory - Deprecated.
 *
 * @returns {Promise<InitOutput>}
 */
export default function __wbg_init (module_or_path: { module_or_path: InitInput | Promise<InitInput>, memory?: WebAssembly.Memory, thread_stack_size?: number } | InitInput | Promise<InitInput>, memory?: WebAssembly.Memory): Promise<InitOutput>;

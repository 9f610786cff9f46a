/* tslint:disable */
/* eslint-disable */

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
     * A copy of the cells of clique `i`.
     */
    clique(i: number): Float64Array;
    /**
     * A copy of the cells of all cliques one after another; nothing where one is held sparse.
     */
    flat(): Float64Array | undefined;
    /**
     * The cells of clique `i` that are not zero, and then as many counts.
     */
    nonzero(i: number): Float64Array;
}

/**
 * Looks for rows that do not fit a schema.
 */
export class CheckReader {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * The number of rows; then for each place how many rows are wrong there, how many are named, and those: lines
     * that are no rows, and for each attribute values outside and absent ones.
     */
    finish(): Float64Array;
    /**
     * A reader for the normal form of a schema, and options as JSON.
     */
    constructor(schema: string, options: string);
    /**
     * Reads a piece of the text.
     */
    push(bytes: Uint8Array | number[]): void;
}

/**
 * Reads columns of numbers into codes.
 */
export class ColumnReader {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * The table.
     */
    finish(): Table;
    /**
     * A reader for the normal form of a schema, options as JSON, and columns of these names.
     */
    constructor(schema: string, options: string, names: string[]);
    /**
     * Reads the next rows: `rows` numbers of the first column, then of the second, and so on.
     */
    push(numbers: Float64Array | number[], rows: number): void;
}

/**
 * A count in the making.
 */
export class CountJob {
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
     * Plans the count of a workload, clique `i` of which is `flat[starts[i]..starts[i + 1]]`, in at most `limit` bytes.
     */
    constructor(table: Table, flat: Uint16Array | number[], starts: Uint32Array | number[], limit: number);
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
 * Finds the distinct rows of a table.
 */
export class DistinctJob {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Rows read, and distinct rows copied so far.
     */
    done(): number;
    /**
     * The distinct rows.
     */
    finish(): Table;
    /**
     * A job that has read no row yet.
     */
    constructor(table: Table);
    /**
     * Reads or copies about `rows` more rows; true at the end.
     */
    step(rows: number): boolean;
    /**
     * Rows to read and to copy, as far as they are known.
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
     * and the entropy of the certificate; NaN for what there is not.
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
 * What was measured: safe to publish.
 */
export class Measured {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * How many requests were answered.
     */
    length(): number;
    /**
     * The values of request `i`.
     */
    values(i: number): Float64Array;
}

/**
 * Measurements in the making.
 */
export class Measuring {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Adds the noise.
     */
    finish(): Measured;
    /**
     * Does about `work` units; true when the noise is next. How far it is depends on the rows, so nobody is told.
     */
    step(work: number): boolean;
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
 * The counts of candidates, which nobody can read.
 */
export class Prepared {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
}

/**
 * Counts in the making.
 */
export class Preparing {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * The sealed counts.
     */
    finish(): Prepared;
    /**
     * Does about `work` units; true at the end. How far it is depends on the rows, so nobody is told.
     */
    step(work: number): boolean;
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
     * For the `k` most informative pairs; without `k`, for the tree with the highest total.
     */
    constructor(answers: Answers, k?: number | null);
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
 * Reads private rows.
 */
export class SealedReader {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Reads a piece of the text.
     */
    push(bytes: Uint8Array | number[]): void;
}

/**
 * A selection in the making.
 */
export class Selecting {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * The cells that are answered.
     */
    done(): number;
    /**
     * What is selected: the place of a cell among all cells, or of a marginal.
     */
    finish(): number;
    /**
     * Takes public answers to the next cells, in records, and what else is public of them.
     */
    push(answers: Float64Array | number[], penalties?: Float64Array | number[] | null, weights?: Float64Array | number[] | null, mask?: Uint8Array | number[] | null): void;
    /**
     * Takes the same from answers that the engine holds: those to cells `from..to` of all cliques.
     */
    take(answers: Answers, from: number, to: number, penalties?: Float64Array | number[] | null, weights?: Float64Array | number[] | null, mask?: Uint8Array | number[] | null): void;
    /**
     * All cells.
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
     * A copy of the codes of an attribute, where they are wider than bytes.
     */
    codes16(attribute: number): Uint16Array | undefined;
    /**
     * A copy of the codes of an attribute, where they are bytes.
     */
    codes8(attribute: number): Uint8Array | undefined;
    /**
     * Number of rows.
     */
    rows(): number;
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
 * Reads text into codes.
 */
export class TableReader {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * The table, when all of the text was pushed.
     */
    finish(): Table;
    /**
     * A reader for the normal form of a schema, and options as JSON.
     */
    constructor(schema: string, options: string);
    /**
     * Reads a piece of the text.
     */
    push(bytes: Uint8Array | number[]): void;
}

/**
 * Writes a table as CSV.
 */
export class TableWriter {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * The next rows; empty at the end.
     */
    block(rows: number): Uint8Array;
    /**
     * The header line.
     */
    header(): Uint8Array;
    /**
     * A writer for a table, and options as JSON.
     */
    constructor(table: Table, options: string);
    /**
     * Rows written so far.
     */
    rows(): number;
}

/**
 * The public terms of marginals, each given once per marginal or not at all.
 */
export class Terms {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Factors, penalties in records, weights, and which take part (not 0).
     */
    constructor(factors?: Uint32Array | number[] | null, penalties?: Float64Array | number[] | null, weights?: Float64Array | number[] | null, mask?: Uint8Array | number[] | null);
}

/**
 * A private table that may not be read yet, and the account that is charged for what it answers.
 */
export class Vault {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Puts the rows in that a reader has read.
     */
    fill(reader: SealedReader): void;
    /**
     * Charges the account, of which `spent` was spent before by what the ledger says, and begins to measure in at
     * most `limit` bytes.
     */
    measure(requests: string, spent: string, limit: number): Measuring;
    /**
     * A vault for the normal form of a schema, and options as JSON.
     */
    constructor(schema: string, options: string);
    /**
     * Begins to count the candidates of selections, in at most `limit` bytes: the cliques `flat[starts[i]..starts[i + 1]]`.
     * What was counted before is ready at once.
     */
    prepare(flat: Uint16Array | number[], starts: Uint32Array | number[], limit: number): Preparing;
    /**
     * What requests cost together, in the currency of the budget, as a fraction. Refused is here all that would be
     * refused when they are measured, in at most `limit` bytes, but for what is left of the budget.
     */
    price(requests: string, limit: number): string;
    /**
     * A reader of the rows.
     */
    reader(): SealedReader;
    /**
     * Charges the account, of which `spent` was spent before by what the ledger says, and begins to
     * select.
     */
    select(prepared: Prepared, choice: string, terms: Terms | null | undefined, spent: string): Selecting;
    /**
     * What a choice among the cells or marginals of a workload costs, in the currency of the budget, as a fraction.
     * Refused is here all that would be refused when it is made, in at most `limit` bytes, but for public numbers that make
     * no sense, and for what is left of the budget.
     */
    selectionPrice(flat: Uint16Array | number[], starts: Uint32Array | number[], choice: string, terms: Terms | null | undefined, limit: number): string;
    /**
     * What was spent in all, as a fraction.
     */
    spent(): string;
    /**
     * The exact variance of the noise of each request.
     */
    variances(requests: string): Float64Array;
}

/**
 * Begins a call whose memory nobody may be told of, and which may take so many bytes for private rows in all.
 */
export function enterPrivate(most: number): void;

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
 * The bytes that are allocated now, without those for private rows; within a private call, those alone.
 */
export function memoryUsed(): number;

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
 * Sets the bytes beyond which large allocations fail with `OUT_OF_MEMORY`.
 */
export function setMemoryLimit(bytes: number): void;

export type InitInput = RequestInfo | URL | Response | BufferSource | WebAssembly.Module;

export interface InitOutput {
    readonly memory: WebAssembly.Memory;
    readonly __wbg_answerjob_free: (a: number, b: number) => void;
    readonly __wbg_answers_free: (a: number, b: number) => void;
    readonly __wbg_checkreader_free: (a: number, b: number) => void;
    readonly __wbg_columnreader_free: (a: number, b: number) => void;
    readonly __wbg_countjob_free: (a: number, b: number) => void;
    readonly __wbg_designjob_free: (a: number, b: number) => void;
    readonly __wbg_distinctjob_free: (a: number, b: number) => void;
    readonly __wbg_estimated_free: (a: number, b: number) => void;
    readonly __wbg_estimatejob_free: (a: number, b: number) => void;
    readonly __wbg_measured_free: (a: number, b: number) => void;
    readonly __wbg_measuring_free: (a: number, b: number) => void;
    readonly __wbg_model_free: (a: number, b: number) => void;
    readonly __wbg_poolingjob_free: (a: number, b: number) => void;
    readonly __wbg_prepared_free: (a: number, b: number) => void;
    readonly __wbg_preparing_free: (a: number, b: number) => void;
    readonly __wbg_priorbase_free: (a: number, b: number) => void;
    readonly __wbg_priorjob_free: (a: number, b: number) => void;
    readonly __wbg_rankjob_free: (a: number, b: number) => void;
    readonly __wbg_recordsjob_free: (a: number, b: number) => void;
    readonly __wbg_sealedreader_free: (a: number, b: number) => void;
    readonly __wbg_selecting_free: (a: number, b: number) => void;
    readonly __wbg_table_free: (a: number, b: number) => void;
    readonly __wbg_tablereader_free: (a: number, b: number) => void;
    readonly __wbg_tablewriter_free: (a: number, b: number) => void;
    readonly __wbg_terms_free: (a: number, b: number) => void;
    readonly __wbg_vault_free: (a: number, b: number) => void;
    readonly answerjob_done: (a: number) => number;
    readonly answerjob_finish: (a: number) => [number, number, number];
    readonly answerjob_new: (a: number, b: number, c: number, d: number, e: number, f: number) => [number, number, number];
    readonly answerjob_step: (a: number, b: number) => [number, number, number];
    readonly answerjob_total: (a: number) => number;
    readonly answers_block: (a: number, b: number, c: number) => [number, number, number, number];
    readonly answers_clique: (a: number, b: number) => [number, number, number, number];
    readonly answers_flat: (a: number) => [number, number, number, number];
    readonly answers_nonzero: (a: number, b: number) => [number, number, number, number];
    readonly checkreader_finish: (a: number) => [number, number, number, number];
    readonly checkreader_new: (a: number, b: number, c: number, d: number) => [number, number, number];
    readonly checkreader_push: (a: number, b: number, c: number) => [number, number];
    readonly columnreader_finish: (a: number) => number;
    readonly columnreader_new: (a: number, b: number, c: number, d: number, e: number, f: number) => [number, number, number];
    readonly columnreader_push: (a: number, b: number, c: number, d: number) => [number, number];
    readonly countjob_done: (a: number) => number;
    readonly countjob_finish: (a: number) => [number, number, number];
    readonly countjob_new: (a: number, b: number, c: number, d: number, e: number, f: number) => [number, number, number];
    readonly countjob_step: (a: number, b: number) => [number, number, number];
    readonly countjob_total: (a: number) => number;
    readonly designjob_done: (a: number) => number;
    readonly designjob_finish: (a: number) => [number, number, number, number];
    readonly designjob_new: (a: number, b: number, c: number, d: number) => [number, number, number];
    readonly designjob_step: (a: number, b: number) => [number, number, number];
    readonly designjob_total: (a: number) => number;
    readonly distinctjob_done: (a: number) => number;
    readonly distinctjob_finish: (a: number) => [number, number, number];
    readonly distinctjob_new: (a: number) => [number, number, number];
    readonly distinctjob_step: (a: number, b: number) => [number, number, number];
    readonly distinctjob_total: (a: number) => number;
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
    readonly leavePrivate: () => void;
    readonly measured_length: (a: number) => number;
    readonly measured_values: (a: number, b: number) => [number, number];
    readonly measuring_finish: (a: number) => [number, number, number];
    readonly measuring_step: (a: number, b: number) => [number, number, number];
    readonly memoryLimit: () => number;
    readonly memoryOfAll: () => number;
    readonly memoryUsed: () => number;
    readonly model_effectiveSize: (a: number, b: number) => [number, number, number];
    readonly model_ofPrior: (a: number, b: number) => [number, number, number];
    readonly model_relativeEntropy: (a: number) => [number, number, number];
    readonly model_rows: (a: number) => number;
    readonly model_table: (a: number) => [number, number, number];
    readonly model_weights: (a: number) => [number, number, number, number];
    readonly poolStart: (a: number) => [number, number];
    readonly poolWork: () => void;
    readonly poolingjob_alpha: (a: number) => number;
    readonly poolingjob_done: (a: number) => number;
    readonly poolingjob_finish: (a: number) => [number, number, number];
    readonly poolingjob_new: (a: number, b: number, c: number) => [number, number, number];
    readonly poolingjob_step: (a: number, b: number) => [number, number, number];
    readonly poolingjob_total: (a: number) => number;
    readonly preparing_finish: (a: number) => [number, number, number];
    readonly preparing_step: (a: number, b: number) => [number, number, number];
    readonly priorbase_new: (a: number) => [number, number, number];
    readonly priorbase_rows: (a: number) => number;
    readonly priorbase_weight: (a: number) => number;
    readonly priorjob_done: (a: number) => number;
    readonly priorjob_finish: (a: number) => [number, number, number];
    readonly priorjob_new: (a: number, b: number, c: number) => [number, number, number];
    readonly priorjob_step: (a: number, b: number) => [number, number, number];
    readonly priorjob_total: (a: number) => number;
    readonly rankjob_done: (a: number) => number;
    readonly rankjob_finish: (a: number) => [number, number, number, number];
    readonly rankjob_new: (a: number, b: number) => [number, number, number];
    readonly rankjob_step: (a: number, b: number) => [number, number, number];
    readonly rankjob_total: (a: number) => number;
    readonly recordsjob_done: (a: number) => number;
    readonly recordsjob_finish: (a: number) => [number, number, number];
    readonly recordsjob_new: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number, i: number, j: number, k: number, l: number) => [number, number, number];
    readonly recordsjob_step: (a: number, b: number) => [number, number, number];
    readonly recordsjob_total: (a: number) => number;
    readonly sealedreader_push: (a: number, b: number, c: number) => [number, number];
    readonly selecting_done: (a: number) => number;
    readonly selecting_finish: (a: number) => [number, number, number];
    readonly selecting_push: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number, i: number) => [number, number];
    readonly selecting_take: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number, i: number, j: number) => [number, number];
    readonly selecting_total: (a: number) => number;
    readonly setMemoryLimit: (a: number) => void;
    readonly table_codes16: (a: number, b: number) => [number, number, number, number];
    readonly table_codes8: (a: number, b: number) => [number, number, number, number];
    readonly table_rows: (a: number) => number;
    readonly table_weighted: (a: number) => number;
    readonly table_weights: (a: number) => [number, number, number, number];
    readonly tablereader_finish: (a: number) => [number, number, number];
    readonly tablereader_new: (a: number, b: number, c: number, d: number) => [number, number, number];
    readonly tablereader_push: (a: number, b: number, c: number) => [number, number];
    readonly tablewriter_block: (a: number, b: number) => [number, number, number, number];
    readonly tablewriter_header: (a: number) => [number, number];
    readonly tablewriter_new: (a: number, b: number, c: number) => [number, number, number];
    readonly tablewriter_rows: (a: number) => number;
    readonly terms_new: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number) => number;
    readonly vault_fill: (a: number, b: number) => [number, number];
    readonly vault_measure: (a: number, b: number, c: number, d: number, e: number, f: number) => [number, number, number];
    readonly vault_new: (a: number, b: number, c: number, d: number) => [number, number, number];
    readonly vault_prepare: (a: number, b: number, c: number, d: number, e: number, f: number) => [number, number, number];
    readonly vault_price: (a: number, b: number, c: number, d: number) => [number, number, number, number];
    readonly vault_reader: (a: number) => [number, number, number];
    readonly vault_select: (a: number, b: number, c: number, d: number, e: number, f: number, g: number) => [number, number, number];
    readonly vault_selectionPrice: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number, i: number) => [number, number, number, number];
    readonly vault_spent: (a: number) => [number, number];
    readonly vault_variances: (a: number, b: number, c: number) => [number, number, number, number];
    readonly __wbindgen_malloc: (a: number, b: number) => number;
    readonly __wbindgen_realloc: (a: number, b: number, c: number, d: number) => number;
    readonly __wbindgen_free: (a: number, b: number, c: number) => void;
    readonly __wbindgen_exn_store: (a: number) => void;
    readonly __externref_table_alloc: () => number;
    readonly __wbindgen_externrefs: WebAssembly.Table;
    readonly __externref_table_dealloc: (a: number) => void;
    readonly __externref_drop_slice: (a: number, b: number) => void;
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

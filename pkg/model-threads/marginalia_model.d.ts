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
    /**
     * Ranks pairs: for the `k` most informative ones; without `k`, for the tree with the highest total.
     */
    rank(k?: number | null): RankJob;
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
 * The bytes that are allocated in this module alone, without those for private rows.
 */
export function memoryOwn(): number;

/**
 * The bytes that are allocated now, here and beside, without those for private rows; within a private call, those alone.
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
    readonly __wbg_designjob_free: (a: number, b: number) => void;
    readonly __wbg_estimated_free: (a: number, b: number) => void;
    readonly __wbg_estimatejob_free: (a: number, b: number) => void;
    readonly __wbg_model_free: (a: number, b: number) => void;
    readonly __wbg_poolingjob_free: (a: number, b: number) => void;
    readonly __wbg_priorbase_free: (a: number, b: number) => void;
    readonly __wbg_priorjob_free: (a: number, b: number) => void;
    readonly __wbg_rankjob_free: (a: number, b: number) => void;
    readonly __wbg_recordsjob_free: (a: number, b: number) => void;
    readonly __wbg_table_free: (a: number, b: number) => void;
    readonly __wbg_tablecopy_free: (a: number, b: number) => void;
    readonly answerjob_done: (a: number) => number;
    readonly answerjob_finish: (a: number) => [number, number, number];
    readonly answerjob_new: (a: number, b: number, c: number, d: number, e: number, f: number) => [number, number, number];
    readonly answerjob_step: (a: number, b: number) => [number, number, number];
    readonly answerjob_total: (a: number) => number;
    readonly answers_block: (a: number, b: number, c: number) => [number, number, number, number];
    readonly answers_clique: (a: number, b: number) => [number, number, number, number];
    readonly answers_flat: (a: number) => [number, number, number, number];
    readonly answers_nonzero: (a: number, b: number) => [number, number, number, number];
    readonly answers_rank: (a: number, b: number) => [number, number, number];
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
    readonly leavePrivate: () => void;
    readonly memoryLimit: () => number;
    readonly memoryOfAll: () => number;
    readonly memoryOwn: () => number;
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
    readonly rankjob_step: (a: number, b: number) => [number, number, number];
    readonly rankjob_total: (a: number) => number;
    readonly recordsjob_done: (a: number) => number;
    readonly recordsjob_finish: (a: number) => [number, number, number];
    readonly recordsjob_new: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number, i: number, j: number, k: number, l: number) => [number, number, number];
    readonly recordsjob_step: (a: number, b: number) => [number, number, number];
    readonly recordsjob_total: (a: number) => number;
    readonly setMemoryBeside: (a: number) => void;
    readonly setMemoryLimit: (a: number) => void;
    readonly table_attributes: (a: number) => number;
    readonly table_codes16: (a: number, b: number) => [number, number, number, number];
    readonly table_codes8: (a: number, b: number) => [number, number, number, number];
    readonly table_raw: (a: number) => [number, number];
    readonly table_rawStarts: (a: number, b: number) => [number, number, number, number];
    readonly table_rawSums: (a: number, b: number) => [number, number, number, number];
    readonly table_rawValues: (a: number, b: number) => [number, number, number, number];
    readonly table_rows: (a: number) => number;
    readonly table_schema: (a: number) => [number, number];
    readonly table_weighted: (a: number) => number;
    readonly table_weights: (a: number) => [number, number, number, number];
    readonly tablecopy_codes16: (a: number, b: number, c: number) => [number, number];
    readonly tablecopy_codes8: (a: number, b: number, c: number) => [number, number];
    readonly tablecopy_finish: (a: number) => [number, number, number];
    readonly tablecopy_new: (a: number, b: number, c: number) => [number, number, number];
    readonly tablecopy_raw: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number) => [number, number];
    readonly tablecopy_weights: (a: number, b: number, c: number) => [number, number];
    readonly __wbindgen_externrefs: WebAssembly.Table;
    readonly __externref_table_dealloc: (a: number) => void;
    readonly __wbindgen_malloc: (a: number, b: number) => number;
    readonly __wbindgen_free: (a: number, b: number, c: number) => void;
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

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
     * Rows with what is missing drawn: the codes of each attribute that is not derived, one after another, −1 where one is missing;
     * in at most `limit` bytes.
     */
    complete(codes: Int32Array | number[], method: string, digits: string, limit: number): Job<Table>;
    /**
     * What it is given by.
     */
    form(): ModelForm;
    /**
     * Its kind.
     */
    kind(): string;
    /**
     * The part that meets a condition: attributes, and whether each of their codes is meant. Nothing where no record
     * can meet it.
     */
    part(attributes: Uint16Array | number[], allowed: Uint8Array | number[]): Model | undefined;
    /**
     * The answers to products of queries, which are the rows of a matrix of each of some attributes: of all combinations where they
     * are `combined`, in at most `limit` bytes.
     */
    products(attributes: Uint16Array | number[], rows: Float64Array | number[], starts: Uint32Array | number[], combined: boolean, limit: number): Job<Float64Array<ArrayBuffer>>;
    /**
     * So many records. `flat` and `starts` are the tables that controlled rounding keeps, `digits` the seed.
     */
    records(records: number, method: string, flat: Uint16Array | number[], starts: Uint32Array | number[], digits: string): Job<Table>;
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
     * The number of records.
     */
    total(): number;
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
     * A copy of a prior: its rows with their shares, and the sum of its weights.
     */
    static ofShares(table: Table, weight: number): PriorBase;
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
 * Refuses rules that contradict each other, with their names.
 */
export function checkRules(schema: string, list: string, limit: number): void;

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
 * What a model of some cliques takes, as JSON: clique `i` is `attributes[starts[i]..starts[i + 1]]`.
 */
export function sizeOf(schema: string, attributes: Uint16Array | number[], starts: Uint32Array | number[]): string;

export type InitInput = RequestInfo | URL | Response | BufferSource | WebAssembly.Module;

export interface InitOutput {
    readonly memory: WebAssembly.Memory;
    readonly __wbg_answers_free: (a: number, b: number) => void;
    readonly __wbg_estimate_free: (a: number, b: number) => void;
    readonly __wbg_estimatejob_free: (a: number, b: number) => void;
    readonly __wbg_job_free: (a: number, b: number) => void;
    readonly __wbg_model_free: (a: number, b: number) => void;
    readonly __wbg_modelform_free: (a: number, b: number) => void;
    readonly __wbg_priorbase_free: (a: number, b: number) => void;
    readonly __wbg_rankjob_free: (a: number, b: number) => void;
    readonly __wbg_smallproblem_free: (a: number, b: number) => void;
    readonly __wbg_table_free: (a: number, b: number) => void;
    readonly __wbg_tablecopy_free: (a: number, b: number) => void;
    readonly answers_block: (a: number, b: number, c: number) => [number, number, number, number];
    readonly answers_cells: (a: number) => [number, number];
    readonly answers_held: (a: number, b: number) => [number, number, number];
    readonly answers_nonzero: (a: number, b: number, c: number, d: number) => [number, number, number, number];
    readonly answers_place: (a: number, b: number) => [number, number, number, number];
    readonly answers_rank: (a: number, b: number) => [number, number, number];
    readonly checkRules: (a: number, b: number, c: number, d: number, e: number) => [number, number];
    readonly enterPrivate: (a: number) => void;
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
    readonly model_answer: (a: number, b: number, c: number, d: number, e: number, f: number) => [number, number, number];
    readonly model_asPrior: (a: number, b: number) => [number, number, number];
    readonly model_complete: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number) => [number, number, number];
    readonly model_form: (a: number) => [number, number, number];
    readonly model_kind: (a: number) => [number, number];
    readonly model_part: (a: number, b: number, c: number, d: number, e: number) => [number, number, number];
    readonly model_products: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number, i: number) => [number, number, number];
    readonly model_records: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number, i: number, j: number) => [number, number, number];
    readonly model_size: (a: number) => number;
    readonly model_standardErrors: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number, i: number, j: number, k: number, l: number) => [number, number, number];
    readonly model_total: (a: number) => number;
    readonly modelform_flat: (a: number) => [number, number];
    readonly modelform_starts: (a: number) => [number, number];
    readonly modelform_values: (a: number) => [number, number];
    readonly priorbase_new: (a: number) => [number, number, number];
    readonly priorbase_ofShares: (a: number, b: number) => [number, number, number];
    readonly priorbase_rows: (a: number) => number;
    readonly priorbase_weight: (a: number) => number;
    readonly rankjob_done: (a: number) => number;
    readonly rankjob_finish: (a: number) => [number, number, number, number];
    readonly rankjob_step: (a: number, b: number) => [number, number, number];
    readonly rankjob_total: (a: number) => number;
    readonly restoreModel: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number, i: number, j: number, k: number, l: number) => [number, number, number];
    readonly restoreModelOn: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number, i: number, j: number, k: number) => [number, number, number];
    readonly setMemoryBeside: (a: number) => void;
    readonly setMemoryLimit: (a: number) => void;
    readonly sizeOf: (a: number, b: number, c: number, d: number, e: number, f: number) => [number, number, number, number];
    readonly smallproblem_answers: (a: number) => [number, number];
    readonly smallproblem_cells: (a: number) => [number, number];
    readonly smallproblem_prior: (a: number) => [number, number];
    readonly smallproblem_required: (a: number) => number;
    readonly smallproblem_sizes: (a: number) => [number, number];
    readonly smallproblem_target: (a: number) => [number, number];
    readonly smallproblem_tolerance: (a: number) => number;
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

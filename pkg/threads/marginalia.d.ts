/* tslint:disable */
/* eslint-disable */

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
 * Looks for rows that do not fit a schema.
 */
export class CheckReader {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * The number of records, and of those that hold line ends; then for each place how many records are wrong there, how many
     * are named, and those: records that are no rows, by reason, and for each attribute values outside and absent ones.
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
     * Gives the values of request `i` away.
     */
    take(i: number): Float64Array;
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
 * A table that is put together from codes.
 */
export class TableRestorer {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * The table.
     */
    finish(): Table;
    /**
     * A table with weights and without rows, for the normal form of a schema.
     */
    constructor(schema: string);
    /**
     * Puts raw numbers beside the rows that are there.
     */
    number(attribute: number, numbers: Float64Array | number[], counts: Uint32Array | number[], sums: Float64Array | number[]): void;
    /**
     * Appends rows: the codes of one attribute after another, and a weight for each row.
     */
    push(codes: Uint16Array | number[], weights: Float64Array | number[]): void;
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
     * What was counted before is ready at once. `among`: some of their cells alone, by their places among all.
     */
    prepare(flat: Uint16Array | number[], starts: Uint32Array | number[], among: Uint32Array | number[] | null | undefined, limit: number): Preparing;
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
    selectionPrice(flat: Uint16Array | number[], starts: Uint32Array | number[], among: Uint32Array | number[] | null | undefined, choice: string, terms: Terms | null | undefined, limit: number): string;
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
 * The bytes that are allocated in this module alone, without those for private rows.
 */
export function memoryOwn(): number;

/**
 * The bytes that are allocated now, here and beside, without those for private rows; within a private call, those alone.
 */
export function memoryUsed(): number;

/**
 * Tells the keys of this instance from those of others in the process, before and beside it.
 */
export function nameInstance(name: string): void;

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
    readonly __wbg_answers_free: (a: number, b: number) => void;
    readonly __wbg_checkreader_free: (a: number, b: number) => void;
    readonly __wbg_columnreader_free: (a: number, b: number) => void;
    readonly __wbg_countjob_free: (a: number, b: number) => void;
    readonly __wbg_distinctjob_free: (a: number, b: number) => void;
    readonly __wbg_measured_free: (a: number, b: number) => void;
    readonly __wbg_measuring_free: (a: number, b: number) => void;
    readonly __wbg_prepared_free: (a: number, b: number) => void;
    readonly __wbg_preparing_free: (a: number, b: number) => void;
    readonly __wbg_rankjob_free: (a: number, b: number) => void;
    readonly __wbg_sealedreader_free: (a: number, b: number) => void;
    readonly __wbg_selecting_free: (a: number, b: number) => void;
    readonly __wbg_table_free: (a: number, b: number) => void;
    readonly __wbg_tablecopy_free: (a: number, b: number) => void;
    readonly __wbg_tablereader_free: (a: number, b: number) => void;
    readonly __wbg_tablerestorer_free: (a: number, b: number) => void;
    readonly __wbg_tablewriter_free: (a: number, b: number) => void;
    readonly __wbg_terms_free: (a: number, b: number) => void;
    readonly __wbg_vault_free: (a: number, b: number) => void;
    readonly answers_block: (a: number, b: number, c: number) => [number, number, number, number];
    readonly answers_cells: (a: number) => [number, number];
    readonly answers_held: (a: number, b: number) => [number, number, number];
    readonly answers_nonzero: (a: number, b: number, c: number, d: number) => [number, number, number, number];
    readonly answers_place: (a: number, b: number) => [number, number, number, number];
    readonly answers_rank: (a: number, b: number) => [number, number, number];
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
    readonly distinctjob_done: (a: number) => number;
    readonly distinctjob_finish: (a: number) => [number, number, number];
    readonly distinctjob_new: (a: number) => [number, number, number];
    readonly distinctjob_step: (a: number, b: number) => [number, number, number];
    readonly distinctjob_total: (a: number) => number;
    readonly enterPrivate: (a: number) => void;
    readonly leavePrivate: () => void;
    readonly measured_length: (a: number) => number;
    readonly measured_take: (a: number, b: number) => [number, number];
    readonly measuring_finish: (a: number) => [number, number, number];
    readonly measuring_step: (a: number, b: number) => [number, number, number];
    readonly memoryLimit: () => number;
    readonly memoryOfAll: () => number;
    readonly memoryOwn: () => number;
    readonly memoryUsed: () => number;
    readonly nameInstance: (a: number, b: number) => void;
    readonly poolStart: (a: number) => [number, number];
    readonly poolWork: () => void;
    readonly preparing_finish: (a: number) => [number, number, number];
    readonly preparing_step: (a: number, b: number) => [number, number, number];
    readonly rankjob_done: (a: number) => number;
    readonly rankjob_finish: (a: number) => [number, number, number, number];
    readonly rankjob_step: (a: number, b: number) => [number, number, number];
    readonly rankjob_total: (a: number) => number;
    readonly sealedreader_push: (a: number, b: number, c: number) => [number, number];
    readonly selecting_done: (a: number) => number;
    readonly selecting_finish: (a: number) => [number, number, number];
    readonly selecting_push: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number, i: number) => [number, number];
    readonly selecting_total: (a: number) => number;
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
    readonly table_share: (a: number) => number;
    readonly table_weighted: (a: number) => number;
    readonly table_weights: (a: number) => [number, number, number, number];
    readonly tablecopy_codes16: (a: number, b: number, c: number) => [number, number];
    readonly tablecopy_codes8: (a: number, b: number, c: number) => [number, number];
    readonly tablecopy_finish: (a: number) => [number, number, number];
    readonly tablecopy_new: (a: number, b: number, c: number) => [number, number, number];
    readonly tablecopy_raw: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number) => [number, number];
    readonly tablecopy_weights: (a: number, b: number, c: number) => [number, number];
    readonly tablereader_finish: (a: number) => [number, number, number];
    readonly tablereader_new: (a: number, b: number, c: number, d: number) => [number, number, number];
    readonly tablereader_push: (a: number, b: number, c: number) => [number, number];
    readonly tablerestorer_finish: (a: number) => number;
    readonly tablerestorer_new: (a: number, b: number) => [number, number, number];
    readonly tablerestorer_number: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number) => [number, number];
    readonly tablerestorer_push: (a: number, b: number, c: number, d: number, e: number) => [number, number];
    readonly tablewriter_block: (a: number, b: number) => [number, number, number, number];
    readonly tablewriter_header: (a: number) => [number, number];
    readonly tablewriter_new: (a: number, b: number, c: number) => [number, number, number];
    readonly tablewriter_rows: (a: number) => number;
    readonly terms_new: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number) => number;
    readonly vault_fill: (a: number, b: number) => [number, number];
    readonly vault_measure: (a: number, b: number, c: number, d: number, e: number, f: number) => [number, number, number];
    readonly vault_new: (a: number, b: number, c: number, d: number) => [number, number, number];
    readonly vault_prepare: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number) => [number, number, number];
    readonly vault_price: (a: number, b: number, c: number, d: number) => [number, number, number, number];
    readonly vault_reader: (a: number) => [number, number, number];
    readonly vault_select: (a: number, b: number, c: number, d: number, e: number, f: number, g: number) => [number, number, number];
    readonly vault_selectionPrice: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number, i: number, j: number, k: number) => [number, number, number, number];
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

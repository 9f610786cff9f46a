/* tslint:disable */
/* eslint-disable */

/**
 * A finished estimate.
 */
export class Estimate {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Loss, its gap, entropy, its gap, the relative gap, the loss of cells without support, iterations.
     */
    figures(): Float64Array;
    /**
     * A copy of the masses of the rows.
     */
    q(): Float64Array;
    /**
     * Why no distribution meets the answers, if so.
     */
    reason(): string | undefined;
    /**
     * `converged`, `limit` or `infeasible`.
     */
    status(): string;
    /**
     * A copy of the duals of the cells.
     */
    u(): Float64Array;
}

/**
 * How it is solved.
 */
export class Settings {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * `target` is `loss`, `lp` or `answers`.
     */
    constructor(target: string, tolerance: number, iterations: number);
}

/**
 * A two-stage estimate in the making.
 */
export class TwoStageJob {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Stages done.
     */
    done(): number;
    /**
     * The estimate, solving what is left.
     */
    finish(): Estimate;
    /**
     * Marginal `i` has `sizes[i]` cells; `cells` holds the cell of each row, marginal after marginal.
     */
    constructor(sizes: Uint32Array | number[], cells: Uint32Array | number[], prior: Float64Array | number[], answers: Float64Array | number[], weights: Float64Array | number[] | null | undefined, settings: Settings);
    /**
     * Solves the next stage; true at the end. A stage that the watcher ended starts again with the next step.
     */
    step(watcher: (iteration: number) => boolean): boolean;
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
    readonly __wbg_estimate_free: (a: number, b: number) => void;
    readonly __wbg_settings_free: (a: number, b: number) => void;
    readonly __wbg_twostagejob_free: (a: number, b: number) => void;
    readonly enterPrivate: (a: number) => void;
    readonly estimate_figures: (a: number) => [number, number];
    readonly estimate_q: (a: number) => [number, number];
    readonly estimate_reason: (a: number) => [number, number];
    readonly estimate_status: (a: number) => [number, number];
    readonly estimate_u: (a: number) => [number, number];
    readonly leavePrivate: () => void;
    readonly memoryLimit: () => number;
    readonly memoryOfAll: () => number;
    readonly memoryOwn: () => number;
    readonly memoryUsed: () => number;
    readonly setMemoryBeside: (a: number) => void;
    readonly setMemoryLimit: (a: number) => void;
    readonly settings_new: (a: number, b: number, c: number, d: number) => [number, number, number];
    readonly twostagejob_done: (a: number) => number;
    readonly twostagejob_finish: (a: number) => number;
    readonly twostagejob_new: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number, i: number, j: number, k: number) => [number, number, number];
    readonly twostagejob_step: (a: number, b: any) => number;
    readonly __externref_table_alloc: () => number;
    readonly __wbindgen_externrefs: WebAssembly.Table;
    readonly __wbindgen_free: (a: number, b: number, c: number) => void;
    readonly __wbindgen_malloc: (a: number, b: number) => number;
    readonly __wbindgen_realloc: (a: number, b: number, c: number, d: number) => number;
    readonly __externref_table_dealloc: (a: number) => void;
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

import type * as lp from "../../pkg/lp/marginalia_lp.js";
import type * as glue from "../../pkg/simd/marginalia.js";

/** The generated bindings, of the build without threads. */
export type Raw = Omit<typeof glue, "default" | "initSync"> & {
  initSync(options: { module: WebAssembly.Module; memory?: WebAssembly.Memory | undefined }): unknown;
};

/** What the build with threads has on top. */
export interface RawPool {
  poolStart(threads: number): void;
  poolWork(): void;
}

/**
 * Makes fresh bindings. The generated module keeps its instance in module scope and so can never have a second
 * one; the bundler wraps it into a function (`bundles.config.ts`), so that an engine can follow a broken one.
 */
export type CreateRaw = () => Raw & Partial<RawPool>;

/** The generated bindings of the exact two-stage estimate, which never uses threads. */
export type RawLp = Omit<typeof lp, "default" | "initSync"> & {
  initSync(options: { module: WebAssembly.Module }): unknown;
};

export type CreateRawLp = () => RawLp;

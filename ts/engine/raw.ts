import type * as graph from "../../pkg/graph/marginalia_graph.js";
import type * as lp from "../../pkg/lp/marginalia_lp.js";
import type * as model from "../../pkg/model-simd/marginalia_model.js";
import type * as glue from "../../pkg/simd/marginalia.js";

interface Start {
  initSync(options: { module: WebAssembly.Module; memory?: WebAssembly.Memory | undefined }): unknown;
}

/** The generated bindings of the core, of the build without threads. */
export type Raw = Omit<typeof glue, "default" | "initSync"> & Start;

/** Those of the module for models. */
export type RawModel = Omit<typeof model, "default" | "initSync"> & Start;

/** Those of the module for graphical models, which has but one build. */
export type RawGraph = Omit<typeof graph, "default" | "initSync"> & Start;

/** The modules beside the core that have models: all they hold counts with it. */
export interface Parts {
  model: RawModel;
  graph: RawGraph;
}
export type PartName = keyof Parts;

/** What builds with threads have on top. */
export interface RawPool {
  poolStart(threads: number): void;
  poolWork(): void;
}

/**
 * Makes fresh bindings. The generated module keeps its instance in module scope and so can never have a second
 * one; the bundler wraps it into a function (`bundles.config.ts`), so that an engine can follow a broken one.
 */
export type CreateRaw = () => Raw & Partial<RawPool>;
export type CreateRawModel = () => RawModel & Partial<RawPool>;

export type CreateRawGraph = () => RawGraph & Partial<RawPool>;

/** What a worker can make: bindings of the core in one build, and of the modules with models in those that go with it. */
export interface Glue {
  core: CreateRaw;
  model: { simd: CreateRawModel; threads?: CreateRawModel };
  graph: { simd: CreateRawGraph; threads?: CreateRawGraph };
}

/** The generated bindings of the exact two-stage estimate, which never uses threads. */
export type RawLp = Omit<typeof lp, "default" | "initSync"> & {
  initSync(options: { module: WebAssembly.Module }): unknown;
};

export type CreateRawLp = () => RawLp;

/** What the tests use of the benchmarks' modules, which are plain JavaScript. */

import type { Measurement, Prior, Table } from "marginalia";

export interface Contender {
  name: string;
  threads: number;
  command: string;
  args: string[];
  options?: Record<string, unknown>;
  build?: () => Promise<unknown>;
}

export interface Work {
  contenders: Contender[];
  small?: { task: object; expected: number[] };
  task: object;
  total: number;
  rounds: number;
  units: number;
}

export interface Result {
  contender: string;
  status: "measured" | "not run";
  reason?: string;
  repeats: number[];
  median: number;
  parts?: Record<string, number>;
}

export interface Case extends Work {
  name: string;
  rows: number;
}

interface Scenario {
  cases(mode: string, folder: string): AsyncGenerator<Case>;
}

export interface Line {
  key: string;
  ratio: number;
  low: number;
  high: number;
  verdict: string;
}

/** A study of real data: what its tables and workloads are is nobody's business here. */
export interface Study {
  before: Table;
}

export interface Run {
  way: string;
  epsilon: number;
  seed: number;
  status: string;
  seconds: number;
  workload?: number;
  pairs?: number;
}

type Errors = Pick<Run, "workload" | "pairs">;

interface Claim {
  claim: string;
  epsilon: number;
  holds: boolean;
  figures: Record<string, number>;
}

export interface Modules {
  "lib/stats.mjs": {
    quantile(values: number[], p: number): number;
    ratioInterval(a: number[], b: number[]): { ratio: number; low: number; high: number };
  };
  "lib/data.mjs": {
    sizesOf(attributes: number): number[];
    columns(sizes: number[], rows: number): Uint8Array[];
    labels(sizes: number[]): string[][];
    pairs(count: number): [number, number][];
    writeCsv(path: string, table: Uint8Array[], texts: string[][]): Promise<void>;
    writeColumns(path: string, table: Uint8Array[]): Promise<void>;
    readColumns(path: string, count: number): Promise<Uint8Array[]>;
  };
  "lib/plain.mjs": { countPairs(columns: Uint8Array[], sizes: number[]): Uint32Array[] };
  "lib/results.mjs": { superseded(results: Record<string, object>): string[] };
  "lib/harness.mjs": { runCase(work: Work): Promise<Result[]> };
  "scenarios/count.mjs": { count: Scenario };
  "scenarios/read.mjs": { read: Scenario };
  "scenarios/step.mjs": { step: Scenario };
  "lib/linear.mjs": {
    linear(rows: number, cells: number): { columns: number[][]; supported: number };
    queries(task: object): { rows: number[]; answer: number }[];
  };
  "lib/study.mjs": {
    studiesIn(folder: string | undefined): string[];
    study(api: object, folder: string, name: string): Promise<Study>;
    measured(api: object, study: Study, epsilon: number, seed: number): Measurement[];
  };
  "lib/estimates.mjs": {
    priorsOf(api: object, study: Study): Promise<Record<string, Prior>>;
    errors(study: Study, answering: Table): Promise<Errors>;
    tried(
      api: object,
      study: Study,
      way: string,
      priors: Record<string, Prior>,
      measurements: Measurement[],
      seed: number,
    ): Promise<Omit<Run, "way" | "epsilon" | "seed">>;
  };
  "lib/claims.mjs": {
    summary(values: number[]): { mean: number; error: number; runs: number };
    claims(report: { runs: Run[]; untouched: Errors; epsilons: number[] }, what: string): Claim[];
  };
  "compare.mjs": {
    compare(before: unknown, after: unknown): Line[];
    unmatched(before: unknown, after: unknown): { before: string[]; after: string[] };
  };
}

/** One of the benchmarks' modules. */
export async function load<Name extends keyof Modules>(name: Name): Promise<Modules[Name]> {
  return (await import(new URL(`../../bench/${name}`, import.meta.url).href)) as Modules[Name];
}

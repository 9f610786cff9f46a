import { sha256 } from "../../bytes.js";
import { call } from "../../engine/index.js";
import type { Model } from "../../estimate/model.js";
import type { SupportModel } from "../../estimate/support.js";
import { measurementsToBytes } from "../../measurements.js";
import type { LedgerJson } from "../../privacy/ledger/print.js";
import { doubles, writeNumbers } from "../../tables/numbers.js";
import { packedCodes, writtenRaw } from "../../tables/packed.js";
import type { CallSettings } from "../../tables/read.js";
import type { Schema } from "../../tables/schema.js";
import type { Table } from "../../tables/table.js";
import { writeTo } from "../../tables/target.js";
import type { Workload } from "../../tables/workload.js";
import type { WriteTarget } from "../../tables/write.js";
import type { ModelledParts } from "../kit/modelled.js";
import type { PlanJson } from "../kit/plan.js";
import type { Printable } from "../kit/release.js";
import { type Sections, VERSION, written } from "./container.js";
import type { CommonHeader, FlatHeader, SectionName } from "./header.js";

type Modelled<S extends Schema> = ModelledParts<S, PlanJson, Printable<PlanJson>, Printable<LedgerJson>>;

/** See `Release.save`. */
export async function saved(
  bytes: () => Promise<Uint8Array<ArrayBuffer>>,
  target: WriteTarget,
): Promise<void> {
  // A stream may fail while the bytes are made: without a listener that would end the process.
  if (typeof target === "object" && target !== null && "once" in target) target.once("error", () => {});
  const blob = new Blob([await bytes()]);
  const stream = (): ReadableStream<Uint8Array> => blob.stream();
  const zipped = () =>
    stream().pipeThrough(new CompressionStream("gzip") as never) as ReadableStream<Uint8Array>;
  await writeTo(({ gzip }) => (gzip ? zipped() : stream()), target, {});
}

/** See `Release.toBytes`. Nothing is asked of a sealed table, and the parts hold none. */
export async function bytesOf<S extends Schema>(
  parts: Modelled<S>,
  { signal, onProgress }: CallSettings,
): Promise<Uint8Array<ArrayBuffer>> {
  const { model, measurements, report } = parts;
  const copy = { ...(signal && { signal }) };
  const steps = 5;
  const tell = (done: number) => onProgress?.({ done, total: steps });
  const { head, sections } = await common({ ...parts, schema: model.schema }, copy, tell);
  const form = await formOf(model, copy);
  tell(4);
  const { estimator } = report.plan.estimate;
  const said = { kind: model.kind, estimator, total: model.total };
  const header: FlatHeader = { ...head, report, model: { ...said, ...form.head } };
  const bytes = await written(header, {
    ...sections,
    model: form.bytes,
    measurements: measurementsToBytes(measurements),
  });
  tell(steps);
  return bytes;
}

/** What every saved release holds. */
interface Common<S extends Schema> {
  schema: S;
  /** The public rows, in the order that they have in the model, where it is on some. */
  rows?: Table<S>;
  targets: Workload<S>;
  seed: string | number;
  plan: Printable<unknown>;
  ledger: Printable<LedgerJson>;
}

/** The public rows, and what is said of all; three steps. */
export async function common<S extends Schema>(
  { schema, rows, targets, seed, plan, ledger }: Common<S>,
  copy: Pick<CallSettings, "signal">,
  tell: (done: number) => void,
): Promise<{ head: CommonHeader; sections: Partial<Sections<SectionName>> }> {
  const head: CommonHeader = {
    format: "marginalia-release",
    version: VERSION,
    schema: schema.toJSON(),
    plan: `${plan}`,
    ledger: { text: `${ledger}`, summary: ledger.toJSON() },
    seed: `${seed}`,
    targets: [...targets],
  };
  if (!rows) return { head, sections: {} };
  const codes = await packedCodes(rows, copy);
  tell(1);
  const raw = await writtenRaw(rows, copy);
  tell(2);
  const weights = writeNumbers((await rows.weights(copy)) ?? new Float64Array(rows.rows).fill(1));
  tell(3);
  const base = { rows: rows.rows, weights: weights.head, ...(raw && { raw: raw.head }) };
  const sections = { codes, weights: weights.bytes, ...(raw && { raw: raw.bytes }) };
  return { head: { ...head, base }, sections };
}

/**
 * The values of a model. Of one on rows potentials where there are fewer than rows, because the weights follow from them to the
 * bit; otherwise the weights.
 */
async function formOf<S extends Schema>(
  model: Model<S>,
  copy: { signal?: AbortSignal },
): Promise<{
  head: Pick<FlatHeader["model"], "cliques" | "values" | "sha256">;
  bytes: Uint8Array<ArrayBuffer>;
}> {
  const { cliques, values } = await call("model.form", undefined, { on: model.handle, ...copy });
  const weights = hasRows(model) ? doubles(await model.weights({ normalize: true, ...copy })) : undefined;
  const hash = await sha256(weights ?? doubles(values));
  if (weights && (!cliques || 8 * values.length >= weights.length))
    return { head: { values: weights.length / 8, sha256: hash }, bytes: weights };
  const { names } = model.schema;
  const { flat, starts } = cliques ?? { flat: [], starts: [0] };
  const named = Array.from({ length: starts.length - 1 }, (_, i) =>
    Array.from(flat.slice(starts[i], starts[i + 1]), (at) => names[at] as string),
  );
  return {
    head: { ...(cliques && { cliques: named }), values: values.length, sha256: hash },
    bytes: doubles(values),
  };
}

const hasRows = <S extends Schema>(model: Model<S>): model is SupportModel<S> => "prior" in model;

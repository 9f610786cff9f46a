import { sha256 } from "../../bytes.js";
import { call } from "../../engine/index.js";
import { measurementsToBytes } from "../../measurements.js";
import type { CallSettings } from "../../tables/read.js";
import type { Schema } from "../../tables/schema.js";
import { writeTo } from "../../tables/target.js";
import type { WriteTarget } from "../../tables/write.js";
import type { ReleasedParts } from "../released.js";
import { packedCodes, writtenRaw } from "./base.js";
import { VERSION, written } from "./container.js";
import type { ReleaseHeader, SectionName } from "./header.js";
import { doubles, writeNumbers } from "./numbers.js";

/** See `Release.save`. */
export async function saved<S extends Schema>(
  parts: ReleasedParts<S>,
  target: WriteTarget,
  settings: CallSettings,
): Promise<void> {
  // A stream may fail while the bytes are made: without a listener that would end the process.
  if (typeof target === "object" && target !== null && "once" in target) target.once("error", () => {});
  const blob = new Blob([await bytesOf(parts, settings)]);
  const stream = (): ReadableStream<Uint8Array> => blob.stream();
  const zipped = () =>
    stream().pipeThrough(new CompressionStream("gzip") as never) as ReadableStream<Uint8Array>;
  await writeTo(({ gzip }) => (gzip ? zipped() : stream()), target, {});
}

/** See `Release.toBytes`. Nothing is asked of a sealed table, and the parts hold none. */
export async function bytesOf<S extends Schema>(
  parts: ReleasedParts<S>,
  { signal, onProgress }: CallSettings,
): Promise<Uint8Array<ArrayBuffer>> {
  const { model, rows, measurements, report, plan, ledger, seed, targets } = parts;
  const copy = { ...(signal && { signal }) };
  const steps = 5;
  const tell = (done: number) => onProgress?.({ done, total: steps });
  const codes = await packedCodes(rows, copy);
  tell(1);
  const raw = await writtenRaw(rows, copy);
  tell(2);
  const weights = writeNumbers((await rows.weights(copy)) ?? new Float64Array(rows.rows).fill(1));
  tell(3);
  const form = await formOf(parts, copy);
  tell(4);
  const header: ReleaseHeader = {
    format: "marginalia-release",
    version: VERSION,
    schema: rows.schema.toJSON(),
    report,
    plan: `${plan}`,
    ledger: { text: `${ledger}`, summary: ledger.toJSON() },
    seed: `${seed}`,
    targets: [...targets],
    base: { rows: rows.rows, weights: weights.head, ...(raw && { raw: raw.head }) },
    model: { total: model.total, ...form.head },
  };
  const sections: Partial<Record<SectionName, Uint8Array<ArrayBuffer>>> = {
    codes,
    weights: weights.bytes,
    ...(raw && { raw: raw.bytes }),
    model: form.bytes,
    measurements: measurementsToBytes(measurements),
  };
  const bytes = await written(header, sections as Record<SectionName, Uint8Array<ArrayBuffer>>);
  tell(steps);
  return bytes;
}

/** Potentials where there are fewer than rows, because the weights follow from them to the bit; otherwise the weights. */
async function formOf<S extends Schema>(
  { model }: ReleasedParts<S>,
  copy: { signal?: AbortSignal },
): Promise<{ head: Omit<ReleaseHeader["model"], "total">; bytes: Uint8Array<ArrayBuffer> }> {
  const weights = doubles(await model.weights({ normalize: true, ...copy }));
  const hash = await sha256(weights);
  const { cliques, values } = await call("model.form", undefined, { on: model.handle, ...copy });
  const rows = weights.length / 8;
  if (!cliques || values.length >= rows) return { head: { values: rows, sha256: hash }, bytes: weights };
  const { names } = model.schema;
  const named = Array.from({ length: cliques.starts.length - 1 }, (_, i) =>
    Array.from(cliques.flat.subarray(cliques.starts[i], cliques.starts[i + 1]), (at) => names[at] as string),
  );
  return { head: { cliques: named, values: values.length, sha256: hash }, bytes: doubles(values) };
}

import { sha256 } from "../../bytes.js";
import { call, memory, open } from "../../engine/index.js";
import { type ErrorCode, MarginaliaError } from "../../errors.js";
import { GraphicalModel } from "../../estimate/graphical.js";
import type { ModelKind } from "../../estimate/model.js";
import { prior } from "../../estimate/prior.js";
import { ProductModel } from "../../estimate/product.js";
import { SupportModel } from "../../estimate/support.js";
import type { Measurement } from "../../measurement.js";
import { measurementsFromBytes } from "../../measurements.js";
import { invalid } from "../../options.js";
import { kindOf, MAGIC_BYTES } from "../../tables/front.js";
import { gunzip } from "../../tables/gunzip.js";
import { doubles, fromDoubles } from "../../tables/numbers.js";
import { takenApart } from "../../tables/packed.js";
import type { CallSettings } from "../../tables/read.js";
import type { Schema } from "../../tables/schema.js";
import { find, type Source } from "../../tables/source.js";
import { abortable, counted, peek } from "../../tables/stages.js";
import { Table } from "../../tables/table.js";
import type { AnyModel } from "../kit/common.js";
import { damaged, readHeader, readSection, type Sections } from "./container.js";
import { expectedBytes, refuseTooLarge, schemaOf } from "./fits.js";
import {
  checkedHeader,
  type FlatHeader,
  isGrouped,
  type ReleaseHeader,
  SECTIONS,
  type SectionName,
} from "./header.js";
import { Incoming } from "./incoming.js";
import type { LoadOptions } from "./index.js";
import { restoredGroups } from "./load-groups.js";
import { cliquesOf, type LoadedGroupedRelease, LoadedRelease, partsOf } from "./loaded.js";

/** See `load`. */
export async function loaded<S extends Schema>(
  source: Source,
  options: LoadOptions<S>,
): Promise<LoadedRelease<S> | LoadedGroupedRelease<S>> {
  const { memoryLimit } = options;
  if (memoryLimit !== undefined && !(Number.isSafeInteger(memoryLimit) && memoryLimit > 0))
    throw invalid("`memoryLimit` is a number of bytes, above 0");
  const file = await incoming(source, options);
  try {
    const { memoryLimit: most = Number.POSITIVE_INFINITY, schema } = options;
    const { limit, used } = await memory();
    const begun = await ofTheFile(() => beginning(file, Math.min(most, limit - used)));
    refuseOther(begun.header, options);
    if (schema && schema.normal() !== begun.schema.normal())
      throw invalid("the saved release is under another schema than `schema`: leave it out to take its own");
    return await ofTheFile(() =>
      restored(file, { ...begun, schema: (schema ?? begun.schema) as S }, options),
    );
  } finally {
    file.leave();
  }
}

/** Refuses the kind of release that was not asked for. */
function refuseOther(header: ReleaseHeader, { groups = false }: LoadOptions): void {
  if (groups === "either" || groups === isGrouped(header)) return;
  throw invalid(
    groups
      ? "this release is none of groups: leave `groups` out, or make it `either`"
      : "this is a release of groups: load it with `groups: true`",
  );
}

/** The bytes of a file; gzip is recognised by its first ones. */
async function incoming(source: Source, { signal, onProgress }: CallSettings): Promise<Incoming> {
  const found = await find(source, signal);
  if (!("bytes" in found)) throw invalid("a release is loaded from a path, URL, bytes, blob or stream");
  const { pieces, total } = found.bytes;
  const tell = (done: number) => onProgress?.(total === undefined ? { done } : { done, total });
  const [head, all] = await peek(counted(abortable(pieces, signal), tell), MAGIC_BYTES);
  return kindOf(head) === "gzip" ? new Incoming(gunzip(all), undefined) : new Incoming(all, total);
}

/** What a file says of itself, and how long its sections must be. */
async function beginning(file: Incoming, most: number) {
  const { header, sections: heads } = checkedHeader(await readHeader(file));
  const schema = schemaOf(header.schema, most);
  refuseTooLarge(schema, header, heads, most);
  return { header, heads, schema, expected: expectedBytes(schema, header, heads) };
}

type Begun<S extends Schema> = Omit<Awaited<ReturnType<typeof beginning>>, "schema"> & { schema: S };

async function restored<S extends Schema>(
  file: Incoming,
  { header, heads, schema, expected }: Begun<S>,
  { signal }: LoadOptions<S>,
): Promise<LoadedRelease<S> | LoadedGroupedRelease<S>> {
  const found: Partial<Record<SectionName, Uint8Array<ArrayBuffer>>> = {};
  for (const name of SECTIONS)
    found[name] = heads[name] ? await readSection(file, heads[name], expected[name]) : new Uint8Array();
  await file.end();
  const sections = found as Sections<SectionName>;
  const measurements = measured(schema, sections.measurements);
  const copy = { ...(signal && { signal }) };
  if (isGrouped(header)) return restoredGroups(schema, header, sections, measurements, copy);
  const { base } = header;
  const { table, model } = base
    ? await onRows(schema, { ...header, base }, sections, measurements, copy)
    : { table: undefined, model: await withoutRows(schema, header, sections, measurements, copy) };
  const own = { model, measurements, report: header.report, ...(table && { rows: table }) };
  return new LoadedRelease({ ...partsOf(schema, header), ...own, free: () => table?.dispose() });
}

/** The models that are on no rows, by their kinds. */
const WITHOUT_ROWS: Readonly<Record<string, typeof ProductModel | typeof GraphicalModel>> = {
  product: ProductModel,
  graphical: GraphicalModel,
};

/** A model without rows: its values are what was saved. */
async function withoutRows<S extends Schema>(
  schema: S,
  { model: head, report }: FlatHeader,
  { model: bytes }: Sections<SectionName>,
  measurements: readonly Measurement[],
  copy: Pick<CallSettings, "signal">,
): Promise<AnyModel<S>> {
  const { kind = "", total } = head;
  const Kind = Object.hasOwn(WITHOUT_ROWS, kind) ? WITHOUT_ROWS[kind] : undefined;
  if (!Kind) throw damaged("its model is of a kind that this version does not know");
  if ((await sha256(bytes)) !== head.sha256) throw damaged("its model is not what was saved");
  const form = { ...formOf(schema, head, bytes), kind: kind as ModelKind, schema: schema.normal() };
  const [handle] = await open("model.restore", form, copy);
  const { records, standardError } = report.total;
  const { strength } = report.estimate;
  const known = { measurements, total: { records, variance: standardError ** 2 } };
  // Which attributes a prior knew is not kept, so that of a release with one no errors are known.
  const alone = strength !== undefined && report.plan.prior === undefined;
  const evidence = alone ? { ...known, strength, own: Object.keys(schema.attributes) } : undefined;
  return new Kind<S>(handle, { schema, total, evidence });
}

const formOf = (
  schema: Schema,
  { cliques: named, values, total }: FlatHeader["model"],
  bytes: Uint8Array,
) => {
  const cliques = named && cliquesOf(schema, named);
  return {
    cliques: cliques && { flat: cliques.flat, starts: cliques.starts },
    values: fromDoubles(bytes, values),
    total,
  };
};

/** The rows and the model in the engine; nothing of them stays there where something is wrong. */
async function onRows<S extends Schema>(
  schema: S,
  header: FlatHeader & Required<Pick<FlatHeader, "base">>,
  sections: Sections<SectionName>,
  measurements: readonly Measurement[],
  copy: Pick<CallSettings, "signal">,
): Promise<{ table: Table<S>; model: SupportModel<S> }> {
  // Without a prior the rows are all that the schema allows.
  const { strength, name, declaredPublicBy } = { strength: 1, ...header.report.plan.prior };
  const apart = takenApart(schema, header.base, sections);
  const [handle, { rows }] = await open("table.restore", apart, copy);
  const table = new Table(schema, handle, rows, true);
  try {
    const said = {
      ...(name !== undefined && { name }),
      ...(declaredPublicBy !== undefined && { declaredPublicBy }),
    };
    using start = await prior(table, { strength, ...said, ...copy });
    if (start.rows !== rows) throw damaged("some of its rows are alike, or have no weight");
    const { model: head, report } = header;
    const form = { ...formOf(schema, head, sections.model), kind: "support" as const };
    const [restored] = await open("model.restore", form, { on: start.handle, ...copy });
    const { records, standardError } = report.total;
    const total = { records, variance: standardError ** 2 };
    const { strength: worth } = report.estimate;
    const evidence = worth === undefined ? undefined : { measurements, total, strength: worth };
    const model = new SupportModel<S>(restored, { prior: start, total: head.total, evidence });
    const weights = await call("model.weights", undefined, { on: restored, ...copy });
    if ((await sha256(doubles(weights))) === head.sha256) return { table, model };
    model.dispose();
    throw damaged("its weights do not come to the bits that they had when it was saved");
  } catch (error) {
    table.dispose();
    throw error;
  }
}

/** The measurements, each of attributes that there are. */
function measured(schema: Schema, bytes: Uint8Array): Measurement[] {
  const list = measurementsFromBytes(bytes);
  for (const { clique, shape } of list)
    if (clique.some((name, i) => schema.size(name) !== shape[i]))
      throw damaged("a measurement is of attributes that its schema does not have");
  return list;
}

/** What says that something in the file is not what it should be. */
const OF_THE_FILE: readonly ErrorCode[] = [
  "OPTION_INVALID",
  "SCHEMA_INVALID",
  "ATTRIBUTE_UNKNOWN",
  "VALUE_OUTSIDE",
  "MEASUREMENT_INVALID",
];

/** Errors about parts of a file as errors about the file. */
async function ofTheFile<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof RangeError)
      throw new MarginaliaError("OUT_OF_MEMORY", "JavaScript has no memory for this release", {
        cause: error,
      });
    if (!(error instanceof MarginaliaError) || !OF_THE_FILE.includes(error.code)) throw error;
    throw damaged("a part of it makes no sense", error);
  }
}

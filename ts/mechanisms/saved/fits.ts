import { MarginaliaError } from "../../errors.js";
import { type NumbersHead, numbersBytes } from "../../tables/numbers.js";
import { codesBytes, type PackedHead, rawLists } from "../../tables/packed.js";
import { type Schema, type SchemaJson, schemaFromJson } from "../../tables/schema.js";
import { damaged, type SectionHead } from "./container.js";
import { COLUMNS } from "./figures.js";
import { type GroupedHeader, isGrouped, type ReleaseHeader, type SectionName } from "./header.js";

type Heads = Readonly<Record<SectionName, SectionHead>>;

/** What a label of a schema takes at most, roughly. */
const LABEL_BYTES = 256;

/** A schema whose labels fit so many bytes: a few characters can declare 65,536 of them. */
export function schemaOf(json: SchemaJson, most: number): Schema {
  const { attributes, derive = [], ...rest } = json;
  const sizes = new Map<string, number>();
  let labels = 0;
  const add = (name: string, size: number) => {
    sizes.set(name, size);
    labels += size;
    if (labels * LABEL_BYTES > most) throw tooLarge(labels * LABEL_BYTES, most);
  };
  for (const one of attributes) add(one.name, schemaFromJson({ ...rest, attributes: [one] }).size(one.name));
  for (const { name, from } of Array.isArray(derive) ? derive : []) add(name, sizes.get(from) ?? 0);
  return schemaFromJson(json);
}

/** The bytes that each section must have, by what the header says of its lists. */
export function expectedBytes(
  schema: Schema,
  header: ReleaseHeader,
  heads: Heads,
): Readonly<Record<SectionName, number>> {
  const { base } = header;
  return {
    codes: base ? codesBytes(schema, base.rows) : 0,
    weights: base ? numbersBytes(base.weights) : 0,
    raw: base?.raw ? rawLists(base.raw).reduce((sum, one) => sum + numbersBytes(one), 0) : 0,
    groups: isGrouped(header) ? 8 * COLUMNS * groupsOf(header) : 0,
    model: modelBytes(header),
    measurements: heads.measurements.length,
  };
}

/** The bytes of the model. */
function modelBytes(header: ReleaseHeader): number {
  if (!isGrouped(header)) return 8 * header.model.values;
  return numbersBytes(header.groups.priors) + numbersBytes(header.groups.own);
}

/** How many numbers the model takes. */
const values = (header: ReleaseHeader): number =>
  isGrouped(header) ? header.groups.priors.count + header.groups.own.count : header.model.values;

/** Whether there are as many potentials as its groups have. */
function fitsGroups({ groups }: GroupedHeader): boolean {
  const sum = (of: "prior" | "potentials") =>
    groups.levels.reduce((so, level) => so + level.groups * level[of], 0);
  return groups.priors.count === sum("prior") && groups.own.count === sum("potentials");
}

/** How many groups there are. */
export const groupsOf = ({ groups }: GroupedHeader): number =>
  groups.levels.reduce((sum, level) => sum + level.groups, 0);

/** What a group of a level takes while the groups of a schema are listed, and one that is listed, roughly. */
const LISTED_BYTES = 64;
const GROUP_BYTES = 1024;

/** What the groups take that levels make of a schema, however many the header says that there are. */
function treeBytes(schema: Schema, header: ReleaseHeader): number {
  if (!isGrouped(header)) return 0;
  const { levels } = header.report.plan;
  if (levels.length !== header.groups.levels.length || levels.length === 0)
    throw damaged("its plan has other levels than its groups");
  const finest = levels.at(-1)?.by ?? [];
  const cells = schema.cells(finest);
  return (
    LISTED_BYTES * cells * levels.length + GROUP_BYTES * Math.min(groupsOf(header), cells * levels.length)
  );
}

/** Refuses lists that contradict each other, and what would not fit so many bytes, before room is made for any of it. */
export function refuseTooLarge(schema: Schema, header: ReleaseHeader, heads: Heads, most: number): void {
  const { base } = header;
  const model = isGrouped(header) ? [header.groups.priors, header.groups.own] : [];
  const lists = [...(base ? [base.weights, ...(base.raw ? rawLists(base.raw) : [])] : []), ...model];
  if (!lists.every(isList))
    throw damaged("a list of numbers is said to have more different ones than numbers");
  const names = Object.keys(schema.attributes);
  if (base) checkRows(schema, base, header);
  if (isGrouped(header) && !fitsGroups(header)) throw damaged("it has other potentials than its groups");
  const rows = base?.rows ?? 0;
  const decoded = lists.reduce((sum, { count }) => sum + 12 * count, 2 * rows * names.length);
  const sections = Object.values(heads).reduce((sum, { stored, length }) => sum + stored + length, 0);
  // As much again in the engine.
  const bytes = 2 * (decoded + 8 * values(header) + sections) + treeBytes(schema, header);
  if (bytes > most) throw tooLarge(bytes, most);
}

/** Refuses rows that cannot be, or that other lists contradict. */
function checkRows(schema: Schema, { raw, rows, weights }: PackedHead, header: ReleaseHeader): void {
  const names = Object.keys(schema.attributes);
  if (rows === 0 || rows > schema.cells(names)) throw damaged("it has fewer or more rows than there can be");
  const weighs = !isGrouped(header) && header.model.cliques === undefined;
  if (weights.count !== rows || (weighs && values(header) !== rows))
    throw damaged("it does not have one weight for each row");
  if (raw && !isRaw(raw, rows, names)) throw damaged("its raw numbers are not those of its rows");
}

const isList = ({ count, distinct }: NumbersHead): boolean =>
  distinct === undefined || (distinct <= count && distinct < 2 ** 31 && (count === 0) === (distinct === 0));

function isRaw(
  { attributes, counts, sums, values }: NonNullable<PackedHead["raw"]>,
  rows: number,
  names: readonly string[],
): boolean {
  const numbers = values[0]?.count;
  const all = [...values, ...(sums ? [sums] : [])];
  return (
    attributes.length > 0 &&
    attributes.length === values.length &&
    attributes.every((name) => names.includes(name)) &&
    all.every(({ count }) => count === numbers) &&
    (counts ? counts.count === rows : numbers === rows)
  );
}

function tooLarge(bytes: number, most: number): MarginaliaError {
  const message =
    `this release needs about ${bytes} bytes, and ${most} are left: dispose of what is not needed, or raise the ` +
    "`memoryLimit` of load() and init()";
  return new MarginaliaError("OUT_OF_MEMORY", message);
}

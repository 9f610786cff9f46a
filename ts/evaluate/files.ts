import { MarginaliaError } from "../errors.js";
import { invalid, isObject } from "../options.js";
import type { Source } from "../tables/source.js";
import type { Table } from "../tables/table.js";
import { type Binner, binnerOf, type Dictionary } from "./binning.js";
import { type TextColumn, type TextColumns, textColumns } from "./columns.js";
import type { LabelsOf } from "./groups.js";
import type { Meter } from "./meter.js";
import { schemaOfCodes, tableOfCodes } from "./subsample.js";

/** Codes are u16. */
const MAX_CODES = 65_536;

/** How files are compared. */
export interface FileOptions {
  /** Says which columns hold numbers, by `min` and `max`, as `data_dictionary.json` of the published files does; without it values are compared one by one. */
  dictionary?: Dictionary;
  /** Edges of the bins of some columns, instead of those that follow from the true file. Bins are closed on the right. */
  bins?: Readonly<Record<string, readonly number[]>>;
  /** The character between fields; `,` unless given. */
  delimiter?: string;
}

/** Two files as tables of one schema. */
export interface Files {
  readonly truth: Table;
  readonly synthetic: Table;
  readonly names: readonly string[];
  readonly labels: LabelsOf;
}

interface FilesRequest extends FileOptions {
  truth: Source;
  synthetic: Source;
  attributes?: readonly string[];
  group?: string | readonly string[];
}

/** Reads two files and gives their values codes: those of bins for numbers, of texts for anything else. */
export async function readFiles(options: FilesRequest, meter: Meter): Promise<Files> {
  const { dictionary = {}, bins = {}, attributes, delimiter } = options;
  checkBins(bins);
  if (!isObject(dictionary)) throw invalid("`dictionary` must be an object whose keys are columns");
  const groups = [options.group ?? []].flat();
  const listed = attributes ?? (options.dictionary ? Object.keys(dictionary) : undefined);
  const wanted = (name: string) => listed === undefined || listed.includes(name) || groups.includes(name);
  const truth = await textColumns(options.truth, wanted, { delimiter, meter });
  const synthetic = await textColumns(options.synthetic, wanted, { delimiter, meter });
  const both = [...truth.keys()].filter((name) => synthetic.has(name)).sort();
  const names = [...new Set([...(attributes ?? both), ...groups])];
  const sides = names.map((name) => [column(truth, name), column(synthetic, name)] as const);
  const coded = names.map((name, i) => {
    const pair = sides[i] as readonly [TextColumn, TextColumn];
    return codesOf(name, pair, binnerOf(name, pair, dictionary, bins));
  });
  const sizes = coded.map(({ labels }) => Math.max(1, labels.length));
  const over = schemaOfCodes({ names, sizes });
  const tableOf = (side: 0 | 1) => {
    const rows = sides[0]?.[side].rows ?? 0;
    return tableOfCodes({ rows, names, sizes, columns: coded.map((c) => c.sides[side]) }, over, meter);
  };
  const first = await tableOf(0);
  const second = await tableOf(1).catch((error: unknown) => {
    first.dispose();
    throw error;
  });
  const labels = new Map(names.map((name, i) => [name, coded[i]?.labels ?? []]));
  return { truth: first, synthetic: second, names, labels: (name) => labels.get(name) ?? [] };
}

function checkBins(bins: Readonly<Record<string, readonly number[]>>): void {
  for (const [name, edges] of Object.entries(bins)) {
    const rising = Array.isArray(edges) && edges.every((edge, i) => i === 0 || edge > edges[i - 1]);
    if (!rising || edges.length < 2)
      throw invalid(`\`bins\` of ${name} must be at least two increasing numbers`);
  }
}

function column(columns: TextColumns, name: string): TextColumn {
  const found = columns.get(name);
  if (found) return found;
  throw new MarginaliaError("COLUMN_MISSING", `a file has no column ${JSON.stringify(name)}`);
}

interface Coded {
  labels: readonly string[];
  sides: readonly [Uint16Array, Uint16Array];
}

/** Codes for what two columns hold, in the order in which it is met. */
function codesOf(name: string, pair: readonly [TextColumn, TextColumn], binner: Binner): Coded {
  const codes = new Map<number | string, number>();
  const labels: string[] = [];
  const codeOf = (text: string): number => {
    const value = binner(text);
    const known = codes.get(value);
    if (known !== undefined) return known;
    if (labels.length === MAX_CODES) {
      const message = `${name} has more than 65,536 different values: give \`bins\` for it, or leave it out`;
      throw new MarginaliaError("MODEL_TOO_LARGE", message);
    }
    codes.set(value, labels.length);
    labels.push(typeof value === "number" ? `bin ${value}` : value);
    return labels.length - 1;
  };
  const coded = ({ texts, ids }: TextColumn) => {
    const table = texts.map(codeOf);
    return Uint16Array.from(ids, (id) => table[id] as number);
  };
  return { labels, sides: [coded(pair[0]), coded(pair[1])] };
}

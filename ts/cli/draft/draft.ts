import { MarginaliaError } from "../../errors.js";
import { invalid, isObject } from "../../options.js";
import type { Dialect, FullDialect } from "../../tables/dialect.js";
import type { Progress } from "../../tables/read.js";
import { CsvRecords } from "../../tables/records.js";
import { type SchemaJson, schemaFromJson } from "../../tables/schema.js";
import { find, type Source } from "../../tables/source.js";
import { abortable } from "../../tables/stages.js";
import { nameOf, text } from "../../tables/text.js";
import { Column } from "./column.js";
import { type Decision, type DraftOptions, decide } from "./decide.js";

/** How the public file is written, and how the draft is made. */
export interface Drafting extends DraftOptions, FullDialect, Pick<Dialect, "format"> {
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
}

/** A schema for a person to read and edit, and why each column is declared as it is. */
export interface Draft {
  readonly schema: SchemaJson;
  readonly rows: number;
  readonly decisions: readonly Decision[];
}

/** Drafts a total schema from a *public* table, in one pass and bounded memory; the same file gives the same draft. */
export async function draft(source: Source, options: Drafting): Promise<Draft> {
  const { signal, delimiter } = options;
  if (delimiter.length !== 1 || /["\r\n]/.test(delimiter)) throw invalid("`delimiter` is one character");
  const found = await find(source, signal);
  const all = { ...options, ignore: true } as const;
  const { pieces, format } = await text(found, nameOf(source), all, () => true);
  const gathered = format === "csv" ? new Rows(options) : new Lines();
  const label = { "utf-16": "utf-16le", "latin-1": "windows-1252" } as const;
  const { encoding } = options;
  const named = encoding === "utf-16" || encoding === "latin-1" ? label[encoding] : encoding;
  const decoder = new TextDecoder(named, { fatal: true });
  const decoded = (bytes?: Uint8Array) => {
    try {
      return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
    } catch (cause) {
      throw new MarginaliaError("TEXT_INVALID", "the file is no text in this encoding: give `encoding`", {
        cause,
      });
    }
  };
  for await (const bytes of abortable(pieces, signal)) gathered.push(decoded(bytes));
  gathered.push(decoded());
  gathered.finish();
  return drafted(gathered.columns, gathered.rows, options);
}

function drafted(columns: readonly Column[], rows: number, options: DraftOptions): Draft {
  if (rows === 0) throw invalid("the public file has no rows to draft a schema from");
  const decisions = columns.map((column) => decide(column, options));
  const attributes = decisions.flatMap(({ name, spec }) => (spec ? [{ name, ...spec }] : []));
  if (attributes.length === 0)
    throw invalid("no column of the public file can be counted: all would be left out");
  const derive = decisions.flatMap((decision) => coarser(decision, columns));
  const schema: SchemaJson = { attributes, ...(derive.length > 0 && { derive }) };
  schemaFromJson(schema);
  return { schema, rows, decisions };
}

/** The bins of whole numbers that have a code each, as an attribute beside them. */
function coarser({ name, spec, cuts }: Decision, columns: readonly Column[]): Coarser[] {
  if (cuts === undefined || spec?.type !== "integer") return [];
  const labels = [...cuts, undefined].map((next, i) => bin(cuts[i - 1], next));
  const values = Array.from({ length: spec.max - spec.min + 1 }, (_, i) => spec.min + i);
  const of = (value: number) => labels[cuts.filter((cut) => cut <= value).length] as string;
  const map = Object.fromEntries(values.map((value) => [`${value}`, of(value)]));
  let own = `${name}_bins`;
  while (columns.some((column) => column.name === own)) own += "_";
  // So that whoever knows a larger bound changes one number.
  return [{ name: own, from: name, map, other: labels.at(-1) as string }];
}

interface Coarser {
  name: string;
  from: string;
  map: Record<string, string>;
  other: string;
}

/** What a bin is called: the first and the last have no bound of their own. */
function bin(low: number | undefined, next: number | undefined): string {
  if (low === undefined || next === undefined) return `${low ?? ""}..${next === undefined ? "" : next - 1}`;
  return low === next - 1 ? `${low}` : `${low}..${next - 1}`;
}

/** Lines of CSV as columns. */
class Rows {
  columns: Column[] = [];
  rows = 0;
  readonly #records: CsvRecords;
  readonly #comma: boolean;

  constructor(dialect: Drafting) {
    this.#comma = dialect.decimalComma;
    this.#records = new CsvRecords(dialect, (fields) => this.#row(fields));
  }

  push(text: string): void {
    this.#records.push(text);
  }

  finish(): void {
    this.#records.finish();
  }

  #row(fields: readonly string[]): void {
    const blank = fields.length === 1 && fields[0] === "";
    if (blank && this.columns.length !== 1) return;
    if (this.columns.length === 0) return this.#header(fields);
    this.rows++;
    if (fields.length !== this.columns.length) {
      const message = `row ${this.rows} has another number of fields than the header: mend it, or choose the delimiter`;
      throw new MarginaliaError("ROW_RAGGED", message);
    }
    for (const [at, column] of this.columns.entries()) column.add(fields[at] as string);
  }

  #header(names: readonly string[]): void {
    if (new Set(names).size < names.length)
      throw new MarginaliaError(
        "COLUMN_DUPLICATE",
        "two columns of the file have the same name: rename one of them",
      );
    this.columns = names.map((name) => new Column(name, this.#comma));
  }
}

/** Lines of JSON as columns. */
class Lines {
  readonly #byName = new Map<string, Column>();
  rows = 0;
  #rest = "";

  get columns(): Column[] {
    return [...this.#byName.values()];
  }

  push(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() as string;
    for (const line of lines) this.#line(line);
  }

  finish(): void {
    this.#line(this.#rest);
    for (const column of this.columns) column.absent(this.rows);
  }

  #line(line: string): void {
    if (line.trim() === "") return;
    this.rows++;
    for (const [name, value] of Object.entries(this.#parsed(line))) {
      const column = this.#byName.get(name) ?? new Column(name, false);
      this.#byName.set(name, column);
      column.absent(this.rows - 1);
      column.add(value === null ? "" : String(value));
    }
  }

  #parsed(line: string): object {
    try {
      const row: unknown = JSON.parse(line);
      if (isObject(row) && Object.values(row).every(isPlain)) return row;
    } catch {
      // Said below.
    }
    throw new MarginaliaError("JSON_INVALID", `row ${this.rows} is not a flat object in JSON: mend it`);
  }
}

const isPlain = (value: unknown): boolean => value === null || typeof value !== "object";

/** The schema as text: an attribute on each line, to be read and edited. */
export function printed({ attributes, derive = [] }: SchemaJson): string {
  const listed = (name: string, list: readonly object[]) =>
    `  "${name}": [\n${list.map((one) => `    ${spaced(one)}`).join(",\n")}\n  ]`;
  const parts = [listed("attributes", attributes), ...(derive.length > 0 ? [listed("derive", derive)] : [])];
  return `{\n${parts.join(",\n")}\n}\n`;
}

/** JSON on one line, with room to breathe. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(", ")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const fields = Object.entries(value).map(([key, field]) => `${JSON.stringify(key)}: ${spaced(field)}`);
  return `{ ${fields.join(", ")} }`;
}

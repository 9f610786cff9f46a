import { type Bar, type BarRow, bars } from "../charts/bars.js";
import type { Series } from "../charts/svg.js";
import type { InternalParts, OneWayPart } from "../input.js";
import { markup } from "../markup.js";
import { largest, MOST, sum, variation } from "../most.js";
import { type Figure, figures, type Section } from "../page.js";
import { table } from "../tables.js";
import { bytesOf, count, fixed, percent, valueName } from "../words.js";
import { NINETY } from "./forecast.js";

/** How many attributes are drawn; a page of more would be read by nobody. */
const DRAWN = 24;

interface Row {
  readonly label: string;
  readonly public: number | undefined;
  readonly measured: number | undefined;
  readonly synthetic: number;
  readonly private: number | undefined;
}

/** The shares of each attribute's values: public, measured, synthetic, and private where that is known; of so many bytes. */
export function oneWays(all: readonly OneWayPart[], room: number, internal?: InternalParts): Section {
  const truth = new Map(internal?.oneWays.map(({ attribute, shares }) => [attribute, shares]));
  const drawn = largest(all, (one) => variation(one.synthetic, one.public ?? one.synthetic))
    .slice(0, DRAWN)
    .map((one) => figureOf(one, truth.get(one.attribute)));
  const shown = fitting(drawn, room);
  const tables = [...(all[0]?.public ? ["public"] : []), ...(internal ? ["private"] : []), "synthetic"];
  const heading = `Each attribute: ${tables.join(tables.length === 2 ? " and " : ", ")}`;
  const left = all.length - shown.length;
  const why = all[0]?.public ? "differ less from the public table, and " : "";
  const more = left > 0 ? [markup`<p>${count(left, "more attribute")} ${why}are not shown.</p>`] : [];
  return { id: "attributes", heading, body: [figures(shown), ...more], internal: internal !== undefined };
}

/** The first figures, as many as there is room for; one at least. */
function fitting(all: readonly Figure[], room: number): Figure[] {
  const sizes = all.map((one) => bytesOf(`${figures([one])}`));
  return all.filter((_, i) => i === 0 || sum(sizes.slice(0, i + 1)) <= room);
}

function figureOf(one: OneWayPart, truth: readonly number[] | undefined): Figure {
  const rows = rowsOf(one, truth);
  const error = one.measured?.standardError;
  const far = one.public
    ? `Synthetic and public differ by ${percent(variation(one.synthetic, one.public))} of the rows.`
    : "";
  const from = truth
    ? ` Synthetic and private differ by ${percent(variation(one.synthetic, truth))} of the rows.`
    : "";
  const line = error === undefined ? "" : " Line: 90 % interval of the noisy answer.";
  return {
    heading: one.attribute,
    note: `${far}${from}${line}`.trimStart(),
    chart: bars(
      `Shares of the values of ${one.attribute}`,
      shortened(rows).map((row) => barsOf(row, error)),
    ),
    table: tableOf(one.attribute, rows, error),
    internal: truth !== undefined,
  };
}

function rowsOf(one: OneWayPart, truth: readonly number[] | undefined): Row[] {
  return one.labels.map((label, i) => ({
    label: valueName(label),
    public: one.public && (one.public[i] ?? 0),
    measured: one.measured?.shares[i],
    synthetic: one.synthetic[i] ?? 0,
    private: truth?.[i],
  }));
}

/** In the declared order, which may mean something; of many values those that are not frequent are one bar. */
function shortened(rows: readonly Row[]): Row[] {
  const used = rows.filter((row) => Math.max(row.public ?? 0, row.synthetic, row.private ?? 0) > 0);
  if (used.length <= MOST) return used;
  const frequent = new Set(
    largest(used, (row) => Math.max(row.public ?? 0, row.synthetic)).slice(0, MOST - 1),
  );
  const rest = used.filter((row) => !frequent.has(row));
  const all = (of: (row: Row) => number | undefined) => sum(rest.map((row) => of(row) ?? 0));
  const other: Row = {
    label: `${rest.length} others together`,
    public: rest[0]?.public === undefined ? undefined : all((row) => row.public),
    measured: undefined,
    synthetic: all((row) => row.synthetic),
    private: rest[0]?.private === undefined ? undefined : all((row) => row.private),
  };
  return [...used.filter((row) => frequent.has(row)), other];
}

function barsOf(row: Row, error: number | undefined): BarRow {
  const { measured } = row;
  const reach = NINETY * (error ?? 0);
  const interval =
    measured === undefined ? {} : { low: Math.max(0, measured - reach), high: Math.max(0, measured + reach) };
  const bar = (series: Series, value: number, more: object = {}): Bar => ({
    series,
    value,
    words: `${percent(value)} ${series}`,
    ...more,
  });
  const beside = (["public", "private"] as const).flatMap((series) => {
    const value = row[series];
    return value === undefined ? [] : [bar(series, value)];
  });
  return { label: row.label, bars: [...beside, bar("synthetic", row.synthetic, interval)] };
}

function tableOf(attribute: string, rows: readonly Row[], error: number | undefined) {
  const share = (value: number | undefined) => (value === undefined ? "–" : percent(value));
  const column = (head: string, of: (row: Row) => number | undefined) => ({
    head,
    text: (row: Row) => share(of(row)),
    number: true,
  });
  const known = (series: "public" | "private") =>
    rows[0]?.[series] === undefined ? [] : [column(series, (row) => row[series])];
  return table(
    `Shares of the values of ${attribute}`,
    [
      { head: "value", text: (row: Row) => row.label },
      ...known("public"),
      ...known("private"),
      column("synthetic", (row) => row.synthetic),
      ...(error === undefined
        ? []
        : [column(`measured (± ${fixed(100 * error, 2)}, standard error)`, (row) => row.measured)]),
    ],
    rows,
  );
}

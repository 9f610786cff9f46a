import type { Obstacle } from "../../estimate/outcome.js";
import { printed } from "../../print.js";
import { aligned } from "../../privacy/table.js";
import { rowsNeeded } from "./noise.js";

/** What was found of a public table. Errors are the largest of any cell, as shares of the private records. */
export interface RankedTable {
  readonly name: string;
  readonly rows: number;
  /** Those of them that differ. */
  readonly distinct: number;
  /** As it is. */
  readonly start: number;
  /** However its rows are weighted: the least is between `bound` and `error`. */
  readonly error: number;
  readonly bound: number;
  /** Cells that its rows cannot answer: together they are why the error is not less. */
  readonly obstacles: readonly Obstacle[];
}

/** What a table certainly lacks, and whether weights would do. */
export interface Judgement extends RankedTable {
  /** No weights of its rows come nearer than this, in 19 of 20 cases for all tables together; 0 where noise could be all. */
  readonly lacks: number;
  readonly verdict: "as it is" | "weighted" | "lacking";
}

/** Public tables, the best first. Made of noisy answers alone, so anybody may see it. */
export class Ranking {
  readonly tables: readonly Judgement[];
  /** The private records, as they were measured or are public. */
  readonly records: number;
  /** By how much noise can move an error, as a share of them, in 19 of 20 cases. */
  readonly noise: number;
  /** How many cells were compared. */
  readonly cells: number;

  /** @internal */
  constructor(
    tables: readonly RankedTable[],
    { records, noise, cells }: Pick<Ranking, "records" | "noise" | "cells">,
  ) {
    this.records = records;
    this.noise = noise;
    this.cells = cells;
    const judged = tables.map((table): Judgement => {
      const lacks = Math.max(0, table.bound - noise);
      const verdict = lacks > 0 ? "lacking" : table.start <= noise ? "as it is" : "weighted";
      return Object.freeze({ ...table, lacks, verdict });
    });
    this.tables = Object.freeze(judged.sort((a, b) => a.lacks - b.lacks || a.start - b.start));
    Object.freeze(this);
  }

  /** How many rows a sample of the same population needs to be within `error` whatever it is, in 19 of 20 cases (Proposition A.9). */
  rowsNeeded(error = Math.max(PROMISED, this.noise)): number {
    return rowsNeeded(error, this.cells);
  }

  /** The ranking in words. */
  toString(): string {
    const { cells, noise, records } = this;
    const shown = (error: number) => (error <= noise ? `within ${percent(noise)}` : percent(error));
    const rows = this.tables.map(({ name, rows, start, error, lacks, verdict }, i) => {
      const words =
        verdict === "lacking" ? `lacks at least ${percent(lacks)}, whatever the weights` : VERDICTS[verdict];
      return [`${i + 1}.`, name, `${rows}`, shown(start), shown(error), words];
    });
    return printed(
      [
        `Judged by the worst of ${cells} numbers about ${Math.round(records)} private records. Noise can be up to ` +
          `${percent(noise)} of the records in one of them: what is less is not seen.`,
        "",
        ...aligned([["", "public table", "rows", "as it is", "at best", ""], ...rows]),
        "",
        "As it is: how far the worst number of the table is from the private one. At best: the same when its rows count for more or " +
          "less, as in every release; no release on these rows comes nearer.",
        ...this.tables.flatMap(lacking),
        "",
        `Theory promises ${percent(Math.max(PROMISED, noise))} only to a sample of ${this.rowsNeeded()} rows of the very same population, ` +
          "and of another to a larger one (Liu and others 2021, Proposition A.9). That holds whatever the data are; most need far fewer.",
      ].join("\n"),
    );
  }
}

const VERDICTS = {
  "as it is": "no difference can be seen",
  weighted: "differs, but has the rows to make up for it",
} as const;

/** The error that theory is asked about, unless noise is more. */
const PROMISED = 0.05;
/** Obstacles that are shown. */
const SHOWN = 3;

/** Which records a table has too few of, or too many. */
function lacking({ name, verdict, obstacles }: Judgement): string[] {
  if (verdict !== "lacking") return [];
  const lines = obstacles.slice(0, SHOWN).map(({ clique, values, answer, mixture }) => {
    const which = clique.map((attribute, i) => `${attribute} ${values[i] ?? "(null)"}`).join(", ");
    const most = mixture > 0 ? `${percent(mixture)} of the best mixture of its rows` : "none of its rows";
    return `  ${which || "all"}: about ${percent(Math.max(0, answer))} of the private records, ${most}`;
  });
  return ["", `What ${name} cannot give:`, ...lines];
}

/** A share with two digits. */
const percent = (share: number): string => `${Number((100 * share).toPrecision(2))} %`;

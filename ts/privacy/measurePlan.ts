import type { CliqueQuery } from "../measurement.js";
import { printed } from "../print.js";
import { Accountant } from "./accountant.js";
import { type Currency, describe, symbolOf } from "./budget.js";
import { cost } from "./cost.js";
import { Rational, show } from "./rational.js";
import type { ReadAs } from "./readAs.js";
import { describeNoise, describeRequest, type ResolvedRequest } from "./request.js";
import type { Choice } from "./select/choices.js";
import type { PlannedSelection } from "./select/types.js";
import { aligned } from "./table.js";
import { describeProtected, type Relation, type Unit } from "./unit.js";

/** What one measurement will cost, and how far its values will be from the truth. */
export interface PlannedCharge {
  readonly clique: readonly string[];
  /** The attributes of the groups in each of which it is asked, if so. */
  readonly groups?: readonly string[];
  readonly query: CliqueQuery;
  /** Of the groups, then of the clique. */
  readonly shape: readonly number[];
  /** How many values there will be. */
  readonly answers: number;
  readonly law: "laplace" | "gaussian";
  /** b or σ², as a fraction: what is drawn by. */
  readonly scale: string;
  /** How much one unit can change the exact answers: the sum of the changes, and of their squares. */
  readonly sensitivity: { readonly l1: string; readonly l2Squared: string };
  /** In the currency of the plan, as a fraction. */
  readonly cost: string;
  /** Its part of the price of the plan. */
  readonly share: number;
  /** The exact variance of the noise in each value. */
  readonly variance: number;
  /** The expected error of each value, in records: the root of the mean square. */
  readonly error: number;
  /** The same of all values together. */
  readonly totalError: number;
  /** `totalError` in parts of the rows that are expected. */
  readonly relativeError?: number;
}

/** A plan as data. */
export interface MeasurePlanJson {
  readonly format: "marginalia-plan";
  readonly version: 1;
  readonly dataset: string;
  readonly unit: Unit;
  readonly relation: Relation;
  /** How rows are read: what a record is, and whatever is not as usual. */
  readonly readAs: ReadAs;
  readonly budget: object;
  readonly currency: Currency;
  /** What all charges cost together, what was spent before, and the most that may be: exact fractions. */
  readonly price: string;
  readonly spent: string;
  readonly limit: string;
  /** Whether what is left pays for it. */
  readonly fits: boolean;
  readonly expectedRows?: number;
  /** Missing where nobody said how many rows are expected. */
  readonly needs?: Needs;
  readonly charges: readonly PlannedCharge[];
  /** Missing where nothing is selected. */
  readonly selections?: readonly PlannedSelection[];
}

/** Rough: bytes of memory, and seconds on one thread of a usual machine. */
export interface Needs {
  readonly bytes: number;
  readonly seconds: number;
}

/** What a plan is made of, beside the requests. @internal */
export interface PlanParts {
  readonly variances: Float64Array;
  readonly accountant: Accountant;
  readonly readAs: ReadAs;
  readonly expectedRows: number | undefined;
  readonly selections: readonly Choice[];
  /** How many codes each attribute has. */
  readonly sizes: readonly number[];
}

/** What measuring and selecting would cost. It depends on requests, budget and account, and never on rows. */
export class MeasurePlan {
  readonly dataset: string;
  readonly charges: readonly PlannedCharge[];
  readonly selections: readonly PlannedSelection[];
  /** In the currency of the budget. */
  readonly price: Rational;
  readonly fits: boolean;
  readonly expectedRows: number | undefined;
  /** Where rows are expected. */
  readonly needs: Needs | undefined;
  readonly #accountant: Pick<Accountant, "budget" | "neighbours" | "currency" | "limit" | "spent" | "left">;
  readonly #lines: readonly Line[];
  readonly #made: readonly [requests: readonly ResolvedRequest[], parts: PlanParts];

  /** @internal */
  constructor(dataset: string, requests: readonly ResolvedRequest[], parts: PlanParts) {
    const { variances, accountant, expectedRows, selections, sizes } = parts;
    this.#made = [requests, parts];
    const { budget, neighbours, currency, limit, spent, left } = accountant;
    this.dataset = dataset;
    this.#accountant = { budget, neighbours, currency, limit, spent, left };
    const all = cost.sum([...requests, ...selections].map((one) => one.cost));
    this.price = accountant.price(all);
    this.fits = accountant.fits(all);
    this.expectedRows = expectedRows;
    this.#lines = [
      ...requests.map((request): Line => [describeRequest(request), describeNoise(request)]),
      ...selections.map(({ what, how }): Line => [what, how]),
    ];
    this.charges = Object.freeze(
      requests.map((request, i) => {
        const price = accountant.price(request.cost);
        return charge(request, { price, all: this.price, variance: variances[i] as number, expectedRows });
      }),
    );
    this.selections = Object.freeze(
      selections.map(({ planned }) => {
        return Object.freeze({ ...planned, share: shareOf(Rational.of(planned.cost), this.price) });
      }),
    );
    this.needs = expectedRows === undefined ? undefined : this.#estimate(expectedRows, sizes);
    Object.freeze(this);
  }

  /** @internal The same, where so much was spent before it. */
  after(spent: Rational): MeasurePlan {
    const [requests, parts] = this.#made;
    const { budget, neighbours } = this.#accountant;
    return new MeasurePlan(this.dataset, requests, {
      ...parts,
      accountant: new Accountant(budget, neighbours, spent),
    });
  }

  /** What reading so many rows and counting them takes, and drawing. */
  #estimate(rows: number, sizes: readonly number[]): Needs {
    const { charges, selections } = this;
    const cells = [...charges.map(cellsOf), ...selections.map((one) => one.cells)];
    const cliques = charges.length + selections.reduce((sum, one) => sum + one.cliques, 0);
    const all = cells.reduce((sum, one) => sum + one, 0);
    const width = sizes.reduce((sum, size) => sum + (size <= 256 ? 1 : 2), 0);
    const bytes = rows * width + CELL_BYTES * all + READING_BYTES;
    const seconds = rows * (VALUE_S * sizes.length + ROW_S * cliques) + DRAW_S * all;
    return Object.freeze({
      bytes: Math.ceil(bytes / 2 ** 20) * 2 ** 20,
      seconds: Math.ceil(10 * seconds) / 10,
    });
  }

  toJSON(): MeasurePlanJson {
    const { dataset, charges, selections, price, fits, expectedRows, needs } = this;
    const { budget, neighbours, currency, limit, spent } = this.#accountant;
    return {
      format: "marginalia-plan",
      version: 1,
      dataset,
      ...neighbours,
      readAs: this.#made[1].readAs,
      budget: JSON.parse(JSON.stringify(budget)) as object,
      currency,
      price: `${price}`,
      spent: `${spent}`,
      limit: `${limit}`,
      fits,
      ...(expectedRows === undefined ? {} : { expectedRows }),
      ...(needs && { needs }),
      charges,
      ...(selections.length > 0 ? { selections } : {}),
    };
  }

  /** The plan as a table for people. */
  toString(): string {
    const symbol = symbolOf(this.#accountant.currency);
    const expected = this.expectedRows;
    const head = ["what is asked", "how", "values", "cost", "error of each"];
    const rows = this.charges.map(({ answers, cost: paid, error, relativeError }, i) => {
      const [what = "", how = ""] = this.#lines[i] ?? [];
      const one = [
        what,
        how,
        `${answers}`,
        `${symbol} ${show(Rational.of(paid), true)}`,
        `± ${digits(error)}`,
      ];
      return relativeError === undefined ? one : [...one, `${digits(100 * relativeError)} %`];
    });
    const chosen = this.selections.map(({ cost: paid, shortfall }, i) => {
      const [what = "", how = ""] = this.#lines[this.charges.length + i] ?? [];
      const short = shortfall === undefined ? "" : `≤ ${digits(shortfall)} below the best`;
      return [what, how, "1", `${symbol} ${show(Rational.of(paid), true)}`, short];
    });
    const title = expected === undefined ? head : [...head, `error of all, of ${expected} rows`];
    return printed(this.around([title, ...rows, ...chosen]).join("\n"));
  }

  /** @internal What stands before and after a table of what is asked, for people. */
  around(table: readonly (readonly string[])[]): string[] {
    const { budget, neighbours, currency, left } = this.#accountant;
    const total = `${symbolOf(currency)} ${show(this.price, true)}`;
    const rest = `${symbolOf(currency)} ${show(left, false)}`;
    const verdict = this.fits
      ? `${total} in all; ${rest} is left before it.`
      : `${total} in all, which is more than the ${rest} that is left.`;
    return [
      `Plan for ${this.dataset}, with a budget of ${describe(budget)}`,
      ...describeProtected({ ...neighbours, readAs: this.#made[1].readAs }),
      "",
      ...aligned(table),
      "",
      verdict,
    ];
  }
}

/** Exact counts and what is made of them; what a reader holds; how long a value, a row of a clique and a draw take. */
const CELL_BYTES = 32;
const READING_BYTES = 2 ** 24;
const VALUE_S = 1e-8;
const ROW_S = 5e-10;
const DRAW_S = 1e-7;

/** Cells that are counted for a charge: of all groups. */
const cellsOf = ({ shape }: PlannedCharge): number => shape.reduce((cells, size) => cells * size, 1);

type Line = readonly [what: string, how: string];

/** To twelve digits. */
function shareOf(price: Rational, all: Rational): number {
  const share = price.over(all);
  return Number((share.numerator * 10n ** 12n) / share.denominator) / 1e12;
}

interface Figures {
  price: Rational;
  all: Rational;
  variance: number;
  expectedRows: number | undefined;
}

function charge(
  { clique, groups, query, shape, answers, law, scale, sensitivity }: ResolvedRequest,
  { price, all, variance, expectedRows }: Figures,
): PlannedCharge {
  const totalError = Math.sqrt(variance * answers);
  return Object.freeze({
    clique,
    ...(groups.length > 0 ? { groups } : {}),
    query,
    shape,
    answers,
    law,
    scale: `${scale}`,
    sensitivity: { l1: `${sensitivity.l1}`, l2Squared: `${sensitivity.l2Squared}` },
    cost: `${price}`,
    share: shareOf(price, all),
    variance,
    error: Math.sqrt(variance),
    totalError,
    ...(expectedRows === undefined ? {} : { relativeError: totalError / expectedRows }),
  });
}

/** Three digits, without an exponent where a person can do without. */
function digits(value: number): string {
  return value !== 0 && (value < 1e-3 || value >= 1e6)
    ? value.toExponential(2)
    : `${Number(value.toPrecision(3))}`;
}

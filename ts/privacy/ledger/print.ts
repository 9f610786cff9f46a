import { oneLine as clean, sentence } from "../../print.js";
import { budgetFromJson, describe } from "../budget.js";
import { type Reading, readingsOf } from "../readAs.js";
import { aligned } from "../table.js";
import { type Amount, amount, charged, decimal, fraction, minus, zero } from "./amount.js";
import type { Json } from "./json.js";
import type { Currency, Entry, HeaderRecord } from "./records.js";

/** A ledger as data, without values; `ledger.schema.json` of this package describes it. */
export interface LedgerJson {
  format: "marginalia-ledger-summary";
  version: 1;
  dataset: string;
  /** The SHA-256 of the declared schema's normal JSON. */
  schema: string;
  unit: Json;
  relation: Json;
  budget: Json;
  /** When the ledger was begun. */
  begun: string;
  currency: Currency;
  /** Fractions. What is spent is the sum of all costs, rounded up where it would be long: as the account has it. */
  total: string;
  spent: string;
  left: string;
  /** How rows were read, in words. */
  readings: readonly Reading[];
  entries: Entry[];
}

export function asJson(header: HeaderRecord, entries: readonly Entry[]): LedgerJson {
  const { dataset, schema, unit, relation, budget, when, total } = header;
  const spent = sum(entries, amount(total.amount));
  return {
    format: "marginalia-ledger-summary",
    version: 1,
    dataset,
    schema,
    unit,
    relation,
    budget,
    begun: when,
    currency: total.currency,
    total: fraction(amount(total.amount)),
    spent: fraction(spent),
    left: fraction(minus(amount(total.amount), spent)),
    readings: readingsOf(entries, unit),
    entries: [...entries],
  };
}

const sum = (entries: readonly Entry[], total: Amount): Amount =>
  entries.reduce((so, { cost }) => charged(so, amount(cost), total), zero);

const SYMBOL: { readonly [key in Currency]: string } = { epsilon: "ε", rho: "ρ" };

const MEANING = {
  released: "released",
  "under way": "paid, under way",
  lost: "paid, never seen",
} as const;

export function asTable(header: HeaderRecord, entries: readonly Entry[]): string {
  const symbol = SYMBOL[header.total.currency];
  const total = amount(header.total.amount);
  const show = (value: Amount) => `${symbol} ${decimal(value)}`;
  let spent = zero;
  const rows = entries.map(({ when, what, mechanism, cost, state }, i) => {
    spent = charged(spent, amount(cost), total);
    const left = show(minus(total, spent));
    return [
      `${i + 1}`,
      minute(when),
      clean(what),
      clean(mechanism),
      show(amount(cost)),
      left,
      MEANING[state],
    ];
  });
  const head = ["", "when (UTC)", "what was asked", "how", "cost", "left", "outcome"];
  const table = rows.length > 0 ? aligned([head, ...rows]) : ["Nothing was asked so far."];
  const end = [...closing(entries, show, total), ...readingLines(header, entries)];
  return [...title(header, show(total)), "", ...table, "", ...end].join("\n");
}

function title({ dataset, unit, relation, budget, when }: HeaderRecord, total: string): string[] {
  return [
    `Privacy account of ${clean(dataset)}, begun ${minute(when)} UTC`,
    `  protects    ${unitInWords(unit)}`,
    `  against     ${relationInWords(relation)}`,
    `  budget      ${total} in all, declared as ${clean(budgetInWords(budget))}`,
  ];
}

function closing(entries: readonly Entry[], show: (value: Amount) => string, total: Amount): string[] {
  const spent = sum(entries, total);
  const lines = [`${show(spent)} of ${show(total)} is spent, ${show(minus(total, spent))} is left.`];
  const lost = entries.filter((entry) => entry.state === "lost");
  if (lost.length > 0) {
    const charges = lost.length === 1 ? "1 charge was" : `${lost.length} charges were`;
    lines.push(
      `${charges} paid without anything being seen (${show(sum(lost, total))}), because the call or the program ended between ` +
        "paying and keeping the result. What is paid is never given back.",
    );
  }
  return lines;
}

/** How rows were read, once for all charges or for each of some. */
function readingLines({ unit }: HeaderRecord, entries: readonly Entry[]): string[] {
  const found = readingsOf(entries, unit);
  return found.map(({ reading, charges }) => {
    const of =
      found.length === 1 ? "" : `${charges.length === 1 ? "Charge" : "Charges"} ${charges.join(", ")}: `;
    return clean(`${of}${found.length === 1 ? sentence(reading) : reading}.`);
  });
}

function unitInWords(unit: Json): string {
  if (unit === "row") return "each row";
  const { column, maxRows } = Object(unit) as { column?: Json; maxRows?: Json };
  const rows = maxRows === 1 ? "1 row" : `${String(maxRows)} rows`;
  if (typeof maxRows === "number" && typeof column === "string") {
    return `all rows with the same \`${clean(column)}\`, at most ${rows}`;
  }
  if (typeof maxRows === "number" && column === undefined) return `each person with at most ${rows}`;
  return clean(JSON.stringify(unit));
}

function relationInWords(relation: Json): string {
  if (relation === "add-remove") return "telling whether it is in the data at all";
  const { replace } = Object(relation) as { replace?: Json };
  const { n } = Object(replace) as { n?: Json };
  if (typeof n === "number") return `telling what it says, while their number, ${n}, is public`;
  return clean(JSON.stringify(relation));
}

/** As the budget describes itself; ledgers of others may declare theirs in other ways. */
function budgetInWords(budget: Json): string {
  try {
    return describe(budgetFromJson(budget));
  } catch {
    return typeof budget === "string" ? budget : JSON.stringify(budget);
  }
}

const minute = (when: string): string => when.slice(0, 16).replace("T", " ");

import {
  Accountant,
  type Measurement,
  type MeasureRequest,
  measurementsToBytes,
  Rational,
  type Schema,
  type Sealed,
} from "../../index.js";
import { amount, cliques, flag, fromText, type Option, text, type Values } from "../../option.js";
import { invalid } from "../../options.js";
import type { Entry } from "../../privacy/ledger/index.js";
import { command } from "../command.js";
import type { Console } from "../console.js";
import { EXIT } from "../exit.js";
import { checkPlaces, needed, readable, schemaOf } from "../files.js";
import { sourceOf } from "../input.js";
import { paying } from "../paid.js";
import { patient } from "../patience.js";
import { budgetOf, datasetOf, SEALING, sealedOf } from "../private.js";

const list = (value: unknown, name: string): MeasureRequest[] => {
  if (Array.isArray(value)) return value as MeasureRequest[];
  throw invalid(`\`${name}\` is a list of requests such as { clique, spend }`);
};

const requests: Option<MeasureRequest[]> = {
  help: 'what to measure as JSON, as `measure` of the API takes it, such as [{"clique":["age"],"spend":"1/10"}]',
  shown: "JSON",
  schema: { description: "Requests such as { clique, spend }.", type: "array", items: { type: "object" } },
  parse: (text, name) => list(fromText(text, name), name),
  check: list,
};

const options = {
  ...SEALING,
  cliques: cliques(
    "what to measure: names of attributes between commas, cliques between semicolons; each gets as much of --spend",
  ),
  spend: amount(
    "AMOUNT",
    "what all cliques together may cost, in ε of --epsilon and in ρ of others; the whole budget unless given",
  ),
  requests,
  label: text("TEXT", "sets runs apart that ask for the same: another label is another draw, and paid"),
  plan: flag("say what it would cost and how noisy it would be; nothing is read or spent"),
  out: text(
    "FILE",
    "where the measurements go, as bytes where the name ends in .bin; standard output unless given",
  ),
} as const;

export const measure = command({
  name: "measure",
  summary: "answer marginals of a private file with noise, paid from its budget",
  details:
    "Every answer is written into the account before it is shown. The same command run again takes what the account has, " +
    "and pays nothing. What goes to --out may be published.\n\n" +
    "  marginalia measure survey-2019.csv --schema schema.json --dataset survey-2019 --epsilon 1 --spend 0.2 \\\n" +
    '    --cliques "age,sex;area" --ledger account.json --out measurements.json',
  positional: ["private"],
  options,
  async run(values, io) {
    const { out = "-", plan = false } = values;
    const place = needed(values.private, "the private file");
    if (!plan) {
      needed(values.ledger, "the account of the data, --ledger FILE,");
      await checkPlaces(values, [["--out", out]]);
      await readable(place);
    }
    const sealed = await opened(values, place, io);
    try {
      const requests = requestsOf(values, sealed);
      return await (plan ? foretell(sealed, requests, io) : answer(sealed, requests, { ...values, out }, io));
    } finally {
      await sealed.close();
    }
  },
});

type MeasureValues = Values<typeof options>;

/** The table, sealed. */
async function opened(values: MeasureValues, place: string, io: Console): Promise<Sealed> {
  const [dataset, budget] = [datasetOf(values), budgetOf(values)];
  const schema = await schemaOf(values.schema, io.stdin);
  const source = sourceOf(place, io.stdin);
  return sealedOf(values, { schema, source, dataset, budget });
}

/** What is asked: as given, or cliques that share what may be spent. */
function requestsOf(values: MeasureValues, { budget, unit, relation }: Sealed): MeasureRequest[] {
  const { requests: whole, cliques: named, spend } = values;
  if ((whole === undefined) === (named === undefined))
    throw invalid(
      'what to measure is said by --cliques "age,sex;area", or by `requests` of the configuration',
    );
  if (whole !== undefined) {
    if (spend !== undefined) throw invalid("`requests` say themselves what they spend: leave out --spend");
    return whole;
  }
  const list = named ?? [];
  const all = spend === undefined ? new Accountant(budget, { unit, relation }).limit : Rational.of(spend);
  const each = all.over(Rational.of(BigInt(Math.max(1, list.length))));
  return list.map((clique) => ({ clique, ...spending(each, budget.type === "pure") }));
}

const spending = (spend: Rational, pure: boolean) => ({ law: pure ? "laplace" : "gaussian", spend }) as const;

async function foretell(sealed: Sealed, requests: readonly MeasureRequest[], io: Console): Promise<number> {
  const plan = await sealed.plan(requests);
  await io.say(
    () => `${plan}`,
    () => plan,
  );
  return plan.fits ? EXIT.done : EXIT.budget;
}

async function answer(
  sealed: Sealed<Schema>,
  requests: readonly MeasureRequest[],
  values: MeasureValues & { out: string },
  io: Console,
): Promise<number> {
  const { ledger } = values;
  const { price } = await sealed.plan(requests);
  const last = sealed.ledger.entries().at(-1)?.id ?? 0;
  const isOwn = ({ id }: Entry) => id > last;
  return paying({ sealed, ledger, signal: io.signal, price, isOwn }, () =>
    measured(sealed, requests, values, io),
  );
}

async function measured(
  sealed: Sealed<Schema>,
  requests: readonly MeasureRequest[],
  { private: place, out, label }: MeasureValues & { out: string },
  io: Console,
): Promise<number> {
  const before = `${sealed.spent}`;
  const signal = place === "-" ? io.signal : patient(sealed, io);
  const measured = await sealed.measure(requests, { signal, ...(label === undefined ? {} : { label }) });
  await io.deliver(out, /\.bin(\.gz)?$/i.test(out) ? measurementsToBytes(measured) : asJson(measured));
  const again = `${sealed.spent}` === before;
  const free = again ? "\nThe account had these answers already: nothing was paid again." : "";
  await io.say(
    () => `${sealed.ledger}${free}`,
    () => ({ measurements: measured.length, paid: !again, ledger: sealed.ledger.toJSON() }),
  );
  return EXIT.done;
}

const asJson = (measured: readonly Measurement[]): Uint8Array =>
  new TextEncoder().encode(`[\n${measured.map((one) => JSON.stringify(one)).join(",\n")}\n]\n`);

import { basename } from "node:path";
import {
  kWay,
  type Ranking,
  type RankPlanOptions,
  rank as ranked,
  readTable,
  workload,
} from "../../index.js";
import { amount, cliques, files, flag, text, type Values, whole } from "../../option.js";
import { invalid } from "../../options.js";
import type { Entry } from "../../privacy/ledger/index.js";
import type { Table } from "../../tables/table.js";
import { command } from "../command.js";
import type { Console } from "../console.js";
import { EXIT } from "../exit.js";
import { checkPlaces, needed, readable, schemaOf } from "../files.js";
import { sourceOf } from "../input.js";
import { paying } from "../paid.js";
import { patient } from "../patience.js";
import { PRIOR, publicPlace } from "../prior.js";
import { budgetOf, datasetOf, SEALING, sealedOf } from "../private.js";
import { textOf } from "../text-options.js";

const options = {
  ...SEALING,
  public: files(
    "PUBLIC…",
    "the public files, one or more; all columns of the schema, whatever else they have",
  ),
  publicWeight: PRIOR.publicWeight,
  ways: whole("K", 1, "judged by all combinations of so many attributes; 2 unless given"),
  cliques: cliques(
    "judged by these in their place: names of attributes between commas, cliques between semicolons",
  ),
  spend: amount(
    "AMOUNT",
    "what it may cost, in ε of --epsilon and in ρ of others; the whole budget unless given",
  ),
  label: text("TEXT", "sets runs apart that ask for the same: another label is another draw, and paid"),
  allowSameSource: flag("a public file is the private one: for experiments with public data only"),
  plan: flag("say what it would cost and how little could be told apart; nothing is read or spent"),
  out: text("FILE", "where the ranking goes as JSON"),
} as const;

type RankValues = Values<typeof options>;

export const rank = command({
  name: "rank",
  summary:
    "say which of several public files is the best start for a release; paid once, whatever their number",
  details:
    "It measures marginals of the private file, writes them into its account, and judges every public file by them: how far it is off " +
    "as it is, and at best, if its rows are weighted as well as can be. Run again, also with other public files, it pays nothing.\n\n" +
    "  marginalia rank --private survey-2019.csv --schema schema.json --ledger account.json --epsilon 1 \\\n" +
    "    --spend 0.1 --public survey-2018.csv survey-2017.csv other-state.csv",
  positional: ["public"],
  options,
  async run(values, io) {
    const place = needed(values.private, "the private file, --private FILE,");
    if (!values.plan) {
      needed(values.ledger, "the account of the data, --ledger FILE,");
      await checkPlaces(values, [["--out", values.out]]);
      await readable(place);
    }
    const schema = await schemaOf(values.schema, io.stdin);
    const [dataset, budget] = [datasetOf(values), budgetOf(values)];
    const sealed = await sealedOf(values, { schema, source: sourceOf(place, io.stdin), dataset, budget });
    const { ways = 2, cliques: named, spend } = values;
    if (named && values.ways !== undefined) throw invalid("--ways or --cliques, not both");
    const judging = named ? workload(schema, named) : kWay(schema, ways);
    const request = { data: sealed, workload: judging, ...(spend === undefined ? {} : { spend }) };
    try {
      return await (values.plan ? foretell(request, io) : judge(values, request, io));
    } finally {
      await sealed.close();
    }
  },
});

async function foretell(request: RankPlanOptions, io: Console): Promise<number> {
  const { plan, reach, share } = await ranked.plan(request);
  const parts =
    share === undefined ? "" : `, ${Number((100 * share).toPrecision(2))} % of those that are expected`;
  const words = `What is less than ${Math.ceil(reach)} records${parts}, will not be seen of a public file.`;
  await io.say(
    () => `${plan}\n\n${words}`,
    () => ({ ...plan.toJSON(), reach, ...(share !== undefined && { share }) }),
  );
  return plan.fits ? EXIT.done : EXIT.budget;
}

/** Reads public files before anything is paid. */
async function judge(values: RankValues, request: RankPlanOptions, io: Console): Promise<number> {
  const { data: sealed } = request;
  const { ledger, label, allowSameSource, out } = values;
  const tables = await publicTables(values, request, io);
  try {
    const { plan } = await ranked.plan(request);
    const last = sealed.ledger.entries().at(-1)?.id ?? 0;
    const isOwn = ({ id }: Entry) => id > last;
    const before = `${sealed.spent}`;
    const ranking = await paying({ sealed, ledger, signal: io.signal, price: plan.price, isOwn }, () => {
      const signal = values.private === "-" ? io.signal : patient(sealed, io);
      const settings = {
        signal,
        ...(label !== undefined && { label }),
        ...(allowSameSource && { allowSameSource }),
      };
      return ranked({ ...request, public: tables, ...settings });
    });
    await deliver(ranking, out, { io, again: `${sealed.spent}` === before, request });
    return EXIT.done;
  } finally {
    for (const table of Object.values(tables)) table.dispose();
  }
}

async function publicTables(
  values: RankValues,
  { data }: RankPlanOptions,
  io: Console,
): Promise<Record<string, Table>> {
  const { public: list = [], publicWeight: weight } = values;
  if (list.length === 0) throw invalid("the public files are missing: --public FILE FILE …");
  const tables: Record<string, Table> = {};
  for (const one of list) {
    const place = await publicPlace({ ...values, public: one });
    const name = Object.hasOwn(tables, basename(one)) ? one : basename(one);
    if (Object.hasOwn(tables, name)) throw invalid("a public file is named twice");
    tables[name] = await readTable(sourceOf(place, io.stdin), data.schema, {
      ...textOf(values),
      ...(weight === undefined ? {} : { weight }),
      ignore: true,
      signal: io.signal,
      onProgress: io.progress(`reading ${name}`),
    });
  }
  io.clear();
  return tables;
}

interface Delivery {
  io: Console;
  again: boolean;
  request: RankPlanOptions;
}

async function deliver(
  ranking: Ranking,
  out: string | undefined,
  { io, again, request }: Delivery,
): Promise<void> {
  const { ledger } = request.data;
  const free = again ? "\nThe account had these answers already: nothing was paid again." : "";
  const needed = ranking.rowsNeeded();
  const data = { ...ranking, rowsNeeded: needed };
  if (out !== undefined) await io.deliver(out, `${JSON.stringify(data, null, 1)}\n`);
  await io.say(
    () => `${ranking}\n\n${ledger}${free}`,
    () => ({ ...data, paid: !again, ledger: ledger.toJSON() }),
  );
}

import { advantage, type Budget, explain, type ReleasePlan, type Schema, type Table } from "../../index.js";
import { invalid } from "../../options.js";
import { describe } from "../../privacy/budget.js";
import { aligned } from "../../privacy/table.js";
import { command } from "../command.js";
import type { Console } from "../console.js";
import { EXIT } from "../exit.js";
import { apart, pathOf, schemaOf, writable } from "../files.js";
import { sourceOf } from "../input.js";
import { text, type Values } from "../options.js";
import { mechanismOf, PRIOR, priorOf } from "../prior.js";
import { budgetOf, datasetOf, ledgerPath, SEALING, sealedOf } from "../private.js";

const options = {
  ...SEALING,
  ...PRIOR,
  out: text("FILE", "where the plan goes as JSON, for `run --planned`"),
} as const;

type Given = Values<typeof options>;

export const plan = command({
  name: "plan",
  summary: "say what a release would measure, at which cost and error, and why; nothing private is read",
  details:
    "The private file need not be there. Several amounts between commas as --epsilon (or --rho) are compared: choose one " +
    "before any answer is seen. The exit code is 4 where what is left does not pay for it.\n\n" +
    "  marginalia plan --public survey-2018.csv --schema schema.json --epsilon 0.3,1,3 --expected-rows 5000",
  positional: ["public"],
  options,
  async run(values, io) {
    const { out } = values;
    if (out !== undefined) {
      const schema = pathOf(values.schema);
      const others = {
        "the public file": values.public,
        "the schema": schema,
        "the account": ledgerPath(values),
      };
      await apart(out, { ...others, "the private file": values.private });
      await writable(out);
    }
    const budgets = budgetsOf(values);
    const schema = await schemaOf(values.schema, io.stdin);
    using prior = await priorOf(values, schema, io);
    const plans: Planned[] = [];
    for (const budget of budgets)
      plans.push(await planned(values, { schema, prior, budget, all: budgets }, io));
    io.clear();
    return said(plans, out, io);
  },
});

interface Planned {
  readonly budget: Budget;
  readonly words: string;
  readonly plan: ReleasePlan;
}

interface Question {
  schema: Schema;
  prior: Table;
  budget: Budget;
  all: readonly Budget[];
}

/** The plan for one budget. Of several none has an account: what was spent of one says nothing of the others. */
async function planned(
  values: Given,
  { schema, prior, budget, all }: Question,
  io: Console,
): Promise<Planned> {
  const { ledger, counter, ...rest } = values;
  const own = all.length > 1 ? rest : values;
  const hidden = values.private;
  const sealed = await sealedOf(own, {
    schema,
    // Never opened: a plan reads nothing.
    source: hidden === undefined || hidden === "-" ? () => [] : sourceOf(hidden, io.stdin),
    dataset: hidden === undefined ? (values.dataset ?? "the private table") : datasetOf(values),
    budget,
    begins: false,
  });
  using mechanism = mechanismOf(values, prior);
  try {
    const made = await mechanism.plan(sealed, { signal: io.signal, onProgress: io.phases() });
    return { budget: sealed.budget, words: explain(sealed.budget, sealed), plan: made };
  } finally {
    await sealed.close();
  }
}

/** One budget, or one for each of several amounts. */
function budgetsOf(values: Given): Budget[] {
  const { epsilon, rho } = values;
  const listed = (amounts: string | number | undefined) =>
    `${amounts ?? ""}`.split(",").map((one) => one.trim());
  const [epsilons, rhos] = [listed(epsilon), listed(rho)];
  if (epsilons.length > 1 && rhos.length > 1) throw invalid("several amounts are of --epsilon or of --rho");
  if (epsilons.length > 1) return epsilons.map((one) => budgetOf({ ...values, epsilon: one }));
  if (rhos.length > 1) return rhos.map((one) => budgetOf({ ...values, rho: one }));
  return [budgetOf(values)];
}

async function said(plans: readonly Planned[], out: string | undefined, io: Console): Promise<number> {
  const [first, ...more] = plans as [Planned, ...Planned[]];
  const list = plans.map(({ budget, plan: made }) => ({ budget, advantage: advantage(budget), plan: made }));
  const data = more.length === 0 ? first.plan : list;
  if (out !== undefined)
    await io.deliver(out, new TextEncoder().encode(`${JSON.stringify(data, null, 1)}\n`));
  await io.say(
    () => (more.length === 0 ? `${first.plan}\n\n${first.words}` : compared(plans)),
    () => data,
  );
  return plans.every(({ plan: made }) => made.fits) ? EXIT.done : EXIT.budget;
}

/** Several budgets side by side. */
function compared(plans: readonly Planned[]): string {
  const [first] = plans as [Planned];
  const { untouched } = first.plan.forecast;
  const rows = plans.map(({ budget, plan: { forecast, charges } }) => {
    const best = forecast.candidates[forecast.chosen];
    const mean = charges.reduce((sum, { error }) => sum + error, 0) / charges.length;
    const chance = Math.ceil(5000 * (1 + advantage(budget))) / 100;
    return [
      describe(budget),
      `${chance} %`,
      points(best?.score, best?.standardError),
      `${charges.length}`,
      `± ${Number(mean.toPrecision(3))}`,
    ];
  });
  const head = ["budget", "a bet on anybody is right", "points of 1000", "marginals", "error of each count"];
  return [
    "What a release is expected to reach, simulated on public data alone and rough; nothing was read or spent",
    "",
    ...aligned([
      head,
      ["none: the public file as it is", "50 %", points(untouched.score, untouched.standardError), "0", ""],
      ...rows,
    ]),
    "",
    "`plan` with one of them says more. The budget is decided before any answer is seen.",
  ].join("\n");
}

function points(score: number | undefined, error: number | undefined): string {
  if (score === undefined) return "";
  return error === undefined ? score.toFixed(1) : `${score.toFixed(1)} ± ${error.toFixed(1)}`;
}

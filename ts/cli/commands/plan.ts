import {
  advantage,
  type Budget,
  explain,
  type MeasurePlan,
  type OpenSchema,
  type Schema,
  type Table,
} from "../../index.js";
import { text, type Values } from "../../option.js";
import { invalid } from "../../options.js";
import { command } from "../command.js";
import { type Compared, compared } from "../compared.js";
import type { Console } from "../console.js";
import { EXIT } from "../exit.js";
import { anySchemaOf, checkPlaces, isOpenSchema } from "../files.js";
import { sourceOf } from "../input.js";
import { checkKind, MECHANISM, mechanismOf, startOf } from "../mechanism.js";
import { budgetOf, datasetOf, openOf, SEALING, sealedOf } from "../private.js";

const options = {
  ...SEALING,
  ...MECHANISM,
  out: text("FILE", "where the plan goes as JSON, for `run --planned`"),
} as const;

type PlanValues = Values<typeof options>;

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
    checkKind(values);
    const { out } = values;
    await checkPlaces(values, [["--out", out]]);
    const budgets = budgetsOf(values);
    const schema = await anySchemaOf(values.schema, io.stdin);
    using prior = await startOf(values, isOpenSchema(schema) ? schema.assumed() : schema, io);
    const plans: Planned[] = [];
    for (const budget of budgets)
      plans.push(await planned(values, { schema, prior, budget, all: budgets }, io));
    io.clear();
    return said(plans, out, io);
  },
});

interface Planned extends Compared {
  readonly words: string;
  /** What finding the bounds costs, where some are to be found. */
  readonly bounds: MeasurePlan | undefined;
}

interface Question {
  schema: Schema | OpenSchema;
  prior: Table | undefined;
  budget: Budget;
  all: readonly Budget[];
}

/** The plan for one budget. Of several none has an account: what was spent of one says nothing of the others. */
async function planned(
  values: PlanValues,
  { schema, prior, budget, all }: Question,
  io: Console,
): Promise<Planned> {
  const { ledger, counter, ...rest } = values;
  const own = all.length > 1 ? rest : values;
  const hidden = values.private;
  const opening = {
    // Never opened: a plan reads nothing.
    source: hidden === undefined || hidden === "-" ? () => [] : sourceOf(hidden, io.stdin),
    dataset: hidden === undefined ? (values.dataset ?? "the private table") : datasetOf(values),
    budget,
  };
  const open = isOpenSchema(schema) ? await openOf(own, { schema, ...opening }) : undefined;
  const bounds = await open?.plan();
  const sealed = (await open?.assumed()) ?? (await sealedOf(own, { schema: schema as Schema, ...opening }));
  using mechanism = mechanismOf(values, prior);
  try {
    const made = await mechanism.plan(sealed, { signal: io.signal, onProgress: io.phases() });
    return { budget: sealed.budget, words: explain(sealed.budget, sealed), plan: made, bounds };
  } finally {
    await sealed.close();
    await open?.close();
  }
}

/** One budget, or one for each of several amounts. */
function budgetsOf(values: PlanValues): Budget[] {
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
  const list = plans.map(({ budget, plan: made, bounds }) => ({
    ...{ budget, advantage: advantage(budget), plan: made },
    ...(bounds && { bounds }),
  }));
  const single = first.bounds ? { ...first.plan.toJSON(), bounds: first.bounds } : first.plan;
  const data = more.length === 0 ? single : list;
  const before = first.bounds ? `First the bounds, then the release.\n\n${first.bounds}\n\n` : "";
  if (out !== undefined) await io.deliver(out, `${JSON.stringify(data, null, 1)}\n`);
  await io.say(
    () => before + (more.length === 0 ? `${first.plan}\n\n${first.words}` : compared(plans)),
    () => data,
  );
  return plans.every(({ plan: made }) => made.fits) ? EXIT.done : EXIT.budget;
}

import { mechanisms, type Schema, type Table } from "../index.js";
import { dashed, flag, type Option, type Options, oneOf } from "../option.js";
import { invalid } from "../options.js";
import type { Console } from "./console.js";
import { PRIOR, type PriorValues, priorOf, publicName } from "./prior.js";

export type AnyMechanism =
  Awaited<ReturnType<(typeof mechanisms)[string]>> extends {
    make(options: object): infer M;
  }
    ? M
    : never;
export type AnyPlan = Awaited<ReturnType<AnyMechanism["plan"]>>;
export type AnyPlanJson = ReturnType<AnyPlan["toJSON"]>;
export type AnyRelease = Awaited<ReturnType<AnyMechanism["run"]>>;

const DEFINED = await Promise.all(
  Object.entries(mechanisms).map(async ([name, load]) => ({ name, ...(await load()) })),
);

/** Unless another is asked for the first of the registry is taken, and without a public file the first that needs none. */
const [USUAL] = DEFINED as [Defined];
const ALONE = DEFINED.find(({ priorless }) => priorless) as Defined;

type Defined = (typeof DEFINED)[number];

const byName = oneOf(
  DEFINED.map(({ name }) => name),
  `how the release is made: ${DEFINED.map(({ name, help }) => `${dashed(name)}: ${help}`).join("; ")}; ${dashed(USUAL.name)} unless given, and ${dashed(ALONE.name)} without a public file`,
);
const mechanism: Option<string> = {
  ...byName,
  shown: DEFINED.map(({ name }) => dashed(name)).join("|"),
  parse: (text, name) => byName.check(DEFINED.find((one) => dashed(one.name) === text)?.name ?? text, name),
};

/** What releases are made by: the options of all mechanisms, each of which refuses what it does not take. */
export const MECHANISM = {
  ...PRIOR,
  mechanism,
  ...Object.fromEntries(DEFINED.flatMap((one) => (one.flag ? [[one.name, flag(one.help)]] : []))),
  ...(Object.assign({}, ...DEFINED.map(({ options }) => options).reverse()) as Options),
};

/** What a command was given, by names. */
export type OptionValues = Readonly<Record<string, unknown>>;

/** The mechanism that is asked for, by its name or by its own flag, or that is usual. */
function mechanismIn(values: OptionValues): Defined {
  const flags = DEFINED.filter(({ name, flag: own }) => own && values[name] === true);
  const named = DEFINED.find(({ name }) => name === values.mechanism);
  const [found = named ?? usualOf(values)] = flags;
  if (named && found !== named)
    throw invalid(`--${dashed(found.name)} is another than --mechanism ${dashed(named.name)}: leave out one`);
  return found;
}

/** What is usual for such options: whoever gives one that needs a public file has forgotten that. */
function usualOf(values: OptionValues): Defined {
  const isOther = (name: string) => Object.hasOwn(USUAL.options, name) && !Object.hasOwn(ALONE.options, name);
  return values.public !== undefined || Object.keys(values).some(isOther) ? USUAL : ALONE;
}

const wayOf = ({ name, flag: own }: Defined) => (own ? `--${dashed(name)}` : `--mechanism ${dashed(name)}`);

/** Refuses what is of another mechanism than the one that is asked for. */
export function checkKind(values: OptionValues): void {
  const own = mechanismIn(values);
  const isOther = (name: string) => Object.hasOwn(values, name) && !Object.hasOwn(own.options, name);
  const other = DEFINED.flatMap(({ options }) => Object.keys(options)).find(isOther);
  if (other !== undefined) {
    const ways = DEFINED.filter(({ options }) => Object.hasOwn(options, other)).map(wayOf);
    const how = own === usualOf(values) ? "" : `: leave out ${wayOf(own)}, or --${dashed(other)}`;
    throw invalid(`--${dashed(other)} goes with ${ways.join(" or ")}${how}`);
  }
  if (values.groups !== undefined && values.weighted !== undefined)
    throw invalid("`weighted` writes the rows of one model, and each group has its own: leave it out");
  own.check?.(values);
}

/** The public table that the mechanism starts from; none where it needs none and none is given. */
export const startOf = async (
  values: OptionValues & PriorValues,
  schema: Schema,
  io: Console,
): Promise<Table | undefined> =>
  mechanismIn(values).priorless && values.public === undefined ? undefined : priorOf(values, schema, io);

/** The mechanism that the options describe. */
export function mechanismOf(values: OptionValues, prior: Table | undefined): AnyMechanism {
  const { make, options } = mechanismIn(values);
  const name = publicName(values.public as string | undefined);
  const own = Object.entries(values).filter(([one]) => Object.hasOwn(options, one));
  const provenance = { ...(name !== undefined && { name }), ...Object(values.provenance) };
  return make({ ...Object.fromEntries(own), ...(prior && { prior, provenance }) });
}

import {
  type AdaptiveOptions,
  type AdaptivePlan,
  type AdaptivePlanJson,
  type AdaptiveProgress,
  adaptive,
  type GroupedOptions,
  type GroupedPlan,
  type GroupedPlanJson,
  type GroupedRelease,
  type GroupLevel,
  type PriorAwareOptions,
  priorAware,
  type Release,
  type ReleasedGroup,
  type ReleasePlan,
  type ReleasePlanJson,
  type Sealed,
  type Table,
} from "../index.js";
import {
  cliques,
  dashed,
  flag,
  fromText,
  isNames,
  json,
  type Option,
  type Options,
  oneOf,
  part,
  schemas,
  type Values,
  whole,
} from "../option.js";
import { invalid, isObject } from "../options.js";
import { PRIOR, publicName } from "./prior.js";

type Level = readonly string[] | GroupLevel;

const groups: Option<readonly Level[]> = {
  help:
    "release groups: the attributes whose combinations they are; or a chain of levels, the coarsest first, between " +
    "semicolons or as JSON, which the API takes too",
  shown: "PUMA,YEAR",
  schema: {
    description:
      "Levels of groups, from the coarsest to the finest: lists of attributes, or objects such as { by, workload, share }.",
    type: "array",
    minItems: 1,
    items: {
      anyOf: [
        schemas.names,
        {
          type: "object",
          required: ["by"],
          additionalProperties: false,
          properties: {
            by: schemas.names,
            workload: schemas.cliques,
            count: { type: "number", minimum: 0 },
            share: { type: "number", minimum: 0 },
            strength: { type: "number", exclusiveMinimum: 0 },
          },
        },
      ],
    },
  },
  parse: (given, name) =>
    given.trimStart().startsWith("[") ? groups.check(fromText(given, name), name) : parent.parse(given, name),
  check(value, name) {
    const level = (one: unknown) => isNames(one) || (isObject(one) && isNames((one as { by?: unknown }).by));
    if (Array.isArray(value) && value.length > 0 && value.every(level)) return value as Level[];
    throw invalid(
      `\`${name}\` is a list of levels: lists of attributes, or objects such as { by, workload }`,
    );
  },
};

const parent = {
  ...cliques(
    "the levels that the groups lie within, the coarsest first, between semicolons; an empty one is all records",
  ),
  shown: "STATE",
};

/** What groups take beside what every release takes. */
export const GROUPS = {
  groups,
  parent,
  totals: oneOf(
    ["consistent", "combined", "count"],
    "how many records groups have: such that they sum up, as each says, or by its count alone; consistent unless given",
  ),
  estimator: oneOf(
    ["calibrated", "iterative"],
    "how groups are estimated: iterative is as in the paper, whatever the noise; calibrated unless given",
  ),
  local: flag("public counts within groups say how groups differ, unless --no-local"),
  mostRows: whole("N", 1, "how many public rows groups share, about and at most; 65536 unless given"),
} as const satisfies Options;

/** What rounds take. */
export const ROUNDS = {
  adaptive: flag(
    "choose what is measured in rounds, by where the model is wrong; for priors that may be poor",
  ),
  rounds: whole("N", 1, "how many rounds; by the budget and the rows expected unless given"),
  selectShare: part("SHARE", "the part of the budget that choosing gets; 0.1 unless given"),
  start: oneOf(["none", "one-ways"], "what is measured before the first round; nothing unless given"),
  factors: json<number[]>(
    ["array"],
    "[1,2]",
    "how much each clique of --workload matters in rounds: whole numbers",
    { items: { type: "integer", minimum: 1 } },
  ),
} as const satisfies Options;

/** What a release starts from, and how it is made. */
export const MECHANISM = { ...PRIOR, ...GROUPS, ...ROUNDS } as const;

export type MechanismValues = Values<typeof MECHANISM>;
export type AnyPlan = ReleasePlan | GroupedPlan | AdaptivePlan;
export type AnyPlanJson = ReleasePlanJson | GroupedPlanJson | AdaptivePlanJson;
export type AnyRelease = Release | Release<Sealed["schema"], AdaptivePlan> | GroupedRelease;

interface Settings {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: AdaptiveProgress) => void;
}

export interface RunSettings<P> extends Settings {
  readonly plan: P;
  readonly keepRefused: boolean;
  /** Of groups alone. */
  readonly onGroup?: (group: ReleasedGroup) => void;
}

/** What commands ask of a mechanism that takes such plans: of any one, unless given. */
export interface Mechanism<P = AnyPlan | AnyPlanJson> extends Disposable {
  plan(sealed: Sealed, settings: Settings): Promise<AnyPlan>;
  run(sealed: Sealed, settings: RunSettings<P>): Promise<AnyRelease>;
}

/** Takes any plan: one that another mechanism made is refused by the mechanism itself. */
const taking = <P extends AnyPlan | AnyPlanJson>(mechanism: Mechanism<P>): Mechanism => ({
  plan: (sealed, settings) => mechanism.plan(sealed, settings),
  run: (sealed, settings) => mechanism.run(sealed, { ...settings, plan: settings.plan as P }),
  [Symbol.dispose]: () => mechanism[Symbol.dispose](),
});

/** Refuses what is of another kind of release than the one that is asked for. */
export function checkKind(values: MechanismValues & { readonly weighted?: string }): void {
  const { adaptive: rounds = false, groups: levels, weighted } = values;
  if (rounds && levels !== undefined)
    throw invalid("rounds are of a table as a whole: leave out --adaptive, or --groups");
  const refuse = (options: Options, flagged: string) => {
    const found = Object.keys(options).find((name) => Object.hasOwn(values, name) && name !== "adaptive");
    if (found !== undefined) throw invalid(`--${dashed(found)} goes with ${flagged}`);
  };
  if (!rounds) refuse(ROUNDS, "--adaptive");
  if (levels === undefined) return refuse(GROUPS, "--groups");
  const flat = FLAT.find((name) => Object.hasOwn(values, name));
  if (flat !== undefined)
    throw invalid(
      `--${dashed(flat)} is not for groups: a level of \`groups\` says what is measured and what counts`,
    );
  if (weighted !== undefined)
    throw invalid("`weighted` writes the rows of one model, and each group has its own: leave it out");
}

/** What groups do not take. */
const FLAT = ["group", "pool", "workload", "strength"] as const;

/** The mechanism that the options describe. */
export function mechanismOf(values: MechanismValues, prior: Table): Mechanism {
  const { adaptive: rounds = false, groups: levels, parent: above = [], ...rest } = values;
  const { publicWeight: _, public: place, provenance = {}, ...others } = rest;
  const own = Object.entries(others).filter(([name]) => name in MECHANISM);
  const name = publicName(place);
  const options = {
    ...Object.fromEntries(own),
    prior,
    provenance: { ...(name !== undefined && { name }), ...provenance },
  };
  if (rounds) return taking(adaptive(options as AdaptiveOptions));
  if (levels === undefined) return taking(priorAware(options as PriorAwareOptions));
  return taking(priorAware({ ...options, groups: [...above, ...levels] } as GroupedOptions));
}

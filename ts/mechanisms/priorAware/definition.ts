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
  schemas,
  whole,
} from "../../option.js";
import { invalid, isObject } from "../../options.js";
import type { GroupedOptions, GroupLevel, GroupTotal } from "../groups/index.js";
import type { AnyMechanism } from "../kit/definition.js";
import { COMMON, FORECAST } from "../kit/described.js";
import { priorAware } from "./index.js";

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
  parse: (text, name) =>
    text.trimStart().startsWith("[") ? groups.check(fromText(text, name), name) : parent.parse(text, name),
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
const GROUPS = {
  groups,
  parent,
  totals: oneOf(
    ["consistent", "combined", "count"],
    "how many records groups have: such that they sum up, as each says, or by its count alone; consistent unless given",
  ),
  local: flag("public counts within groups say how groups differ, unless --no-local"),
  mostRows: whole("N", 1, "how many public rows groups share, about and at most; 65536 unless given"),
} as const satisfies Options;

/** What groups do not take. */
const FLAT = ["group", "pool", "workload", "strength"] as const;

export const help = "a workload is chosen on public data, measured at once, and balanced with the prior";

export const options = {
  ...GROUPS,
  ...COMMON,
  ...FORECAST,
  total: json<number | readonly GroupTotal[]>(
    ["number", "array"],
    "N",
    "the number of private records, where it is public; of groups also JSON, a list of { group, records }",
  ),
} as const satisfies Options;

/** Refuses what is of another kind of release than the one that is asked for. */
export function check(values: object): void {
  const named = (names: readonly string[]) => names.find((name) => Object.hasOwn(values, name));
  if (!Object.hasOwn(values, "groups")) {
    const found = named(Object.keys(GROUPS));
    if (found !== undefined) throw invalid(`--${dashed(found)} goes with --groups`);
    return;
  }
  const flat = named(FLAT);
  if (flat !== undefined)
    throw invalid(
      `--${dashed(flat)} is not for groups: a level of \`groups\` says what is measured and what counts`,
    );
}

export function make(values: object): AnyMechanism {
  const {
    parent = [],
    groups: levels,
    ...rest
  } = values as {
    parent?: readonly Level[];
    groups?: readonly Level[];
  };
  return priorAware((levels ? { ...rest, groups: [...parent, ...levels] } : rest) as GroupedOptions);
}

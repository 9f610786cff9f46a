import type { ChargePart, GroupsPlanPart, PlanPart, ReportJson, RoundPart, RoundsPlanPart } from "./input.js";
import { crossed, equals } from "./words.js";

/** A charge of a release, whichever made it. */
export interface ChargeLine {
  readonly label: string;
  /** How many values are told; one where something was chosen. */
  readonly cells: number;
  readonly how: string;
  /** The exact variance of the noise in each value; nothing where there is none. */
  readonly variance?: number;
  readonly cost: string;
  readonly share: number;
}

/** All charges as they were planned, and what they cost together. */
export function chargesOf({ release, rounds = [] }: ReportJson): { price: string; lines: ChargeLine[] } {
  const { measure, price = "0", start = [], rounds: planned = [] }: PlanPart = release.plan;
  if (measure) return { price: measure.price, lines: measure.charges.map(lineOf) };
  return { price, lines: [...start.map(lineOf), ...planned.flatMap((round) => linesOf(round, rounds))] };
}

function lineOf({ clique, groups = [], answers, law, scale, variance, cost, share }: ChargePart): ChargeLine {
  const what = clique.length === 0 ? "number of records" : crossed(clique);
  const label = groups.length === 0 ? what : `${what} in every ${crossed(groups)}`;
  return { label, cells: answers, how: noise({ law, scale }), variance, cost, share };
}

/** A choice, and what was measured by it: unless one of the two was paid and lost. */
function linesOf(
  { round, select, measure }: RoundsPlanPart["rounds"][number],
  made: readonly RoundPart[],
): ChargeLine[] {
  const chosen = made.find((one) => one.round === round);
  const what = chosen ? crossed(chosen.clique) : "what was chosen";
  return [
    {
      ...{ label: `round ${round}: choosing among ${select.among}`, cells: 1 },
      how: `${select.mechanism}, ε ${equals(select.epsilon)}`,
      ...{ cost: select.cost, share: select.share },
    },
    {
      ...{ label: `round ${round}: ${what}`, cells: chosen?.cells ?? 0, how: noise(measure) },
      ...(measure.variance !== undefined && { variance: measure.variance }),
      ...{ cost: measure.cost, share: measure.share },
    },
  ];
}

export const noise = ({ law, scale }: Pick<ChargePart, "law" | "scale">): string =>
  law === "gaussian" ? `discrete Gaussian, σ² ${equals(scale)}` : `discrete Laplace, b ${equals(scale)}`;

/** What is charged in the groups of one level. */
export interface LevelCharges {
  readonly by: readonly string[];
  readonly groups: number;
  /** The counts of its groups, where they were measured. */
  readonly counts?: ChargePart;
  readonly workload: readonly ChargePart[];
}

/** The charges of each level: they stand in the order of the levels, each with the attributes that it was asked in. */
export function levelsOf({ levels, measure }: GroupsPlanPart): LevelCharges[] {
  const own = levels.map((): ChargePart[] => []);
  let at = 0;
  for (const charge of measure.charges) {
    // What follows from others of a level is not asked by: the state beside the area.
    const within = ({ by }: { by: readonly string[] }) => {
      const { groups = [] } = charge;
      return groups.length === 0 ? by.length === 0 : groups.every((name) => by.includes(name));
    };
    while (at < levels.length - 1 && !within(levels[at] as GroupsPlanPart["levels"][number])) at += 1;
    own[at]?.push(charge);
  }
  return levels.map(({ by, groups }, i) => {
    const charges = own[i] ?? [];
    const counts = charges.find(({ clique }) => clique.length === 0);
    return {
      ...{ by, groups, workload: charges.filter(({ clique }) => clique.length > 0) },
      ...(counts && { counts }),
    };
  });
}

/** The groups of a level in words, after "each" and "every". */
export const levelName = ({ by }: { by: readonly string[] }): string =>
  by.length === 0 ? "table as a whole" : crossed(by);

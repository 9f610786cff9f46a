import type { ReleasedGroup } from "../index.js";
import type { AnyRelease } from "./mechanism.js";

/** What a run has come to. */
export interface Done {
  readonly records: number;
  readonly where: readonly string[];
  readonly report: string | undefined;
  readonly save: string | undefined;
  /** Whether anything was paid. */
  readonly paid: boolean;
}

/** What was made, and what it cost. */
export function inWords(release: AnyRelease, { records, where, report, save, paid }: Done): string {
  const [first, last] = [where[0], where.at(-1)];
  const place = first === "-" ? "" : ` in ${first}${where.length > 1 ? ` … ${last}` : ""}`;
  return [
    `${records} synthetic records${place}.`,
    ...(report === undefined ? [] : [`The report is in ${report}; it may be shared.`]),
    ...(save === undefined ? [] : [`The release is kept in ${save}; it may be shared.`]),
    ...doubts(release),
    "",
    `${release.ledger}`,
    ...(paid ? [] : ["The account had the answers already: nothing was paid again."]),
  ].join("\n");
}

/** Estimates that did not come to their end. */
function doubts(release: AnyRelease): string[] {
  if ("groups" in release) {
    const early = release.groups.filter(({ status }) => status !== "converged").length;
    if (early === 0) return [];
    return [
      `Of ${release.groups.length} groups ${early} ended before their tolerance: the report says which.`,
    ];
  }
  const { status } = release.report.estimate;
  if (status === "converged") return [];
  return [
    `The estimate ended before its tolerance (${status}): the report says how far from the optimum it may be.`,
  ];
}

/** The same as data. */
export function asData(release: AnyRelease, { records, where, report, save, paid }: Done): object {
  return {
    ...{ records, total: release.total, files: where.filter((place) => place !== "-") },
    ...(report !== undefined && { report }),
    ...(save !== undefined && { save }),
    ...{ paid, ...estimates(release), ledger: release.ledger.toJSON() },
  };
}

/** How estimation went; of groups level by level. */
function estimates(release: AnyRelease): object {
  if (!("groups" in release)) return { estimate: release.report.estimate };
  const { plan, groups } = release;
  const levels = plan.toJSON().levels.map(({ by }, level) => {
    const own = groups.filter((group) => group.level === level);
    const ended = (status: ReleasedGroup["status"]) => own.filter((group) => group.status === status).length;
    return {
      ...{ by, groups: own.length },
      ...{ converged: ended("converged"), limit: ended("limit"), refused: ended("refused") },
    };
  });
  return { levels };
}

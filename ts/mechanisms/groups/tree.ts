import type { Followed } from "../../estimate/dependencies.js";
import { invalid, isObject } from "../../options.js";
import type { NameOf, Schema } from "../../tables/schema.js";
import type { DeclaredGroup } from "./prior.js";

/** Which group: a label of each attribute of its level. */
export type GroupKey<S extends Schema = Schema> = { readonly [K in NameOf<S>]?: string | null };

/** One group as it was estimated; all of it may be published. */
export interface ReleasedGroup {
  /** The place of its level, from the coarsest. */
  readonly level: number;
  /** Its label of each attribute of its level. */
  readonly by: Readonly<Record<string, string | null>>;
  /** How many records it is estimated to have, which may be below zero, and the standard error of that. */
  readonly records: number;
  readonly standardError: number;
  /** How the estimation ended, and how far it may be from the optimum, as a part of its value. */
  readonly status: "converged" | "limit" | "refused";
  readonly relativeGap: number;
  /** How far it is from its prior, in nats. */
  readonly relativeEntropy: number;
  /** Records, by its answers, in cells where no shared row is. */
  readonly outside: number;
}

/** How far the priors of the groups of a level were trusted, by what its answers said of them. */
export interface LevelTrust {
  /** Which part of what priors are worth by their sources they counted for: 1 unless answers contradict them. */
  readonly factor: number;
  /** By how many standard errors answers were farther from fits with all of it than noise explains; below 2 is agreement. */
  readonly excess: number;
}

/** @internal What is known of a group once it is estimated. */
export interface Figures {
  status: ReleasedGroup["status"];
  relativeGap: number;
  relativeEntropy: number;
  records: number;
  variance: number;
  worth: number;
  outside: number;
}

/** @internal The numbers of a group, after how it ended, as engine and files have them. */
export const FIGURES = ["relativeGap", "relativeEntropy", "records", "variance", "worth", "outside"] as const;
/** @internal How an estimation ends, as engine and files number it. */
export const ENDS = ["converged", "limit", "refused"] as const;

/** @internal What is known of a group, from such a list; its status is missing where that is none. */
export function figuresOf([end, ...numbers]: readonly number[]): Partial<Figures> {
  const named = FIGURES.map((name, i) => [name, numbers[i]] as const);
  return { status: ENDS[end as number], ...Object.fromEntries(named) } as Partial<Figures>;
}

/** @internal The groups that a schema declares, each after what it lies within, by their places. */
export class GroupTree<S extends Schema = Schema> {
  readonly groups: readonly DeclaredGroup[];
  /** What follows from attributes of the last level in the public table. */
  readonly follows: readonly Followed[];

  /** `levels` are the attributes of each level, from the coarsest. */
  constructor(
    readonly schema: S,
    readonly levels: readonly (readonly string[])[],
    { groups, follows }: { groups: readonly DeclaredGroup[]; follows: readonly Followed[] },
  ) {
    this.groups = groups;
    this.follows = follows;
  }

  /** The places of the finest groups, all or those within one. */
  leaves(within?: number): number[] {
    const last = this.levels.length - 1;
    const lies = (at: number | undefined): boolean =>
      at !== undefined && (at === within || lies(this.groups[at]?.parent));
    const all = this.groups.flatMap(({ level }, at) => (level === last ? [at] : []));
    return within === undefined ? all : all.filter(lies);
  }

  /** The code that a group has of an attribute, by its level or one above, or by what follows; none where none says. */
  code(at: number, attribute: string): number | undefined {
    const { level, codes, parent } = this.groups[at] as DeclaredGroup;
    const place = this.levels[level]?.indexOf(attribute) ?? -1;
    if (place >= 0) return codes[place];
    const follows = this.follows.find(({ to }) => to === attribute);
    if (follows) {
      const from = this.code(at, follows.from);
      return from === undefined ? undefined : follows.codes[from];
    }
    return parent === undefined ? undefined : this.code(parent, attribute);
  }

  /** The place of a group by its labels; an error where the schema declares none of the kind. */
  place(key: GroupKey<S>): number {
    if (!isObject(key)) throw invalid("a group is named by a label of each attribute of its level");
    const names = Object.keys(key).sort();
    const level = this.levels.findIndex((by) => [...by].sort().join() === names.join());
    if (level < 0)
      throw invalid(
        `no level has groups by ${names.join(" × ") || "nothing"}: there are ${this.levels.map((by) => by.join(" × ") || "all").join(", ")}`,
      );
    const wanted = key as Readonly<Record<string, string | null>>;
    const by = this.levels[level] as readonly string[];
    const codes = by.map((name) =>
      (this.schema.labels(name as NameOf<S>) as (string | null)[]).indexOf(wanted[name] as string | null),
    );
    const is = (one: DeclaredGroup) => one.level === level && codes.every((code, i) => one.codes[i] === code);
    const at = this.groups.findIndex(is);
    if (at < 0) throw invalid("the schema declares no such group: labels are in schema.labels(…)");
    return at;
  }

  /** A group in words and numbers. */
  named(at: number, figures: Figures): ReleasedGroup {
    const { level, codes } = this.groups[at] as DeclaredGroup;
    const label = (name: string, i: number) =>
      this.schema.labels(name as NameOf<S>)[codes[i] as number] ?? null;
    const by = Object.fromEntries((this.levels[level] ?? []).map((name, i) => [name, label(name, i)]));
    const { status, relativeGap, relativeEntropy, records, variance, outside } = figures;
    const standardError = Math.sqrt(variance);
    return Object.freeze({
      ...{ level, by: Object.freeze(by), records, standardError },
      ...{ status, relativeGap, relativeEntropy, outside },
    });
  }
}

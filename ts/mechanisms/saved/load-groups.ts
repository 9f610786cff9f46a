import { type Handle, open } from "../../engine/index.js";
import { joined } from "../../estimate/wire.js";
import type { Measurement } from "../../measurement.js";
import { key } from "../../seed.js";
import { fromDoubles, numbersBytes, readNumbers } from "../../tables/numbers.js";
import { type PackedHead, takenApart } from "../../tables/packed.js";
import type { CallSettings } from "../../tables/read.js";
import type { Schema } from "../../tables/schema.js";
import { Table } from "../../tables/table.js";
import { type DeclaredGroup, declared, wired } from "../groups/prior.js";
import { GroupTree } from "../groups/tree.js";
import { damaged, type Sections } from "./container.js";
import { readFigures, woven } from "./figures.js";
import type { GroupedHeader, SectionName } from "./header.js";
import { LoadedGroupedRelease, partsOf } from "./loaded.js";
import { weightsHash } from "./save-groups.js";

/** A release of groups from its parts; nothing of it stays in the engine where something is wrong. */
export async function restoredGroups<S extends Schema>(
  schema: S,
  header: GroupedHeader,
  sections: Sections<SectionName>,
  measurements: readonly Measurement[],
  copy: Pick<CallSettings, "signal">,
): Promise<LoadedGroupedRelease<S>> {
  const { report, groups } = header;
  const list = readFigures(fromDoubles(sections.groups, sections.groups.length / 8));
  if (!list) throw damaged("its groups have figures that no estimate has");
  const measured = byLevel(groups.levels, measurements);
  const [handle, { rows }] = await open(
    "table.restore",
    takenApart(schema, header.base as PackedHead, sections),
    copy,
  );
  const table = new Table(schema, handle, rows, true);
  try {
    const { tree, handle: kept } = await restored(table, { header, measured, list, sections }, copy);
    const release = new LoadedGroupedRelease<S>({
      ...{ ...partsOf(schema, header), tree, handle: kept, figures: list.figures, measured, rows: table },
      local: schema.at(groups.local.map((name) => schema.index(name))),
      trust: report.trust,
      free: () => table.dispose(),
    });
    try {
      if ((await weightsHash(kept, tree, list.figures, copy)) === groups.sha256) return release;
      throw damaged("its weights do not come to the bits that they had when it was saved");
    } catch (error) {
      release.dispose();
      throw error;
    }
  } catch (error) {
    table.dispose();
    throw error;
  }
}

interface Read {
  header: GroupedHeader;
  measured: readonly (readonly Measurement[])[];
  list: NonNullable<ReturnType<typeof readFigures>>;
  sections: Sections<SectionName>;
}

/** The groups that the schema declares, as they were estimated on rows that they share. */
async function restored<S extends Schema>(
  table: Table<S>,
  { header, measured, list, sections }: Read,
  copy: Pick<CallSettings, "signal">,
): Promise<{ tree: GroupTree<S>; handle: Handle }> {
  const { schema } = table;
  const by = header.report.plan.levels.map((level) => level.by);
  const { follows = [] } = header.groups;
  const [plan, groups] = await declared(schema, by, follows);
  using _plan = plan;
  const { levels } = header.groups;
  const asSaved = levels.every((one, at) => groups.filter(({ level }) => level === at).length === one.groups);
  if (!asSaved) throw damaged("its groups are not those that its schema declares");
  const [shared] = await open("groups.share", undefined, { on: [plan, table.handle], ...copy });
  using _shared = shared;
  const { strength } = header.report.plan.prior;
  const options = {
    levels: measured.map((own, level) => ({
      measurements: own.map(({ clique, noise }) => wired(schema, clique, noise.variance)),
      public: levels[level]?.prior ? header.groups.local.map((name) => [schema.index(name)]) : [],
    })),
    strength,
    estimator: header.report.plan.estimate.estimator,
    seed: `${key(header.seed, "groups")}`,
  };
  const figures = list.figures.flatMap(({ records, variance, worth }, at) => {
    return [records, variance, worth, list.steps[at] as number];
  });
  const args = {
    options: JSON.stringify(options),
    values: joined(measured.flat().map(({ values }) => values)),
    figures: Float64Array.from(figures),
    numbers: potentialsOf(header, groups, sections.model),
  };
  const [handle] = await open("groups.restore", args, { on: shared, ...copy });
  return { tree: new GroupTree(schema, by, { groups, follows }), handle };
}

/** The potentials of the groups, one group after another. */
function potentialsOf(
  { groups: { levels, priors, own } }: GroupedHeader,
  groups: readonly DeclaredGroup[],
  bytes: Uint8Array,
): Float64Array<ArrayBuffer> {
  const [v, u] = [readNumbers(bytes, priors), readNumbers(bytes.subarray(numbersBytes(priors)), own)];
  if (!v || !u) throw damaged("a potential of its groups is none of those that it lists");
  return woven(
    { priors: v, own: u },
    groups.map(({ level }) => levels[level] as (typeof levels)[number]),
  );
}

/** The measurements of each level. */
function byLevel(
  levels: GroupedHeader["groups"]["levels"],
  measurements: readonly Measurement[],
): Measurement[][] {
  let at = 0;
  const lists = levels.map(({ measurements: own }) => {
    at += own;
    return measurements.slice(at - own, at);
  });
  if (at !== measurements.length) throw damaged("its levels have other measurements than it holds");
  return lists;
}

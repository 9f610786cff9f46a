import { concat, sha256 } from "../../bytes.js";
import { call, type Handle, open } from "../../engine/index.js";
import { measurementsToBytes } from "../../measurements.js";
import { doubles, writeNumbers } from "../../tables/numbers.js";
import type { CallSettings } from "../../tables/read.js";
import type { Schema } from "../../tables/schema.js";
import type { GroupedParts, GroupedReport } from "../groups/release.js";
import type { Figures, GroupTree } from "../groups/tree.js";
import { written } from "./container.js";
import { flatFigures, parted } from "./figures.js";
import type { GroupedHeader } from "./header.js";
import { common } from "./save.js";

/** See `GroupedRelease.toBytes`. Nothing is asked of a sealed table, and the parts hold none. */
export async function bytesOfGroups<S extends Schema>(
  parts: GroupedParts<S>,
  { groups: _, ...report }: GroupedReport,
  { signal, onProgress }: CallSettings,
): Promise<Uint8Array<ArrayBuffer>> {
  const { tree, handle, figures, measured, local } = parts;
  const copy = { ...(signal && { signal }) };
  const steps = 6;
  const tell = (done: number) => onProgress?.({ done, total: steps });
  const { head, sections } = await common({ ...parts, schema: tree.schema }, copy, tell);
  const kept = await call("groups.kept", undefined, { on: handle, ...copy });
  tell(4);
  const sample = await weightsHash(handle, tree, figures, copy);
  tell(5);
  const levels = tree.levels.map((_by, level) => ({
    groups: tree.groups.filter((one) => one.level === level).length,
    measurements: measured[level]?.length ?? 0,
    prior: kept.lengths[2 * level] as number,
    potentials: kept.lengths[2 * level + 1] as number,
  }));
  const potentials = parted(
    kept.numbers,
    tree.groups.map(({ level }) => levels[level] as (typeof levels)[number]),
  );
  const [priors, own] = [writeNumbers(potentials.priors), writeNumbers(potentials.own)];
  const form = { priors: priors.head, own: own.head };
  const { follows } = tree;
  const header: GroupedHeader = {
    ...{ ...head, report },
    groups: { levels, local, ...(follows.length > 0 && { follows }), ...form, sha256: sample },
  };
  const bytes = await written(header, {
    ...sections,
    groups: doubles(flatFigures(figures, kept.steps)),
    model: concat([priors.bytes, own.bytes]) as Uint8Array<ArrayBuffer>,
    measurements: measurementsToBytes(measured.flat()),
  });
  tell(steps);
  return bytes;
}

/** The hash of the weights in the finest group with the most records, the first of them. */
export async function weightsHash<S extends Schema>(
  handle: Handle,
  tree: GroupTree<S>,
  figures: readonly Figures[],
  copy: Pick<CallSettings, "signal">,
): Promise<string> {
  const records = (at: number) => (figures[at] as Figures).records;
  const group = tree.leaves().reduce((most, at) => (records(at) > records(most) ? at : most));
  const [model] = await open("groups.model", { group }, { on: handle, ...copy });
  using _ = model;
  return sha256(doubles(await call("model.weights", undefined, { on: model, ...copy })));
}

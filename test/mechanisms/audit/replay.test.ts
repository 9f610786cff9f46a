import { readFileSync } from "node:fs";
import {
  adaptive,
  aim,
  kWay,
  memoryStore,
  mst,
  priorAware,
  pure,
  type Released,
  type Sealed,
  zcdp,
} from "marginalia";
import { report, reportInput } from "marginalia/report";
import { expect, it } from "vitest";
import { file, kept, people, publicYear, sealing } from "../support.js";

type Survey = Sealed<typeof people>;
type Source = Parameters<typeof sealing>[1];

const workload = [
  ["age", "employment"],
  ["sex", "tenure"],
] as const;
const small = { workload, draws: 1, widen: { share: 0.05, rows: 500 } } as const;

/** The phases that are told, one after the other; how often depends on the clock. */
function phases() {
  const told: string[] = [];
  const onProgress = ({ phase }: { phase: string }) => {
    if (told.at(-1) !== phase) told.push(phase);
  };
  return { told, onProgress };
}

/** What a release shows to whoever has it. */
async function flat(data: Survey): Promise<unknown[]> {
  const prior = await publicYear();
  const { told, onProgress } = phases();
  const release = kept(await kept(priorAware({ ...small, prior })).run(data, { onProgress }));
  const page = report(await reportInput(release, { prior }));
  const answers = await release.model.answer(
    [...kWay(people, 2, ["age", "sex", "tenure"])].map((clique) => ({ clique })),
    { standardErrors: "all" },
  );
  using records = await release.table({ seed: 1 });
  return [told, answers, release.report, page, await records.toCsv({ seed: 1 }), await release.toBytes()];
}

async function rounds(data: Survey): Promise<unknown[]> {
  const { draws: _, ...rest } = small;
  const { told, onProgress } = phases();
  const mechanism = kept(adaptive({ ...rest, prior: await publicYear(), rounds: 2, selectShare: 0.5 }));
  const release = kept(await mechanism.run(data, { onProgress }));
  using records = await release.table({ seed: 1 });
  return [told, release.report, await records.toCsv({ seed: 1 }), await release.toBytes()];
}

async function alone(data: Survey): Promise<unknown[]> {
  const { told, onProgress } = phases();
  const release = kept(await kept(aim<typeof people>({ workload, rounds: 4 })).run(data, { onProgress }));
  return shownOf(release, told);
}

async function tree(data: Survey): Promise<unknown[]> {
  const { told, onProgress } = phases();
  const attributes = ["age", "sex", "tenure", "employment"] as const;
  const release = kept(await kept(mst<typeof people>({ attributes })).run(data, { onProgress }));
  return shownOf(release, told);
}

async function shownOf(release: Released<typeof people>, told: string[]): Promise<unknown[]> {
  const page = report(await reportInput(release));
  using records = await release.table({ seed: 1 });
  return [told, release.report, page, await records.toCsv({ seed: 1 }), await release.toBytes()];
}

async function groups(data: Survey): Promise<unknown[]> {
  const levels = [
    { by: ["state"], workload },
    { by: ["area"], workload: [["tenure"], ["age"]] },
  ] as const;
  const { told, onProgress } = phases();
  const mechanism = kept(priorAware({ prior: await publicYear(), groups: levels, widen: false }));
  const release = kept(await mechanism.run(data, { onProgress }));
  using records = await release.table({ seed: 1 });
  const answers = await release.answer(kWay(people, 2, ["age", "sex", "area"]));
  const shown = [told, answers, release.report, `${release.plan}`, release.measurements];
  return [...shown, await records.toCsv({ seed: 1 }), await release.toBytes()];
}

const lines = readFileSync(file(2019), "utf8").split(/(?<=\n)/);
/** The same people; others, fewer of them; nobody; and a source that must not be touched. */
const sources: Source[] = [
  file(2019),
  [lines[0] as string, ...lines.slice(3000, 3007)],
  [lines[0] as string],
  () => {
    throw new Error("the rows were read");
  },
];

/**
 * The noisy answers are in the ledger, so a program that is run again has them, whatever table it is given: and then all
 * that the release shows must be the same to the byte. So nothing comes of the rows but by the noise.
 */
it.each([
  ["flat", flat, pure(1)],
  ["flat, Gaussian", flat, zcdp("1/8")],
  ["adaptive", rounds, pure(1)],
  ["adaptive, Gaussian", rounds, zcdp("1/8")],
  ["aim", alone, pure(1)],
  ["aim, Gaussian", alone, zcdp("1/8")],
  ["mst", tree, pure(1)],
  ["mst, Gaussian", tree, zcdp("1/8")],
  ["grouped", groups, pure(1)],
  ["grouped, Gaussian", groups, zcdp("1/8")],
] as const)("all that a release shows follows of its noisy answers: %s", async (_, shown, budget) => {
  const ledger = memoryStore();
  const first = await sealing({ ledger, budget });
  const [[, ...expected], account] = [await shown(first), `${first.ledger}`];
  await first.close();
  let phases: unknown;
  for (const source of sources) {
    const again = await sealing({ ledger, budget }, source);
    const [told, ...rest] = await shown(again);
    expect(rest).toEqual(expected);
    phases ??= told;
    expect(told).toEqual(phases);
    expect(`${again.ledger}`).toBe(account);
    await again.close();
  }
});

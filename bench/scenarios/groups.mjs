// Many small groups on one prior: count, noise and estimate for each, 50 pairs of 36 columns.

import { inNode, threadCounts, threadsText } from "./shared.mjs";

/** Rows of all groups, rows of the support, groups. */
const SIZES = {
  quick: { rows: 20_000, support: 1000, groups: 20 },
  normal: { rows: 200_000, support: 10_000, groups: 250 },
  full: { rows: 1_033_968, support: 10_000, groups: 1267 },
};

const contenders = () => [
  ...threadCounts().map((threads) =>
    inNode(`marginalia, ${threadsText(threads)}`, "groups-ours.mjs", { threads }),
  ),
];

export const groups = {
  name: "groups",
  title: "50 pairs of 36 columns counted, measured and estimated in each group",
  unit: "ms per group",

  async *cases(mode) {
    const { rows, support, groups } = SIZES[mode];
    yield {
      name: `${groups.toLocaleString("en")} groups of ${rows.toLocaleString("en")} rows`,
      rows,
      attributes: 36,
      cliques: 50,
      contenders: contenders(),
      task: { what: "groups", rows, support, groups },
      total: groups,
      rounds: mode === "quick" ? 1 : 2,
      units: 1e6 * groups,
    };
  },
};

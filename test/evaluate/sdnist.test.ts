import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Dictionary, kMarginal } from "marginalia/evaluate";
import { describe, expect, it } from "vitest";
import { file } from "../../examples/survey.mjs";

interface Golden {
  features: string[];
  score: number;
  groups: Record<string, number>;
}

// Made by make_kmarginal.py, another program by the same definition.
const golden = JSON.parse(readFileSync("test/golden/kmarginal.json", "utf8")) as {
  survey: Golden & { dictionary: Dictionary };
  "acs-ma": Golden[];
};

async function agrees(
  { features, score, groups }: Golden,
  [truth, synthetic]: readonly [string | URL, string | URL],
  dictionary: Dictionary,
) {
  // SDNist groups by PUMA where there is one; here it is asked for.
  const group = features.includes("PUMA") ? "PUMA" : [];
  const options = { truth, synthetic, dictionary, attributes: features, group, subsamples: false };
  const found = await kMarginal(options);
  expect(found.score).toBeCloseTo(score, 8);
  const scores = Object.fromEntries(found.groups.map((group) => [group.group.join(), group.score]));
  expect(Object.keys(scores).sort()).toEqual(Object.keys(groups).sort());
  for (const [group, score] of Object.entries(groups)) expect(scores[group]).toBeCloseTo(score, 8);
}

describe("the k-marginal score of files", () => {
  it("is what another program finds in the shipped survey", async () => {
    await agrees(golden.survey, [file(2019), file(2018)], golden.survey.dictionary);
  });

  it("is what another program finds in the published excerpts, with PUMA and DENSITY too", async () => {
    const folder = process.env.MARGINALIA_DATA;
    if (!folder || !existsSync(join(folder, "acs-ma"))) {
      process.stderr.write("MARGINALIA_DATA has no acs-ma: its scores are not compared\n");
      return;
    }
    const at = (name: string) => join(folder, "acs-ma", name);
    const dictionary = JSON.parse(readFileSync(at("data_dictionary.json"), "utf8")) as Dictionary;
    for (const one of golden["acs-ma"])
      await agrees(one, [at("ma2019.csv.gz"), at("ma2018.csv.gz")], dictionary);
    const { score, subsamples } = await kMarginal({
      truth: at("ma2019.csv.gz"),
      synthetic: at("ma2018.csv.gz"),
      dictionary,
      attributes: golden["acs-ma"][0]?.features ?? [],
    });
    expect(score.toFixed(2)).toBe("971.36");
    const scores = subsamples.map((part) => part.score);
    expect(scores).toEqual([...scores].sort((a, b) => a - b));
  });
});

// Releases by every estimator, by its name: plan, account, report, file and what is loaded of it.

import {
  adaptive,
  aim,
  kWay,
  type LoadedRelease,
  load,
  type ProductModel,
  priorAware,
  pure,
  type Release,
  readTable,
  type SupportModel,
  seal,
} from "marginalia";
import { parseReportInput, report, reportInput } from "marginalia/report";
import { describe, expect, expectTypeOf, it } from "vitest";
import { small } from "./saving.js";
import { kept, refusal } from "./support.js";

const rows = Array.from({ length: 90 }, (_, i) => {
  return { a: "xyz"[(i * i) % 3], n: (i * 7) % 60, m: ((i * 13) % 40) / 10 };
});
const workload = [["a", "n"], ["m"]] as const;

type Name = "calibrated" | "iterative" | "twoStage" | "independent" | "graphical";

async function released(estimator: Name) {
  const prior = kept(await readTable(rows, small));
  const data = await seal(rows.slice(20), small, { dataset: "small", unit: "row", budget: pure(4) });
  const mechanism = kept(priorAware({ prior, workload, estimator, draws: 1, widen: false }));
  const plan = await mechanism.plan(data);
  const release = kept(await mechanism.run(data, { plan: JSON.parse(JSON.stringify(plan)) }));
  await data.close();
  return { prior, plan, release };
}

describe.each(["calibrated", "iterative", "twoStage", "independent", "graphical"] as const)(
  "a release by %s",
  (estimator) => {
    it("is planned, reported, saved and loaded by its name, to the same answers and records", async () => {
      const { prior, plan, release } = await released(estimator);
      expect(plan.toJSON().estimate.estimator).toBe(estimator);
      const kinds = { independent: "product", graphical: "graphical" } as const;
      expect(release.model.kind).toBe(
        estimator in kinds ? kinds[estimator as keyof typeof kinds] : "support",
      );
      const again = kept(await load(await release.toBytes()));
      expect(again.model.kind).toBe(release.model.kind);
      for (const clique of [["a"], ["a", "n"], ["a", "n", "m"]] as const)
        expect(await again.model.marginal([...clique] as never)).toEqual(
          await release.model.marginal([...clique]),
        );
      const [ours, theirs] = [kept(await release.table({ seed: 1 })), kept(await again.table({ seed: 1 }))];
      expect(theirs.rows).toBe(ours.rows);
      for (const name of ["a", "n", "m"] as const)
        expect(await theirs.codes(name as never)).toEqual(await ours.codes(name));
      using part = await again.model.where({ a: "x" } as never);
      expect(part.total).toBeLessThan(again.total);
      const input = await reportInput(again, { prior });
      expect(parseReportInput(JSON.parse(JSON.stringify(input)))).toEqual(input);
      expect(report(input).includes(`made by <bdi>${estimator}</bdi>`)).toBe(estimator !== "calibrated");
    });
  },
);

it("a graphical release keeps what is denied, in its records too", async () => {
  const prior = kept(await readTable(rows, small));
  const sealing = { dataset: "small", unit: "row", budget: pure(4) } as const;
  await using data = await seal(rows.slice(20), small, sealing);
  const own = { prior, workload, estimator: "graphical", draws: 1, widen: false } as const;
  const labels = small.labels("n");
  const deny = [{ a: "x", n: labels.slice(0, 2) }] as const;
  const never = { ...own, deny: [{ a: ["x", "y", "z"] }, { a: null }] } as const;
  const refused = await kept(priorAware(never))
    .plan(data)
    .catch((error) => error);
  expect(refused.code).toBe("OPTION_INVALID");
  expect(`${data.spent}`).toMatch(/^0|nothing/);
  const release = kept(await kept(priorAware({ ...own, deny })).run(data));
  using records = await release.table({ seed: 1 });
  const [pairs] = await records.answer(kWay(small, 2, ["a", "n"]));
  const cells = await release.model.marginal(["a", "n"]);
  const places = [0, 1].map((code) => small.labels("a").indexOf("x") * labels.length + code);
  for (const place of places) expect([pairs?.[place], cells[place]]).toEqual([0, 0]);
  // What a prior knew is not kept in the file.
  const again = kept(await load(await release.toBytes()));
  await refusal(
    again.model.marginal(["a"] as never, { standardErrors: "all" } as never),
    "QUERY_UNSUPPORTED",
  );
});

it("a graphical release without a prior knows its errors when it is loaded", async () => {
  const sealing = { dataset: "small", unit: "row", budget: pure(4), expectedRows: 70 } as const;
  await using data = await seal(rows, small, sealing);
  const release = kept(await kept(aim({ rounds: 1 })).run(data));
  const again = kept(await load(await release.toBytes()));
  for (const clique of [["a"], ["a", "m"]] as const) {
    const ours = await release.model.marginal(clique, { standardErrors: "all" });
    const found = await again.model.marginal(clique as never, { standardErrors: "all" } as never);
    const theirs = found as unknown as typeof ours;
    expect([theirs.of, theirs.values]).toEqual([ours.of, ours.values]);
    // The file has the standard error of the total, whose square is its variance but for a bit.
    theirs.standardErrors.forEach((error, i) => {
      expect(error).toBeCloseTo(ours.standardErrors[i] as number, 9);
    });
  }
});

it("an estimator that there is not is refused before anything is read", async () => {
  await refusal(released("best" as never), "OPTION_INVALID");
});

it("the model of a release has the type that its estimator gives", async () => {
  const prior = kept(await readTable(rows, small));
  type Model<M extends { run(...args: never[]): Promise<object> }> =
    Awaited<ReturnType<M["run"]>> extends {
      readonly model: infer T;
    }
      ? T
      : never;
  const [plain, alone, rounds] = [
    kept(priorAware({ prior })),
    kept(priorAware({ prior, estimator: "independent" })),
    kept(adaptive({ prior, estimator: "iterative" })),
  ];
  const either = kept(priorAware({ prior, estimator: rows.length > 1 ? "calibrated" : "independent" }));
  expectTypeOf<Model<typeof plain>>().toEqualTypeOf<SupportModel<typeof small>>();
  expectTypeOf<Model<typeof alone>>().toEqualTypeOf<ProductModel<typeof small>>();
  expectTypeOf<Model<typeof rounds>>().toEqualTypeOf<SupportModel<typeof small>>();
  expectTypeOf<Model<typeof either>["kind"]>().toEqualTypeOf<"support" | "product">();
  expectTypeOf<Release["model"]>().toEqualTypeOf<SupportModel>();
  expectTypeOf<LoadedRelease["model"]["kind"]>().toEqualTypeOf<"support" | "product" | "graphical">();
});

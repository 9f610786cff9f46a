import { join } from "node:path";
import { memory, pure, Rational } from "marginalia";
import { describe, expect, it } from "vitest";
import { file, folder, kept, labels, quick, refusal, rounds, sealing } from "./support.js";

/** A source that fails when somebody looks. */
const unread = () => {
  throw new Error("the rows were read");
};

const values = (release: { measurements: readonly { values: Float64Array }[] }) =>
  release.measurements.map((one) => [...one.values]);
const STEPS = [1, 2, 3].flatMap((round) => [`round ${round}: select`, `round ${round}: measure`]);

describe("a run", () => {
  it.each(["select", "measure", "estimate"] as const)(
    "that was interrupted goes on from the ledger, and pays nothing twice: at %s",
    async (when) => {
      const ledger = join(await folder(), "account.json");
      const first = await sealing({ ledger });
      const stop = new AbortController();
      const onProgress = ({ phase, round }: { phase: string; round?: number }) => {
        if (phase === when && round === 2) stop.abort();
      };
      const broken = (await rounds(quick)).run(first, { onProgress, signal: stop.signal });
      await refusal(broken, "ABORTED");
      const paid = labels(first);
      expect(paid).toEqual(STEPS.slice(0, paid.length));
      expect([2, 3]).toContain(paid.length);
      await first.close();
      // Twice more: what was paid is not asked again, and what comes of all is the same.
      const all: number[][][] = [];
      for (let time = 0; time < 2; time++) {
        const again = await sealing({ ledger }, time === 0 ? file(2019) : unread);
        const release = kept(await (await rounds(quick)).run(again));
        all.push(values(release));
        expect(labels(again)).toEqual(STEPS);
        expect(`${again.spent}`).toBe("1");
        await again.close();
      }
      expect(all[1]).toEqual(all[0]);
    },
  );

  it("gives the same bytes when it is run again", async () => {
    const place = await folder();
    const texts: string[] = [];
    for (let time = 0; time < 2; time++) {
      const data = await sealing({ ledger: join(place, "account.json") }, time === 0 ? file(2019) : unread);
      const release = kept(await (await rounds(quick)).run(data));
      const records = kept(await release.table({ seed: 1 }));
      texts.push(await records.toCsv());
      await data.close();
    }
    expect(texts[1]).toBe(texts[0]);
  });

  it("leaves a round out whose charge was lost, and spends nothing in its place", async () => {
    const ledger = join(await folder(), "account.json");
    let fails = true;
    const source = async function* () {
      yield SMALL;
      if (fails) throw new Error("the line is dead");
    };
    const sealed = await sealing({ ledger }, source);
    const maker = await rounds(quick);
    await refusal(maker.run(sealed), "SOURCE_FAILED");
    expect(sealed.ledger.entries().map(({ state }) => state)).toEqual(["lost"]);
    fails = false;
    const release = kept(await maker.run(sealed));
    expect(release.measurements).toHaveLength(2);
    expect(labels(sealed)).toEqual(STEPS.filter((_, i) => i !== 1));
    const [{ measure }] = release.plan.rounds as [(typeof release.plan.rounds)[number]];
    expect(`${sealed.left}`).toBe(`${Rational.of(measure.cost)}`);
  });

  it("is another draw the second time in a program, and both are found again", async () => {
    const ledger = join(await folder(), "account.json");
    const all: number[][][] = [];
    for (let time = 0; time < 2; time++) {
      const data = await sealing({ ledger }, time === 0 ? file(2019) : unread);
      const maker = await rounds({ ...quick, spend: "1/2" });
      all.push(values(kept(await maker.run(data))), values(kept(await maker.run(data))));
      expect(`${data.spent}`).toBe("1");
      await refusal(maker.run(data), "BUDGET_EXCEEDED");
      expect(data.ledger.entries()).toHaveLength(12);
      await data.close();
    }
    expect(all[0]).not.toEqual(all[1]);
    expect(all[2]).toEqual(all[0]);
    expect(all[3]).toEqual(all[1]);
  });

  it("two at once draw for themselves", async () => {
    const data = await sealing();
    const maker = await rounds({ ...quick, spend: "1/2" });
    const [a, b] = await Promise.all([maker.run(data), maker.run(data)]);
    expect(values(kept(a))).not.toEqual(values(kept(b)));
    expect(`${data.spent}`).toBe("1");
  });

  it("spends what others left, and runs exactly a plan that came back as JSON", async () => {
    const data = await sealing();
    await data.measure([{ clique: ["sex"], spend: "1/4" }]);
    const maker = await rounds(quick);
    const plan = JSON.parse(JSON.stringify(await maker.plan(data)));
    expect(plan.price).toBe("3/4");
    const release = kept(await maker.run(data, { plan }));
    expect(release.measurements.map(({ noise }) => noise.scale)).toEqual(
      plan.rounds.map(({ measure }: { measure: { scale: string } }) => measure.scale),
    );
    expect(`${data.left}`).toBe("0");
  });

  it("tells its phases and rounds; an abort in any ends it soon and leaves nothing behind", async () => {
    const seen = new Set<string>();
    const maker = await rounds({ rounds: 2 });
    const onProgress = ({ phase, round, rounds: all }: { phase: string; round?: number; rounds?: number }) =>
      void seen.add(`${phase} ${round ?? "-"}/${all ?? "-"}`);
    kept(await maker.run(await sealing({ budget: pure(1) }), { onProgress }));
    const told = ["select 1/2", "measure 1/2", "estimate 2/2", "select 2/2", "measure 2/2"];
    expect([...seen]).toEqual(expect.arrayContaining(told));
    for (const when of ["select", "measure", "estimate"]) {
      const data = await sealing({ dataset: when });
      const again = await rounds({ rounds: 2, strength: "harmonic", tolerance: 1e-12 });
      const plan = await again.plan(data);
      const stop = new AbortController();
      let fired = Number.POSITIVE_INFINITY;
      const { objects } = await memory();
      const onProgress = ({ phase, round }: { phase: string; round?: number }) => {
        if (phase !== when || round !== 2 || stop.signal.aborted) return;
        fired = performance.now();
        stop.abort(new Error("enough"));
      };
      await refusal(again.run(data, { plan, onProgress, signal: stop.signal }), "ABORTED");
      // A tenth of a second, and what a busy machine adds.
      expect(performance.now() - fired).toBeLessThan(500);
      // The vault is filled, and its counts are kept for the next selection.
      expect((await memory()).objects - objects).toBeLessThanOrEqual(1);
    }
  });
});

const SMALL = `area,age,sex,arrived,education,employment,industry,hours,income,size,tenure,disability,carer
${"AR101,30,F,,bachelor,employed,office,40,30000,2,rented,no,no\n".repeat(30_000)}`;

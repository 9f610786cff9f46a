import { load } from "marginalia";
import { describe, expect, it } from "vitest";
import { kept, people, rounds, sealing } from "./support.js";

describe("a release by rounds that was saved", () => {
  it("says what it said, and makes the same records", async () => {
    const release = kept(await (await rounds()).run(await sealing()));
    const again = kept(await load(await release.toBytes(), { schema: people }));
    expect(again.plan.toJSON()).toEqual(JSON.parse(JSON.stringify(release.plan)));
    expect(`${again.plan}`).toBe(`${release.plan}`);
    const csv = async (one: typeof release | typeof again) => {
      using table = await one.table({ seed: "v1" });
      return await table.toCsv({ seed: "v1" });
    };
    expect(await csv(again)).toBe(await csv(release));
  });
});

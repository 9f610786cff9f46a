import { PassThrough } from "node:stream";
import { integer, readTable, schema } from "marginalia";
import { expect, it } from "vitest";

// A file of its own: what writes to streams must not be loaded yet. An error that nobody hears fails the run.
it("a stream that fails before anything is written to it ends the call and not the process", async () => {
  using table = await readTable([{ a: 1 }], schema({ a: integer({ min: 0, max: 9 }) }));
  const broken = new PassThrough();
  broken.destroy(new Error("full"));
  await expect(table.writeCsv(broken)).rejects.toMatchObject({ code: "SOURCE_FAILED" });
});

import { createHash } from "node:crypto";
import { load } from "marginalia";
import { expect, it } from "vitest";
import { SAVED } from "../packaging/shared/saved.mjs";
import { kept, onRows } from "./support.js";

const sha256 = (bytes: string | Uint8Array) => createHash("sha256").update(bytes).digest("hex");

it("a release of version 1 is read to the same bits by every later version", async () => {
  const release = kept(await load(Buffer.from(SAVED, "base64")));
  const weights = await onRows(release.model).weights({ normalize: true });
  expect([
    release.total,
    weights.length,
    release.measurements.map(({ clique }) => clique),
  ]).toMatchInlineSnapshot(`
    [
      51.50000000000001,
      35,
      [
        [
          "a",
          "n",
        ],
        [
          "n",
          "m",
        ],
      ],
    ]
  `);
  expect(sha256(new Uint8Array(weights.buffer))).toMatchInlineSnapshot(
    `"bd5cb82ea9f618659b5e98dabf9d83515ad1109dd7ed6c5520b2f1538332abf5"`,
  );
  expect(sha256(`${release.plan}\n${release.ledger}`)).toMatchInlineSnapshot(
    `"40cb42acb4fa4de9964bce1b4aef4d9b33282117b9d4d192a7b0600d0cbca792"`,
  );
});

// Each sentence of SECURITY.md names a test, which is there. The rules are lib/references.mjs; they are first shown to catch
// planted violations.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { finish, need } from "../lib/gate.mjs";
import { root } from "../lib/manifest.mjs";

need("node");
const { footnotes, unproven } = await import("../lib/references.mjs");

const files = {
  "test/a.test.ts": `describe("a table", () => { it.each(rows)("is %s", () => {}); it(\`of \${n} rows\`, () => {}); });`,
  "crates/a/tests/a.rs":
    "#[test]\nfn holds() {}\n\n/// ```compile_fail,E0382\n/// ```\npub fn untested() {}\n",
  "scripts/gates/run.mjs": "",
};
const source = { read: (path) => files[path], gates: ["run"] };

const innocent = `# Promises
It holds.[^one] So does this (see \`a.b\`), at ε = 0.5: 1.5 times.[^two][^limit] It goes on:

- in items;[^one]
- **And here.** It is so.[^three]

| what | shown by |
|---|---|
| it | brute force[^one] |

[^one]: \`test/a.test.ts\`: "a table", "is %s", "of … rows"
[^two]: \`crates/a/tests/a.rs\`: "holds", "compile_fail,E0382";
    \`test/a.test.ts\`: "a table"
[^three]: \`scripts/gates/run.mjs\`
[^limit]: No promise.
`;

/** What is put in the place of something innocent, and words that the message must contain. */
const planted = [
  ["It holds.[^one]", "It holds.", "no test is named for: It holds."],
  ["It is so.[^three]", "It is so. It is safe.[^three]", "no test is named for: It is so."],
  ["in items;[^one]", "in items;", "no test is named for: in items"],
  ["brute force[^one]", "brute force", "no test is named for: | it"],
  ["It goes on:", "It goes on", "no test is named for: It goes on"],
  ["It holds.[^one]", "It holds.[^other]", "[^other] is no footnote"],
  ["It is so.[^three]", "It is so.[^one]", "[^three] is used by no sentence"],
  ["[^three]: `scripts/gates/run.mjs`", "[^three]: by reason", "[^three] names no test"],
  ['`test/a.test.ts`: "a table", "is', '`test/b.test.ts`: "a table", "is', "there is no test/b.test.ts"],
  ['"is %s"', '"is safe"', 'has no test "is safe"'],
  ['"holds"', '"untested"', 'has no test "untested"'],
  ["E0382", "E0616", 'has no test "compile_fail,E0616"'],
  ['`test/a.test.ts`: "a table"\n', "`test/a.test.ts`\n", "needs the title of a test"],
];

const problems = unproven(innocent, source).map((line) => `self-test: an innocent page is refused: ${line}`);
for (const [right, wrong, words] of planted) {
  const found = unproven(innocent.replace(right, wrong), source);
  if (!innocent.includes(right) || !found.some((line) => line.includes(words)))
    problems.push(`self-test: ${JSON.stringify(wrong)} went unnoticed`);
}
if (unproven(innocent, { ...source, gates: [] }).length !== 1)
  problems.push("self-test: a gate that does not run went unnoticed");

const page = readFileSync(join(root, "SECURITY.md"), "utf8");
const lists = readFileSync(join(root, ".ci/run"), "utf8").matchAll(/^(?:first|rust|node)=\((.*)\)$/gm);
const gates = [...lists].flatMap(([, names]) => names.split(" "));
const read = (path) => (existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : undefined);
problems.push(...unproven(page, { read, gates }).map((line) => `SECURITY.md: ${line}`));
finish(
  problems,
  "name the tests that show a sentence in a footnote, or mark it as [^limit]; where there is none, write it or say less",
  `${footnotes(page)} tests are named by SECURITY.md and are there; ${planted.length + 1} planted violations are caught`,
);

import fc from "fast-check";
import { internalReport, parseReportInput, report } from "marginalia/report";
import { expect, test } from "vitest";
import { markup, visible } from "../../ts/evaluate/report/markup.js";
import { byGroups, byRounds, compared, input } from "./support.js";

const BIDI = [
  "\u202a",
  "\u202e",
  "\u2066",
  "\u2069",
  "\u200f",
  "\u061c",
  "\u0000",
  "\u001b",
  "\u2028",
  "\ufeff",
];
const hostile = fc.oneof(
  fc.constantFrom(
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onload='alert(1)",
    "]]></style><script>",
    "--><b>",
    "&lt;&#60;",
    "$&$1$`",
    "\ud800",
  ),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc
    .array(fc.constantFrom(...BIDI, "a", "<", ">", '"', "'", "&", "`", "="), { maxLength: 12 })
    .map((all) => all.join("")),
);

/** The tags of a page with the names of their attributes, without any text. */
function skeleton(page: string): string {
  const tags = page.match(/<[!/]?[a-zA-Z][^>]*>/g) ?? [];
  return tags.map((tag) => tag.replace(/="[^"]*"/g, "")).join("");
}

test("no name or value becomes markup: the page has the same tags with any", () => {
  fc.assert(
    fc.property(hostile, hostile, hostile, hostile, (a, b, c, d) => {
      const names = [`1${a}`, `2${b}`];
      const labels = [c, d];
      const [harmless, page] = [
        internalReport(input(["1x", "2y"]), compared(["1x", "2y"]), { title: "t", date: "d" }),
        internalReport(input(names, labels), compared(names), { title: `1${c}`, date: `1${d}` }),
      ];
      expect(skeleton(page)).toBe(skeleton(harmless));
      expect(page).not.toContain("<script");
      expect(page.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
    }),
    { numRuns: 100 },
  );
});

test("nor in reports of groups and by rounds", () => {
  const pages = (names: string[], labels: string[]) => {
    const groups = parseReportInput(byGroups(30, names, labels));
    const truth = [[{ labels: [labels[0] as string], records: 3 }], []];
    const whole = internalReport(groups, { ...compared(names), groups: truth });
    return [whole, report(parseReportInput(byRounds(names, labels)))];
  };
  const harmless = pages(["1x", "2y"], ["a", "b"]).map(skeleton);
  fc.assert(
    fc.property(hostile, hostile, hostile, hostile, (a, b, c, d) => {
      const found = pages([`1${a}`, `2${b}`], [`1${c}`, `2${d}`]);
      for (const [i, page] of found.entries()) {
        expect(skeleton(page)).toBe(harmless[i]);
        expect(page.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
      }
    }),
    { numRuns: 50 },
  );
});

test("what cannot be seen is written out", () => {
  expect(visible("a\u202eb\u0007")).toBe("a⟨U+202E⟩b⟨U+0007⟩");
  expect(`${markup`<b title="${'"<&>'}">${["'", "`"]}</b>`}`).toBe(
    '<b title="&quot;&lt;&amp;&gt;">&#39;&#96;</b>',
  );
});

test("nothing can be loaded, run or sent", () => {
  const page = report(input());
  expect(page).toContain(
    `<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;;`,
  );
  expect(page).not.toMatch(
    /<(script|link|img|iframe|object|embed|form|base)\b| src=| on[a-z]+=|@import|url\((?!#)/,
  );
});

import { inflateSync } from "node:zlib";
import fc from "fast-check";
import { type LoadOptions, load as loadOf, memory } from "marginalia";
import { beforeAll, describe, expect, it } from "vitest";
import { type NumbersHead, numbersBytes } from "../../ts/tables/numbers.js";
import { apart, outcome, type Parts, smallGroups, smallRelease, together } from "./saving.js";

const copy = ({ header, sections }: Parts): Parts => ({
  header: structuredClone(header),
  sections: [...sections],
});
/** All that a file may end with. */
const ENDS = [undefined, "RELEASE_DAMAGED", "RELEASE_VERSION", "OUT_OF_MEMORY", "MODEL_TOO_LARGE"];
const FULL = process.env.MARGINALIA_FULL !== undefined;

/** Any release. */
const load = (file: Parameters<typeof loadOf>[0], options: LoadOptions = {}) =>
  loadOf(file, { groups: "either", ...options });

/** Loads what is likely no release, and uses it if it is one after all. */
async function used(file: Uint8Array): Promise<string | undefined> {
  return outcome(
    (async () => {
      const release = await load(file, { memoryLimit: 2 ** 26 });
      try {
        using _ = await release.table({ rows: 20 });
        const clique = [release.schema.names[0] as never];
        await ("groups" in release ? release.marginal(clique) : release.model.marginal(clique));
        await release.toBytes();
        return release;
      } catch (error) {
        release.dispose();
        throw error;
      }
    })(),
  );
}

/** The places of a value within JSON. */
function places(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, item]) => places(item, [...path, key]))];
}

function put(value: unknown, path: readonly (string | number)[], to: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return to;
  if (Array.isArray(value)) return value.map((item, i) => (`${i}` === `${key}` ? put(item, rest, to) : item));
  const object = value as Record<string, unknown>;
  return { ...object, [key]: put(object[key], rest, to) };
}

/** The same file with its sections as they are, not deflated. */
function inflated(bytes: Uint8Array): Parts {
  const { header, sections } = apart(bytes);
  const plain = sections.map((section, i) => {
    const { encoding } = header.sections[i] as unknown as { encoding: string };
    return encoding === "identity" ? section : new Uint8Array(inflateSync(section));
  });
  const heads = header.sections.map((head, i) => identity(head, plain[i] as Uint8Array));
  return { header: { ...header, sections: heads }, sections: plain };
}

const identity = (head: object, { length }: Uint8Array) => ({
  ...(head as Parts["header"]["sections"][number]),
  encoding: "identity",
  stored: length,
  length,
});

type Lie = [path: string[], to: unknown];
const level = { groups: 1, measurements: 1, prior: 0, potentials: 0 };
const plan = (by: string[]) => ({ by, groups: 1, label: "a level" });
const OF_GROUPS: Lie[] = [
  [["groups", "levels", "1", "groups"], 2 ** 40],
  [["groups", "levels", "1", "potentials"], 2 ** 50],
  [["groups", "levels", "0", "prior"], 2 ** 31],
  [["groups", "priors", "count"], 2 ** 40],
  [["groups", "own"], { count: 2 ** 33, distinct: 1 }],
  [["groups", "levels"], Array.from({ length: 10_000 }, () => level)],
  [["groups", "levels"], []],
  // Levels that make more groups than there are in the file.
  [
    ["report", "plan", "levels"],
    [plan([]), plan(["a", "n", "m"])],
  ],
  [
    ["report", "plan", "levels"],
    [plan(["n"]), plan(["a"])],
  ],
  [
    ["report", "plan", "levels"],
    [plan(["a"]), plan(["unknown"])],
  ],
];

describe.each<[string, () => Promise<{ toBytes(): Promise<Uint8Array<ArrayBuffer>> }>, Lie[]]>([
  ["without groups", () => smallRelease(), [[["model", "values"], 2 ** 50]]],
  ["of groups", () => smallGroups(), OF_GROUPS],
  ["of groups by Algorithm 1", () => smallGroups("iterative"), OF_GROUPS],
])("a release %s", (_, make, own) => {
  let bytes: Uint8Array<ArrayBuffer>;
  beforeAll(async () => {
    bytes = await (await make()).toBytes();
  });
  const parts = () => copy(apart(bytes));

  describe("a file that is no release", () => {
    it("is known by every cut", async () => {
      const step = FULL ? 1 : 13;
      for (let end = 0; end < bytes.length; end += step)
        expect(await outcome(load(bytes.subarray(0, end)))).toBe("RELEASE_DAMAGED");
      expect(await outcome(load(new Uint8Array([...bytes, 0])))).toBe("RELEASE_DAMAGED");
      // A stream does not say how much there is.
      const cut = new Blob([bytes.subarray(0, -1)]).stream();
      expect(await outcome(load(cut))).toBe("RELEASE_DAMAGED");
    });

    it("is known by every bit", async () => {
      const step = FULL ? 1 : 29;
      for (let bit = 0; bit < 8 * bytes.length; bit += step) {
        const flipped = bytes.slice();
        (flipped[bit >> 3] as number) ^= 1 << (bit & 7);
        const code = await outcome(load(flipped));
        expect(code).toBe(bit >= 64 && bit < 96 ? "RELEASE_VERSION" : "RELEASE_DAMAGED");
      }
    });

    it("is known where it comes from the future, or is something else", async () => {
      const later = bytes.slice();
      later[8] = 3;
      expect(await outcome(load(later))).toBe("RELEASE_VERSION");
      for (const text of ["", "MARG", "a,b\n1,2\n", "MARGMEAS".padEnd(100, " "), "x".repeat(10_000)])
        expect(await outcome(load(new TextEncoder().encode(text)))).toBe("RELEASE_DAMAGED");
      const gzip = Uint8Array.of(0x1f, 0x8b, 8, 0, 1, 2, 3);
      expect(await outcome(load(gzip))).toBe("GZIP_INVALID");
    });
  });

  describe("a file whose checksums are right", () => {
    it("is refused, or makes sense, whatever its header says", async () => {
      const all = places(apart(bytes).header);
      const strange = fc.oneof(
        fc.constantFrom<unknown>(
          null,
          undefined,
          -1,
          0,
          1,
          2,
          0.5,
          2 ** 31,
          2 ** 32,
          2 ** 53,
          1e308,
          "",
          "a",
          [],
          {},
        ),
        fc.constantFrom<unknown>(
          [[]],
          [null],
          { type: "integer", min: 0, max: 65_535 },
          "__proto__",
          "\u0007",
        ),
        fc.jsonValue({ maxDepth: 3 }),
      );
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...all), strange, async (path, value) => {
          const { header, sections } = parts();
          const changed = put(header, path, value) as Parts["header"];
          const code = await used(together({ header: changed, sections }));
          expect(ENDS).toContain(code);
        }),
        { numRuns: FULL ? 20_000 : 500 },
      );
    });

    it("is refused, or makes sense, whatever its sections hold", async () => {
      const { header: open, sections: plain } = inflated(bytes);
      expect(await used(together({ header: structuredClone(open), sections: plain }))).toBe(undefined);
      const change = fc.record({ section: fc.nat(plain.length - 1), at: fc.nat(), to: fc.nat(255) });
      await fc.assert(
        fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
          const now = plain.map((section) => section.slice());
          for (const { section, at, to } of changes) {
            const one = now[section] as Uint8Array;
            one[at % one.length] = to;
          }
          const code = await used(together({ header: structuredClone(open), sections: now }));
          expect(ENDS).toContain(code);
        }),
        { numRuns: FULL ? 10_000 : 300 },
      );
    });

    it("is refused where deflated bytes are none, or more or fewer than was said", async () => {
      for (const [i, { name }] of apart(bytes).header.sections.entries()) {
        const lies = [
          (head: { length: number }) => (head.length += 1),
          (head: { length: number }) => (head.length -= 1),
          (head: { length: number }) => (head.length = 2 ** 40),
        ];
        for (const lie of lies) {
          const file = parts();
          lie(file.header.sections[i] as unknown as { length: number });
          expect(["RELEASE_DAMAGED", "OUT_OF_MEMORY"], name).toContain(await outcome(load(together(file))));
        }
        for (const change of [(b: Uint8Array) => b.fill(0), (b: Uint8Array) => b.fill(0xff, 4)]) {
          const file = parts();
          file.sections[i] = change((file.sections[i] as Uint8Array).slice());
          expect(await outcome(load(together(file))), name).toBe("RELEASE_DAMAGED");
        }
      }
    });

    it("cannot ask for room that it does not fill", async () => {
      const { used: before } = await memory();
      const list = { count: 2 ** 33, distinct: 1 };
      const wide = (many: number) => {
        return Array.from({ length: many }, (_, i) => ({
          name: `w${i}`,
          type: "integer",
          min: 0,
          max: 65_535,
        }));
      };
      const lies: [path: string[], to: unknown][] = [
        ...own,
        [["base", "rows"], 2 ** 31],
        [["base", "weights", "count"], 2 ** 40],
        [
          ["base", "raw", "values"],
          [list, list],
        ],
        [["base", "raw"], { attributes: ["n"], values: [list], sums: list }],
        // A few characters that declare hundreds of millions of labels.
        [["schema", "attributes"], wide(9000)],
        [["schema", "attributes"], wide(20_000)],
      ];
      for (const [path, to] of lies) {
        const { header, sections } = parts();
        const file = { header: put(header, path, to) as Parts["header"], sections };
        const start = performance.now();
        expect(["RELEASE_DAMAGED", "OUT_OF_MEMORY"]).toContain(await outcome(load(together(file))));
        expect(performance.now() - start).toBeLessThan(20_000);
      }
      expect(await outcome(load(bytes, { memoryLimit: 1000 }))).toBe("OUT_OF_MEMORY");
      expect((await memory()).used).toBeLessThan(before + 2 ** 20);
    }, 120_000);

    it("cannot be nested without end", async () => {
      const { sections, header } = parts();
      const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
      const text = JSON.stringify(header).replace(/"unit":"row"/, `"unit":${deep}`);
      expect(text.length).toBeGreaterThan(200_000);
      expect(await outcome(load(together({ header, sections }, text)))).toBe("RELEASE_DAMAGED");
      const quoted = JSON.stringify(header).replace(/"seed":"/, `"seed":"${'[{\\\\\\"'.repeat(1000)}`);
      expect(await outcome(load(together({ header, sections }, quoted)))).toBe(undefined);
    });

    it("moves no cursor", async () => {
      const file = parts();
      file.header.plan = "a plan\u001b[2J";
      expect(await outcome(load(together(file)))).toBe("RELEASE_DAMAGED");
    });
  });
});

describe.each(["calibrated", "iterative"] as const)("saved groups: %s", (estimator) => {
  let file: Parts;
  beforeAll(async () => {
    file = inflated(await (await smallGroups(estimator)).toBytes());
  });

  /** What loading ends with where one number of a section is another. */
  async function changed(name: string, at: number, value: number): Promise<string | undefined> {
    const i = file.header.sections.findIndex((one) => one.name === name);
    const sections = file.sections.map((section) => section.slice());
    const { buffer, byteOffset } = sections[i] as Uint8Array;
    new DataView(buffer, byteOffset).setFloat64(at, value, true);
    return outcome(load(together({ header: structuredClone(file.header), sections })));
  }
  const size = (name: string) => {
    return file.sections[file.header.sections.findIndex((one) => one.name === name)]?.length ?? 0;
  };
  /** Where potentials stand as doubles: of a list of different ones each once. */
  const doubles = () => {
    const { priors, own } = file.header.groups as { priors: NumbersHead; own: NumbersHead };
    const of = ({ count, distinct = count }: NumbersHead, from: number) =>
      Array.from({ length: distinct }, (_, i) => from + 8 * i);
    return [...of(priors, 0), ...of(own, numbersBytes(priors))];
  };

  it("have no figures that no estimate has", async () => {
    const groups = size("groups") / 64;
    expect(groups).toBe(5);
    // How it ended, records, variance, worth, outside and steps; of all groups one figure after another.
    const [nan, infinite] = [Number.NaN, Number.POSITIVE_INFINITY];
    const figures = [
      ...[0, 3, 4, 5, 6, 7].flatMap((figure) => [nan, infinite, -1e300].map((value) => [figure, value])),
      ...[
        [0, 3],
        [0, 0.5],
        [3, 1e200],
        [4, -1],
        [5, 0],
        [6, 1e200],
        [7, 0.5],
        [7, 2 ** 40],
      ],
    ] as [number, number][];
    for (const [figure, value] of figures)
      expect(await changed("groups", 8 * (figure * groups + groups - 1), value)).toBe("RELEASE_DAMAGED");
  });

  it("have no potentials and answers that no estimate has", async () => {
    const wrong = [Number.NaN, Number.POSITIVE_INFINITY, -1e300];
    for (const at of doubles().filter((_, i) => i % 3 === 0))
      for (const value of wrong) expect(await changed("model", at, value)).toBe("RELEASE_DAMAGED");
    for (const value of wrong.slice(0, 2))
      expect(await changed("measurements", size("measurements") - 8, value)).toBe("RELEASE_DAMAGED");
    expect(await changed("measurements", size("measurements") - 8, 1e300)).toBe(
      estimator === "iterative" ? "RELEASE_DAMAGED" : undefined,
    );
  });

  it("have the weights that they had", async () => {
    const codes = new Set<string | undefined>();
    for (const at of doubles()) codes.add(await changed("model", at, 0.25));
    expect(codes.has("RELEASE_DAMAGED")).toBe(true);
  });

  it("have rows of codes that there are", async () => {
    const sections = [...file.sections];
    sections[0] = (sections[0] as Uint8Array).map(() => 0xff);
    const end = outcome(load(together({ header: structuredClone(file.header), sections })));
    expect(await end).toBe("RELEASE_DAMAGED");
  });
});

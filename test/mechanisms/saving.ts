import { createHash } from "node:crypto";
import { inflateSync } from "node:zlib";
import {
  category,
  integer,
  MarginaliaError,
  number,
  priorAware,
  pure,
  readTable,
  schema,
  seal,
} from "marginalia";
import { kept } from "./support.js";

const hash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest();

/** A saved release taken apart by its documented layout, with its sections as they are stored. */
export interface Parts {
  header: Record<string, unknown> & { sections: { name: string; stored: number; sha256: string }[] };
  sections: Uint8Array[];
}

export function apart(bytes: Uint8Array): Parts {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const end = 52 + view.getUint32(12, true);
  const stored = bytes.subarray(52, end);
  const text = stored.length < view.getUint32(16, true) ? inflateSync(stored) : stored;
  const header = JSON.parse(new TextDecoder().decode(text)) as Parts["header"];
  let at = end;
  const sections = header.sections.map(({ stored }) => {
    at += stored;
    return bytes.subarray(at - stored, at);
  });
  return { header, sections };
}

/** A file of these parts whose checksums are right, whatever they say; `text` is its header where that is given. */
export function together({ header, sections }: Parts, text?: string): Uint8Array<ArrayBuffer> {
  const heads = Array.isArray(header?.sections) ? header.sections : [];
  heads.forEach((head, i) => {
    if (head && sections[i]) Object.assign(head, { sha256: hash(sections[i]).toString("hex") });
  });
  const json = new TextEncoder().encode(text ?? JSON.stringify(header));
  const prelude = new Uint8Array(52);
  prelude.set(new TextEncoder().encode("MARGRLSE"));
  [2, json.length, json.length].forEach((value, i) => {
    new DataView(prelude.buffer).setUint32(8 + 4 * i, value, true);
  });
  prelude.set(hash(json), 20);
  return new Uint8Array(Buffer.concat([prelude, json, ...sections]));
}

/** The code that loading ends with; nothing where it ends well. What is no error of ours is thrown. */
export async function outcome(loading: Promise<Disposable>): Promise<string | undefined> {
  try {
    (await loading)[Symbol.dispose]();
    return undefined;
  } catch (error) {
    if (error instanceof MarginaliaError) return error.code;
    throw error;
  }
}

/** A small schema with every kind of list in a saved release. */
export const small = schema({
  a: category(["x", "y", "z"], { other: null }),
  n: integer({ min: 0, max: 59, width: 10, other: "clamp", nullable: true }),
  m: number({ cuts: [0, 1, 2.5, 4], other: "clamp", nullable: true }),
});

const PAIRS = [
  ["a", "n"],
  ["n", "m"],
] as const;

/** A release of it, whose rows repeat and have raw numbers. */
export async function smallRelease(workload: readonly (readonly ("a" | "n" | "m")[])[] = PAIRS) {
  const rows = Array.from({ length: 90 }, (_, i) => {
    return { a: "xyz"[(i * i) % 3], n: (i * 7) % 60, m: ((i * 13) % 40) / 10 };
  });
  const prior = kept(await readTable(rows, small, { keepRaw: ["n", "m"] }));
  const data = await seal(rows.slice(20), small, { dataset: "small", unit: "row", budget: pure(1) });
  const mechanism = kept(priorAware({ prior, workload, draws: 1, widen: { share: 0.1, rows: 60 } }));
  const release = kept(await mechanism.run(data));
  await data.close();
  return release;
}

/** A release of it in groups, by `a` within all: of five groups one has nobody. */
export async function smallGroups(estimator: "calibrated" | "iterative" = "calibrated") {
  const rows = Array.from({ length: 90 }, (_, i) => {
    return { a: "xyz"[(i * i) % 3], n: (i * 7) % 60, m: ((i * 13) % 40) / 10 };
  });
  const prior = kept(await readTable(rows, small, { keepRaw: ["n", "m"] }));
  const data = await seal(rows.slice(20), small, { dataset: "small", unit: "row", budget: pure(1) });
  const groups = [
    { by: [], workload: [["n", "m"]] },
    { by: ["a"], workload: [["n"]] },
  ] as const;
  const mechanism = kept(priorAware({ prior, groups, estimator, widen: { share: 0.1, rows: 60 } }));
  const release = kept(await mechanism.run(data));
  await data.close();
  return release;
}

import type { Source } from "./source.js";

/** Where tables were read from: a public and a private table from one place are likely a mistake. */
const places = /* @__PURE__ */ new WeakMap<object, Source>();

/** Notes where a table comes from. */
export function comesFrom<T extends object>(table: T, source: Source | undefined): T {
  if (source !== undefined) places.set(table, source);
  return table;
}

/** Where a table comes from, if that was noted. */
export const placeOf = (table: object): Source | undefined => places.get(table);

/** The path or URL that a source has, or was opened from: a Response and a Node stream know it. */
export function placeIn(source: unknown): string | URL | undefined {
  if (typeof source === "string" || source instanceof URL) return source;
  if (typeof Response !== "undefined" && source instanceof Response) return source.url || undefined;
  const { pipe, path } = Object(source) as { pipe?: unknown; path?: unknown };
  return typeof pipe === "function" && typeof path === "string" ? path : undefined;
}

/** Whether two sources are one: the same object, or the same path or URL. What they hold is not looked at. */
export function samePlace(a: unknown, b: unknown): boolean {
  const [one, other] = [written(placeIn(a)), written(placeIn(b))];
  return one === undefined || other === undefined ? a === b : one === other;
}

/** A path or URL in full. */
function written(source: unknown): string | undefined {
  if (source instanceof URL) return source.href;
  if (typeof source !== "string") return undefined;
  const { process } = globalThis as { process?: { cwd?(): string } };
  const here = `file://${process?.cwd?.() ?? ""}/`;
  try {
    return new URL(
      /^[a-z][a-z+.-]+:/i.test(source) ? source : source.replace(/[%#?]/g, encodeURIComponent),
      here,
    ).href;
  } catch {
    return source;
  }
}

/** What JSON can hold. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** JSON whose keys are sorted: equal values have equal texts. */
export function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${canonical(field)}`).join()}}`;
}

/**
 * Whether JSON gives a value back as it was. `NaN`, `undefined`, dates, maps and the like would come back as
 * something else or not at all. (−0 comes back as 0.)
 */
export function survives(value: unknown): value is Json {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value === "string" || typeof value === "boolean" || value === null) return true;
  if (Array.isArray(value)) return survivesList(value);
  if (typeof value !== "object") return false;
  const prototype = Object.getPrototypeOf(value);
  const plain = prototype === Object.prototype || prototype === null;
  return plain && !("toJSON" in value) && Object.values(value).every(survives);
}

/** By index, because `every` passes over holes. */
function survivesList(list: readonly unknown[]): boolean {
  for (let i = 0; i < list.length; i++) {
    if (!survives(list[i])) return false;
  }
  return true;
}

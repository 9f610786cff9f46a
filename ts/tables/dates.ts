import type { DateSpec } from "./attributes.js";

const DAY = 86_400_000;

/** Milliseconds since 1970 of a `YYYY-MM-DD` that exists. */
export function parseDay(text: string): number | undefined {
  if (typeof text !== "string" || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const time = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(time) || formatDay(time) !== text || text < "0001" ? undefined : time;
}

/** `YYYY-MM-DD` of milliseconds since 1970. */
export function formatDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** The first day of each bin: `from`, then every calendar period that begins up to `to`. */
export function starts(from: number, to: number, step: DateSpec["step"], limit: number): number[] {
  const all = [from];
  for (
    let next = after(from, step, 1);
    next <= to && all.length <= limit;
    next = after(from, step, all.length)
  )
    all.push(next);
  return all;
}

/** Where bin `i` begins, counted from the period that `from` lies in. */
function after(from: number, step: DateSpec["step"], i: number): number {
  if (step === "day") return from + i * DAY;
  if (step === "week") return from + 7 * i * DAY;
  const first = new Date(from);
  const [year, month] = [first.getUTCFullYear(), first.getUTCMonth()];
  const period = step === "month" ? 1 : step === "quarter" ? 3 : 12;
  const begin = new Date(0);
  begin.setUTCFullYear(year, month - (month % period) + i * period, 1);
  return begin.getTime();
}

/** The last day of each bin. */
export function ends(first: readonly number[], to: number): number[] {
  return first.map((_, i) => (i + 1 < first.length ? (first[i + 1] as number) - DAY : to));
}

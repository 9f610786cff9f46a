import type { Table } from "../index.js";
import { type Options, text, type Values } from "../option.js";
import { report, reportInput } from "../report.js";
import type { Console } from "./console.js";
import type { AnyRelease } from "./mechanism.js";

/** What a page is called. */
export const PAGE = {
  title: text("TEXT", "the heading of the report"),
  date: text("TEXT", "a date to be printed in the report, as it is given; none unless given"),
} as const satisfies Options;

export type PageValues = Values<typeof PAGE>;

/** The heading and date, as far as they are given. */
export const pageOf = ({ title, date }: PageValues) => ({
  ...(title !== undefined && { title }),
  ...(date !== undefined && { date }),
});

/** The report of a release that may be shared: a page, or what it is made of where the name ends in `.json`. */
export async function writeReport(
  place: string,
  release: AnyRelease,
  { prior, rows, seed, ...page }: PageValues & { prior?: Table; rows?: number; seed: string },
  io: Console,
): Promise<void> {
  const input = await reportInput(release, {
    ...{ seed, signal: io.signal },
    ...(prior && { prior }),
    ...(rows !== undefined && { rows }),
  });
  const whole = /\.json(\.gz)?$/i.test(place) ? JSON.stringify(input) : report(input, pageOf(page));
  await io.deliver(place, whole);
}

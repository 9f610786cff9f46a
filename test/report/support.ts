import { parseReportInput, type ReportInput } from "marginalia/report";
import { example } from "./example.js";

export { byGroups, byRounds, compared, example } from "./example.js";

/** The same, as a report takes it. */
export const input = (...args: Parameters<typeof example>): ReportInput => parseReportInput(example(...args));

const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'", "#96": "`" };
const plain = (text: string) =>
  text.replace(/&(amp|lt|gt|quot|#39|#96);/g, (_, name: string) => ENTITIES[name]!);

/** A mark of a chart: its data attributes, its tag and its place. */
export type Mark = Record<string, string>;

/** Every mark with a number, in the order of the page, read from the text of the page alone. */
export function marksOf(page: string): Mark[] {
  const tags = page.match(/<[a-z]+ [^>]*data-(?:value|low)="[^>]*>/g) ?? [];
  return tags.map((tag) =>
    Object.fromEntries(
      Array.from(tag.matchAll(/([\w-]+)="([^"]*)"/g), ([, name, text]) => [name, plain(text!)]),
    ),
  );
}

/** The part of a page that is one section. */
export function section(page: string, id: string): string {
  const at = page.indexOf(`<section id="${id}">`);
  if (at < 0) throw new Error(`the page has no section ${id}`);
  return page.slice(at, page.indexOf("</section>", at));
}

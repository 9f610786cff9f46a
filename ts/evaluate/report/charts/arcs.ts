import { type Markup, markup } from "../markup.js";
import { shortened } from "../words.js";
import { at, kept, svg, text, WIDTH } from "./svg.js";

/** What joins some rows, and how strongly: from 0 to 1. */
export interface Link {
  readonly names: readonly string[];
  readonly weight: number;
}

/** More rows would not be followed by anybody. */
export const MOST_ROWS = 40;
const [ROW, NAMES, LETTERS, THICKEST] = [20, 170, 26, 5];

/** Names below each other, and an arc for each two that are joined, the thicker the stronger. */
export function arcs(about: string, links: readonly Link[], names: readonly string[]): Markup {
  const rows = ordered(links, names).slice(0, MOST_ROWS);
  const y = new Map(rows.map((name, i) => [name, ROW * i + ROW / 2]));
  const reach = (WIDTH - NAMES - 12) / Math.max(1, rows.length - 1);
  const drawn = links.map(({ names: joined, weight }) => {
    const ends = joined.flatMap((name) => y.get(name) ?? []).sort((a, b) => a - b);
    return ends.slice(1).map((to, i) => {
      const from = ends[i] as number;
      const wide = at((reach * (to - from)) / ROW);
      const path = `M${NAMES + 6} ${at(from)}A${wide} ${at((to - from) / 2)} 0 0 1 ${NAMES + 6} ${at(to)}`;
      const width = at(1 + (THICKEST - 1) * weight);
      return markup`<path class="link" data-joins="${joined.join(" ")}" data-value="${kept(weight)}" stroke-width="${width}" d="${path}"/>`;
    });
  });
  const marks = rows.map((name) => {
    const middle = y.get(name) as number;
    return markup`<circle class="dot" cx="${NAMES + 6}" cy="${at(middle)}" r="3.5"/>${text({ x: NAMES - 4, y: middle + 4, as: "end" }, shortened(name, LETTERS))}\n`;
  });
  return svg({ about, height: ROW * rows.length, marks: [...drawn.flat(), ...marks] });
}

/** Names so that joined ones are near: along the strongest links from the name with most of them; those without a link last. */
export function ordered(links: readonly Link[], names: readonly string[]): string[] {
  const strongest = [...links].sort((a, b) => b.weight - a.weight);
  const degree = (name: string) => links.filter((link) => link.names.includes(name)).length;
  const starts = [...names].sort((a, b) => degree(b) - degree(a));
  const found = new Set<string>();
  const visit = (name: string): void => {
    if (found.has(name)) return;
    found.add(name);
    for (const link of strongest) if (link.names.includes(name)) link.names.forEach(visit);
  };
  starts.forEach(visit);
  return [...found];
}

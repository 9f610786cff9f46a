import { bdi, type Markup, markup } from "./markup.js";
import { STYLE } from "./style.js";

/** What every part that was compared with true data says of itself. */
export const INTERNAL = "internal: not differentially private";

/** A chart with its heading, what to look at, and its numbers as a table. */
export interface Figure {
  readonly heading: string;
  readonly note: string;
  readonly chart: Markup;
  readonly table: Markup;
  /** Whether it was compared with true data. */
  readonly internal?: boolean;
  /** Whether it takes the whole width of the page. */
  readonly large?: boolean;
}

export interface Section {
  readonly id: string;
  readonly heading: string;
  readonly body: readonly Markup[];
  readonly internal?: boolean;
}

/** Nothing may be loaded or run, and nothing sent; the style within is all there is. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** Stands at the foot of every printed page. */
const FOOT = `\n@page{margin:1.5cm 1.5cm 2cm;@bottom-center{content:"${INTERNAL}";font:600 9pt sans-serif}}`;

/** Fills that are told apart without colour. */
const FILLS = markup`<svg width="0" height="0" class="fills" aria-hidden="true"><defs><pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path class="hatch" d="M0 0V5"/></pattern><pattern id="dots" width="4" height="4" patternUnits="userSpaceOnUse"><circle class="specks" cx="2" cy="2" r="1.1"/></pattern></defs></svg>`;

export const notice = (): Markup => markup`<p class="internal">${INTERNAL}</p>`;

export function figure({ heading, note, chart, table, internal, large }: Figure): Markup {
  return markup`<figure class="${large ? "large" : "small"}">${internal ? notice() : undefined}<h3>${bdi(heading)}</h3><figcaption>${note}</figcaption>${chart}
<details><summary>The numbers: ${bdi(heading)}</summary>${table}</details></figure>`;
}

/** Figures beside each other where there is room. */
export const figures = (all: readonly Figure[]): Markup =>
  markup`<div class="charts">${all.map(figure)}</div>`;

export interface Page {
  readonly title: string;
  readonly date?: string | undefined;
  readonly internal: boolean;
  readonly lead: readonly Markup[];
  readonly sections: readonly Section[];
}

/** A page of its own: no script, nothing from anywhere else. */
export function page({ title, date, internal, lead, sections }: Page): string {
  const warning = markup`${notice()}<p>This report compares with the true data. Keep it where the true data are kept, and share the other form.</p>`;
  const top = markup`<header>${internal ? warning : undefined}<h1>${bdi(title)}</h1>${date === undefined ? undefined : markup`<p class="soft">${date}</p>`}${lead}</header>`;
  const contents = markup`<nav aria-label="Contents"><ul>${sections.map(({ id, heading }) => markup`<li><a href="#${id}">${heading}</a></li>`)}</ul></nav>`;
  const text = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${internal ? `${INTERNAL} – ` : ""}${title}</title>
<style>`;
  const rest = markup`</style>
</head>
<body>
${FILLS}${top}
${contents}
<main>
${sections.map(section)}</main>
</body>
</html>
`;
  return `${text}${STYLE}${internal ? FOOT : ""}${rest}`;
}

function section({ id, heading, body, internal }: Section): Markup {
  return markup`<section id="${id}"><h2>${heading}</h2>${internal ? notice() : undefined}${body}</section>\n`;
}

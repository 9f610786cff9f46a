/**
 * Markup that is safe to put into a page. Only {@link markup} makes it, which escapes every text that is put into its
 * holes: a name or value from data cannot become a tag, leave its attribute, or turn the direction of what follows.
 */
export class Markup {
  readonly #text: string;

  private constructor(text: string) {
    this.#text = text;
  }

  /** @internal For {@link markup}. */
  static of(text: string): Markup {
    return new Markup(text);
  }

  toString(): string {
    return this.#text;
  }
}

export type Hole = string | number | Markup | readonly Hole[] | undefined;

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "`": "&#96;",
};

/** What a page cannot hold, what cannot be seen, and what reorders text: controls, halves of pairs, joiners, bidi. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\u{FFFE}\u{FFFF}]/gu;

/** A text in which every character can be seen: others are written out, such as ⟨U+202E⟩. */
export const visible = (text: string): string =>
  text.replace(
    UNSEEN,
    (one) => `⟨U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`,
  );

const escaped = (text: string): string =>
  visible(text).replace(/[&<>"'`]/g, (one) => ENTITIES[one] as string);

function filled(hole: Hole): string {
  if (hole === undefined) return "";
  if (hole instanceof Markup) return hole.toString();
  return Array.isArray(hole) ? hole.map(filled).join("") : escaped(String(hole));
}

/** A template whose own text is markup and whose holes are text, unless they are markup. */
export const markup = (texts: TemplateStringsArray, ...holes: readonly Hole[]): Markup =>
  Markup.of(texts.reduce((so, text, i) => so + filled(holes[i - 1]) + text));

/** A text from data, set apart from the direction of the text around it. */
export const bdi = (text: string): Markup => markup`<bdi>${text}</bdi>`;

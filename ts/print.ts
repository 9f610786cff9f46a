/**
 * What moves the cursor of a terminal, ends a line or turns the direction of text around: control characters (C0, DEL,
 * C1), the separators of lines and paragraphs, and the marks that embed, override and isolate directions.
 */
const UNPRINTED = "[\\p{Cc}\\p{Zl}\\p{Zp}\\u202A-\\u202E\\u2066-\\u2069]";
const one = /* @__PURE__ */ new RegExp(UNPRINTED, "u");
const all = /* @__PURE__ */ new RegExp(UNPRINTED, "gu");
const runs = /* @__PURE__ */ new RegExp(`${UNPRINTED}+`, "gu");

/** Whether a text is printed as it is. Names are: what they are called stands in plans, accounts and releases. */
export const isPrinted = (text: string): boolean => !one.test(text);

/** A text from anywhere as part of a line that is printed. */
export const oneLine = (text: string): string => text.replace(runs, " ");

/** The same of lines, which stay lines. */
export const printed = (text: string): string => text.split("\n").map(oneLine).join("\n");

/** Words as the beginning of a sentence. */
export const sentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** JSON that says the same and can be printed. */
export const printedJson = (json: string): string =>
  json.replace(all, (char) => `\\u${(char.codePointAt(0) as number).toString(16).padStart(4, "0")}`);

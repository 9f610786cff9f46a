/** How private rows are read, as far as it is not as usual. */
export type ReadAs = Readonly<Record<string, string | boolean>>;

/** As `seal` reads where nothing else is said. */
const USUAL: ReadAs = { delimiter: ",", decimalComma: false, encoding: "utf-8", badRows: "drop" };

/**
 * A reading is part of what is asked: read in another way, the same rows say something else, so what was answered before
 * is not the answer, and asking again is another charge. It is no part of what the account is of: then whoever had
 * mistaken a delimiter would have to begin a second account for the same people.
 */
export function readAsOf(given: { readonly [name: string]: string | boolean | undefined }): ReadAs {
  const unusual = ([name, value]: [string, unknown]) => value !== undefined && value !== USUAL[name];
  return Object.freeze(Object.fromEntries(Object.entries(given).filter(unusual))) as ReadAs;
}

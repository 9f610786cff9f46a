import { isObject } from "../../options.js";

/** What stands in a draft where something is to be filled in. No value of these fields is this text. */
export const HOLE = "?";

const FIELDS = ["type", "values", "min", "max", "width", "cuts", "bins", "from", "to", "step"];

/** What of an attribute is to be filled in. */
export interface Hole {
  readonly attribute: string;
  readonly fields: readonly string[];
}

/** What of attributes by name is to be filled in. */
export function holesOf(attributes: Readonly<Record<string, unknown>>): Hole[] {
  return Object.entries(attributes).flatMap(([attribute, spec]) => {
    const fields = isObject(spec)
      ? FIELDS.filter((field) => (spec as Record<string, unknown>)[field] === HOLE)
      : [];
    return fields.length > 0 ? [{ attribute, fields }] : [];
  });
}

/** Holes in words: `type of "age"; min, max of "income"`. */
export const holesInWords = (holes: readonly Hole[]): string =>
  holes.map(({ attribute, fields }) => `${fields.join(", ")} of ${JSON.stringify(attribute)}`).join("; ");

/** The number of digits after the point that show three significant ones, between 0 and 6. */
function digitsOf(value: number): number {
  if (value === 0) return 0;
  return Math.min(6, Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value)))));
}

/** A number as people write it: with so many digits after the point, thousands set apart. */
export function fixed(value: number, digits: number): string {
  if (!Number.isFinite(value)) return "–";
  const [whole = "", part] = Math.abs(value).toFixed(digits).split(".");
  const text = whole.replace(/\B(?=(\d{3})+$)/g, "\u2009") + (part === undefined ? "" : `.${part}`);
  return value < 0 && /[1-9]/.test(text) ? `−${text}` : text;
}

/** A number with three significant digits, or all of the whole ones. */
export const figure = (value: number): string =>
  Number.isInteger(value) ? fixed(value, 0) : fixed(value, digitsOf(value));

/** A share in percent, with one digit; what is not zero is not shown as zero. */
export const percent = (share: number): string =>
  share > 0 && share < 5e-4 ? "<\u00a00.1\u00a0%" : `${fixed(100 * share, 1)}\u00a0%`;

/** A number of things: `1 row`, `2 rows`. */
export const count = (value: number, one: string, many = `${one}s`): string =>
  `${figure(value)} ${value === 1 ? one : many}`;

/** A fraction `p/q` as a number, to be drawn. */
export function numberOf(fraction: string): number {
  const [over, under = "1"] = fraction.split("/");
  return Number(over) / Number(under);
}

/** An exact fraction for people: as a decimal, rounded where it is long. */
export const amount = (fraction: string): string => {
  const value = numberOf(fraction);
  const short = `${Number(value.toPrecision(4))}`;
  return Number(short) === value ? short : `≈ ${short}`;
};

/** What a letter stands for: `= 4`, or `≈ 5.556` where it is rounded. */
export const equals = (fraction: string): string => {
  const text = amount(fraction);
  return text.startsWith("≈") ? text : `= ${text}`;
};

/** An exact fraction as it is, where it is short enough to be read. */
export const exact = (fraction: string): string => (fraction.length <= 9 ? fraction : amount(fraction));

/** Attributes of a clique. */
export const crossed = (names: readonly string[]): string => names.join(" × ");

/** A value of an attribute. */
export const valueName = (label: string | null): string => label ?? "(null)";

/** A text that fits into a chart; the whole of it stands in the table. */
export function shortened(text: string, most: number): string {
  const letters = [...text];
  return letters.length <= most ? text : `${letters.slice(0, most - 1).join("")}…`;
}

export const symbolOf = (currency: string): string => (currency === "rho" ? "ρ" : "ε");

/** How many bytes a text has in a file. */
export const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

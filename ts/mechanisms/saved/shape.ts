/** Says whether something is what it should be, and so of which type. */
export type Check<T = unknown> = (value: unknown) => value is T;
/** What a check lets through. */
export type Checked<C> = C extends Check<infer T> ? T : never;

export const text = (value: unknown): value is string => typeof value === "string";
export const real = (value: unknown): value is number => Number.isFinite(value);
export const whole = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0;
export const anything = (value: unknown): value is unknown => value !== undefined;
export const constant =
  <const T extends readonly unknown[]>(...of: T) =>
  (value: unknown): value is T[number] =>
    of.includes(value);

export const list =
  <T>(of: Check<T>) =>
  (value: unknown): value is readonly T[] =>
    Array.isArray(value) && value.every((item) => of(item));

export const either =
  <C extends readonly Check[]>(...of: C) =>
  (value: unknown): value is Checked<C[number]> =>
    of.some((one) => one(value));

export const maybe =
  <T>(of: Check<T>) =>
  (value: unknown): value is T | undefined =>
    value === undefined || of(value);

type Fields = Readonly<Record<string, Check>>;
type Missing<F> = { [K in keyof F]: undefined extends Checked<F[K]> ? K : never }[keyof F];
/** An object that has what these fields let through. */
export type Shaped<F> = { readonly [K in Exclude<keyof F, Missing<F>>]: Checked<F[K]> } & {
  readonly [K in Missing<F>]?: Exclude<Checked<F[K]>, undefined>;
};

/** An object with these fields; others may be there, and nobody looks at them. */
export const object =
  <F extends Fields>(fields: F) =>
  (value: unknown): value is Shaped<F> => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
    const own = (name: string) =>
      Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
    return Object.entries(fields).every(([name, of]) => of(own(name)));
  };

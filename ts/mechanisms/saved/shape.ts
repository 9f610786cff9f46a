/** Says whether something is what it should be. */
export type Check = (value: unknown) => boolean;

export const text: Check = (value) => typeof value === "string";
export const real: Check = (value) => Number.isFinite(value);
export const whole: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
export const anything: Check = (value) => value !== undefined;
export const constant =
  (...of: readonly unknown[]): Check =>
  (value) =>
    of.includes(value);

export const list =
  (of: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every((item) => of(item));

export const either =
  (...of: readonly Check[]): Check =>
  (value) =>
    of.some((one) => one(value));

export const maybe =
  (of: Check): Check =>
  (value) =>
    value === undefined || of(value);

/** An object with these fields; others may be there, and nobody looks at them. */
export const object =
  (fields: Readonly<Record<string, Check>>): Check =>
  (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
    const own = (name: string) =>
      Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
    return Object.entries(fields).every(([name, of]) => of(own(name)));
  };

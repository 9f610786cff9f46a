/** The figures and texts of something, by where they stand in it. */
export function leaves(thing: unknown): Map<string, number | string> {
  const found = new Map<string, number | string>();
  const walk = (at: string, one: unknown): void => {
    if (typeof one === "number") found.set(at, one);
    else if (typeof one !== "object" || one === null) found.set(at, `${one}`);
    else for (const [name, part] of Object.entries(one)) walk(`${at}.${name}`, part);
  };
  walk("", JSON.parse(JSON.stringify(thing)));
  return found;
}

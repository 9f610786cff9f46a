export type Fs = typeof import("node:fs");
export type Os = typeof import("node:os");

/** Node's file system, where there is one. */
export const fileSystem = (): Promise<Fs | undefined> => builtin<Fs>("fs");

/** What Node knows of the machine, where there is Node. */
export const system = (): Promise<Os | undefined> => builtin<Os>("os");

/** The name is put together so that no bundler looks for it. */
async function builtin<T>(module: string): Promise<T | undefined> {
  const node = typeof process === "object" && typeof process.versions?.node === "string";
  if (!node) return undefined;
  const name = ["node", module].join(":");
  return import(/* webpackIgnore: true */ /* @vite-ignore */ name).catch(() => undefined) as Promise<
    T | undefined
  >;
}

import { MarginaliaError } from "../errors.js";

/** How a file of a peer is read. */
export interface PeerSettings {
  signal?: AbortSignal | undefined;
  /** Whether a column is passed over. */
  skip: (name: string) => boolean;
}

/** An optional package, by a name that no bundler follows: it would fail where the package is not installed. */
export async function peer<T>(name: string): Promise<T> {
  try {
    return await import(/* webpackIgnore: true */ /* @vite-ignore */ name);
  } catch (cause) {
    const message = `this kind of file is read by the package ${name}, which cannot be loaded: npm install ${name}`;
    const hint = "in a bundled app, read the file with that package yourself and give readTable the rows";
    throw new MarginaliaError("PEER_MISSING", message, { hint, cause });
  }
}

/** The columns that are read. Refuses two of one name, of which nobody could tell which is meant. */
export function kept(names: readonly string[], skip: (name: string) => boolean): string[] {
  const wanted = names.filter((name) => !skip(name));
  const twice = wanted.find((name, i) => wanted.indexOf(name) !== i);
  if (twice === undefined) return wanted;
  const message = `two columns are named ${JSON.stringify(twice)}: rename or remove one`;
  throw new MarginaliaError("COLUMN_DUPLICATE", message);
}

/** What a source said when it failed itself. */
class Failed {
  readonly error: unknown;

  constructor(error: unknown) {
    this.error = error;
  }
}

/** What a source gives; its own errors are told apart from those of who reads what it gave. */
export async function pulled<T>(value: Promise<T>): Promise<T> {
  try {
    return await value;
  } catch (error) {
    throw new Failed(error);
  }
}

/** What to throw when a file cannot be read: what the source said, an error of ours, or that the file is damaged. */
export function broken(kind: string, cause: unknown): unknown {
  if (cause instanceof Failed) return cause.error;
  if (cause instanceof MarginaliaError) return cause;
  const message = `the ${kind} data is damaged or of a kind that is not supported`;
  return new MarginaliaError("SOURCE_FAILED", message, { cause });
}

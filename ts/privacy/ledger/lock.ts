import { fromUtf8, uniqueName, utf8 } from "../../bytes.js";
import { codeOf, syncFolder } from "../../disk.js";
import { MarginaliaError } from "../../errors.js";
import type { Fs } from "../../node.js";
import { writeDurably } from "./disk.js";
import { type Fate, fateOf, type Identity } from "./process.js";

/** What a lock file holds: who has the ledger open. */
export interface Holder extends Identity {
  /** Names this lock among all there will ever be. */
  token: string;
  since: string;
  /** Its holder could not close the ledger, and has let go of it. */
  abandoned?: boolean;
}

interface Claim {
  fs: Fs;
  /** The ledger, for messages. */
  name: string;
  us: Identity;
  recover: string | undefined;
}

/** Exclusive hold of a ledger, by a file beside it that exists while it is held. */
export class Lock {
  /** Whether it was taken over from a process that ended without giving it up. */
  readonly interrupted: boolean;
  readonly #fs: Fs;
  readonly #path: string;
  readonly #holder: Holder;

  private constructor(fs: Fs, path: string, holder: Holder, interrupted: boolean) {
    this.#fs = fs;
    this.#path = path;
    this.#holder = holder;
    this.interrupted = interrupted;
  }

  static async take(path: string, claim: Claim): Promise<Lock> {
    const holder = { ...claim.us, token: uniqueName(), since: new Date().toISOString() };
    const interrupted = await take(path, holder, claim);
    await syncFolder(claim.fs, path);
    await sweep(path, claim);
    return new Lock(claim.fs, path, holder, interrupted);
  }

  /** Gives it up. A lock that somebody took over by order is theirs. */
  async release(): Promise<void> {
    if ((await readHolder(this.#fs, this.#path))?.token !== this.#holder.token) return;
    await this.#fs.promises.unlink(this.#path);
  }

  /** Leaves it as proof that the ledger was not closed, for anybody to take over. */
  async abandon(): Promise<void> {
    if ((await readHolder(this.#fs, this.#path))?.token !== this.#holder.token) return;
    const draft = `${this.#path}~${this.#holder.token}`;
    await writeDurably(this.#fs, draft, bytesOf({ ...this.#holder, abandoned: true }));
    await this.#fs.promises.rename(draft, this.#path);
  }
}

const ATTEMPTS = 20;
const PAUSE_MS = 5;

/** Takes the lock at `path`, or fails with LEDGER_LOCKED; answers whether it was taken over. */
async function take(path: string, holder: Holder, claim: Claim): Promise<boolean> {
  const draft = `${path}~${holder.token}`;
  await writeDurably(claim.fs, draft, bytesOf(holder));
  try {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const taken = await tryTake(path, draft, claim, attempt === ATTEMPTS);
      if (taken !== undefined) return taken === "over";
      await new Promise((done) => setTimeout(done, PAUSE_MS));
    }
    throw busy(claim);
  } finally {
    await claim.fs.promises.unlink(draft).catch(() => undefined);
  }
}

/** Nothing where it is worth another try: the lock has just gone, or is just being written by copying. */
async function tryTake(
  path: string,
  draft: string,
  claim: Claim,
  last: boolean,
): Promise<"fresh" | "over" | undefined> {
  if (await linkTo(claim.fs, draft, path)) return "fresh";
  const present = await readHolder(claim.fs, path);
  if (!present) return undefined;
  const fate = await fateOfHolder(present, claim);
  if (fate === "dead" || (fate === "foreign" && claim.recover === present.token)) {
    return (await replace(path, present, draft, claim)) ? "over" : undefined;
  }
  if (present.token === UNREADABLE && !last) return undefined;
  throw locked(present, fate, claim);
}

/**
 * Puts our draft in the place of a lock whose holder is gone. Two processes may have seen the same dead holder,
 * and the slower one must not remove the lock of the faster. So the right to replace the lock of a token is
 * itself a lock, named after the token; whoever has it looks again. Only the holder of the right removes a lock
 * of that token, and no later lock has the same token, so what is seen then stays until it is renamed over. A
 * process that dies with the right in its hands leaves a lock that is taken over in the same way.
 */
async function replace(path: string, dead: Holder, draft: string, claim: Claim): Promise<boolean> {
  const { fs } = claim;
  const right = `${path}.${dead.token}`;
  const holder = { ...claim.us, token: uniqueName(), since: new Date().toISOString() };
  await take(right, holder, claim);
  try {
    if ((await readHolder(fs, path))?.token !== dead.token) return false;
    await fs.promises.rename(draft, path);
    return true;
  } finally {
    await fs.promises.unlink(right);
  }
}

const HOUR_MS = 3_600_000;

/**
 * Removes drafts and rights that processes left which died while they opened the ledger: drafts at once if they say whose they
 * are, the rest after an hour. Since the lock is ours, a right to replace another is of no use to anybody; a draft lives for some milliseconds.
 */
async function sweep(path: string, claim: Claim): Promise<void> {
  const { fs } = claim;
  const [, folder = "", lock = ""] = /^(.*?)([^/\\]+)$/s.exec(path) ?? [];
  const names = await fs.promises.readdir(folder || ".").catch(() => []);
  const left = names.filter((name) => name.startsWith(`${lock}~`) || name.startsWith(`${lock}.`));
  for (const name of left) {
    const { mtimeMs } = await fs.promises.stat(folder + name).catch(() => ({ mtimeMs: Date.now() }));
    const dead = name.startsWith(`${lock}~`) && (await isOfTheDead(folder + name, claim));
    if (dead || Date.now() - mtimeMs > HOUR_MS)
      await fs.promises.unlink(folder + name).catch(() => undefined);
  }
}

async function isOfTheDead(draft: string, claim: Claim): Promise<boolean> {
  const holder = await readHolder(claim.fs, draft).catch(() => undefined);
  return holder !== undefined && (await fateOfHolder(holder, claim)) === "dead";
}

/** Gives a complete file a second name, if nothing has that name yet. */
async function linkTo(fs: Fs, draft: string, path: string): Promise<boolean> {
  try {
    await fs.promises.link(draft, path);
    return true;
  } catch (cause) {
    if (codeOf(cause) === "EEXIST") return false;
    if (!NO_LINKS.has(codeOf(cause) ?? "")) throw cause;
  }
  try {
    await fs.promises.copyFile(draft, path, fs.constants.COPYFILE_EXCL);
    return true;
  } catch (cause) {
    if (codeOf(cause) === "EEXIST") return false;
    throw cause;
  }
}

/** What file systems without hard links answer, such as those of memory cards. */
const NO_LINKS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EINVAL", "EMLINK"]);

async function fateOfHolder(present: Holder, { fs, us }: Claim): Promise<Fate> {
  if (present.abandoned) return "dead";
  return present.token === UNREADABLE ? "foreign" : fateOf(fs, present, us);
}

const UNREADABLE = "unreadable";

async function readHolder(fs: Fs, path: string): Promise<Holder | undefined> {
  let text: string;
  try {
    text = fromUtf8(await fs.promises.readFile(path));
  } catch (cause) {
    if (codeOf(cause) === "ENOENT") return undefined;
    if (codeOf(cause) !== undefined && !(cause instanceof TypeError)) throw cause;
    text = "";
  }
  return parsed(text) ?? { host: "unknown", pid: 0, started: "", since: "", token: UNREADABLE };
}

function parsed(text: string): Holder | undefined {
  try {
    const { token, host, pid } = JSON.parse(text) as Holder;
    const sound =
      /^[0-9a-f]{16}$/.test(token) && typeof host === "string" && Number.isInteger(pid) && pid > 0;
    return sound ? (JSON.parse(text) as Holder) : undefined;
  } catch {
    return undefined;
  }
}

const bytesOf = (holder: Holder) => utf8(`${JSON.stringify(holder)}\n`);

function locked(present: Holder, fate: Fate, { name }: Claim): MarginaliaError {
  if (present.token === UNREADABLE) {
    return error(`the ledger ${name} has a lock that cannot be read. ${order(UNREADABLE)}`);
  }
  const who = `process ${present.pid} on ${present.host} since ${present.since}`;
  if (fate === "alive") {
    return error(`the ledger ${name} is open in ${who}: close it there, or end that process`);
  }
  return error(
    `the ledger ${name} is open in ${who}, and from here nobody can tell whether that process still runs. ` +
      order(present.token),
  );
}

const busy = ({ name }: Claim) => error(`the ledger ${name} is being opened and closed by others: try again`);

const order = (token: string) =>
  `If you know that nothing has the ledger open any more, open it once with \`recover: "${token}"\``;

const error = (message: string) => new MarginaliaError("LEDGER_LOCKED", message);

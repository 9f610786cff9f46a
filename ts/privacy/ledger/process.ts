import { sha256, uniqueName, utf8 } from "../../bytes.js";
import { codeOf } from "../../disk.js";
import type { Fs, Os } from "../../node.js";

/** A process, as exactly as the platform lets one name it. */
export interface Identity {
  host: string;
  pid: number;
  /** When it started. */
  started: string;
  /** Which machine, since machines can share a name: a hash of what Linux knows it by, elsewhere a random name. */
  machine?: string;
  /** Linux: which start of the machine. */
  boot?: string;
  /** Linux: the namespace that the pid is of; containers of one host have different ones. */
  space?: string;
  /** Linux: when the process was born, in ticks since the start, since pids are used again. */
  birth?: string;
}

/** This process. */
export async function ourselves(fs: Fs, os: Os): Promise<Identity> {
  const host = os.hostname();
  const read = (path: string) => fs.promises.readFile(path, "utf8").catch(() => undefined);
  const boot = (await read("/proc/sys/kernel/random/boot_id"))?.trim();
  const space = await fs.promises.readlink("/proc/self/ns/pid").catch(() => undefined);
  const birth = statusOf(await read("/proc/self/stat"))?.birth;
  // A start is of one machine, which need not have a name then.
  const machine = await (boot ? hashOf(read("/etc/machine-id")) : madeUp(fs, os));
  return {
    host,
    pid: process.pid,
    started: new Date(Date.now() - 1000 * process.uptime()).toISOString(),
    ...(machine ? { machine } : {}),
    ...(boot ? { boot } : {}),
    ...(space ? { space } : {}),
    ...(birth ? { birth } : {}),
  };
}

/** The machine's own identity is not to be passed on. */
async function hashOf(reading: Promise<string | undefined>): Promise<string | undefined> {
  const known = (await reading)?.trim();
  return known ? (await sha256(utf8(`marginalia ${known}`))).slice(0, 16) : undefined;
}

/**
 * A random name of this machine, in its folder for temporary files, which machines do not share. Where it cannot be
 * kept there is none, and where it was removed there is another: then nothing from before is known to be of this host.
 */
async function madeUp(fs: Fs, os: Os): Promise<string | undefined> {
  const path = `${os.tmpdir()}/marginalia-machine`;
  const read = async () => {
    const text = await fs.promises.readFile(path, "utf8").catch(() => "");
    return /^[0-9a-f]{32}$/.test(text) ? text : undefined;
  };
  const name = await read();
  if (name) return name;
  const draft = `${path}~${uniqueName()}`;
  try {
    await fs.promises.writeFile(draft, uniqueName() + uniqueName(), { flag: "wx", mode: 0o644 });
    await fs.promises.rename(draft, path);
  } catch {
    await fs.promises.unlink(draft).catch(() => undefined);
  }
  return read();
}

/** What is known of a process; of a `foreign` one, nothing. */
export type Fate = "dead" | "alive" | "foreign";

/** Of processes that are in no container: the same number on every Linux. */
const OUTERMOST = "pid:[4026531836]";

/**
 * What is known of another process. `dead` is said only with certainty: it was of this host, and no process has
 * its number now, or one that was born at another time, or the machine has been started anew since.
 */
export async function fateOf(fs: Fs, other: Identity, us: Identity): Promise<Fate> {
  if (other.host !== us.host || other.machine !== us.machine || other.space !== us.space) return "foreign";
  if (other.boot !== us.boot) {
    // Names of containers, and the identity in their image, may be those of a container elsewhere that still runs.
    const restarted = us.machine && other.boot && us.boot && us.space === OUTERMOST;
    return restarted ? "dead" : "foreign";
  }
  // Machines can have one name by chance.
  if (!us.boot && !us.machine) return "foreign";
  if (!exists(other.pid)) return "dead";
  const path = `/proc/${other.pid}/stat`;
  const status = statusOf(await fs.promises.readFile(path, "utf8").catch(() => undefined));
  if (!status || !other.birth) return "alive";
  return status.ended || status.birth !== other.birth ? "dead" : "alive";
}

/** Whether a process has this number. One that may not be signalled exists as well. */
function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return codeOf(cause) !== "ESRCH";
  }
}

/** From `/proc/<pid>/stat`: the name in parentheses may hold anything, so counting starts behind it. */
function statusOf(stat: string | undefined): { ended: boolean; birth: string | undefined } | undefined {
  if (!stat) return undefined;
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return { ended: "ZX".includes(fields[0] ?? ""), birth: fields[19] };
}

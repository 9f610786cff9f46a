import { codeOf } from "../../disk.js";
import type { Fs, Os } from "../../node.js";
import { sha256, utf8 } from "./bytes.js";

/** A process, as exactly as the platform lets one name it. */
export interface Identity {
  host: string;
  pid: number;
  /** When it started. */
  started: string;
  /** Linux: a hash of the machine's identity, since machines can share a name. */
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
  const machine = await read("/etc/machine-id");
  const boot = await read("/proc/sys/kernel/random/boot_id");
  const space = await fs.promises.readlink("/proc/self/ns/pid").catch(() => undefined);
  const birth = statusOf(await read("/proc/self/stat"))?.birth;
  return {
    host,
    pid: process.pid,
    started: new Date(Date.now() - 1000 * process.uptime()).toISOString(),
    // The machine's own identity is not to be passed on.
    ...(machine ? { machine: (await sha256(utf8(`marginalia ${machine.trim()}`))).slice(0, 16) } : {}),
    ...(boot ? { boot: boot.trim() } : {}),
    ...(space ? { space } : {}),
    ...(birth ? { birth } : {}),
  };
}

/**
 * What is known of another process. `dead` is said only with certainty: it was of this host, and no process has
 * its number now, or one that was born at another time, or the machine has been started anew since.
 */
export async function fateOf(fs: Fs, other: Identity, us: Identity): Promise<"dead" | "alive" | "foreign"> {
  if (other.host !== us.host || other.machine !== us.machine) return "foreign";
  // Without the machine's identity, another start could be that of another machine with the same name.
  if (other.boot !== us.boot) return us.machine && other.boot && us.boot ? "dead" : "foreign";
  if (other.space !== us.space) return "foreign";
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

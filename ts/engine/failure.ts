import { type ErrorCode, MarginaliaError } from "../errors.js";
import type { PlainError } from "./protocol.js";

/** What `crates/binding/src/error.rs` throws, and a `MarginaliaError` too. */
function isCoded(thrown: unknown): thrown is { code: ErrorCode; message: string; hint?: string } {
  if (typeof thrown !== "object" || thrown === null) return false;
  const { code, message } = thrown as { code?: unknown; message?: unknown };
  return typeof message === "string" && typeof code === "string" && isPlainOrOurs(thrown);
}

/** Node's own errors carry a `code` too; they are not ours to pass on. */
function isPlainOrOurs(thrown: object): boolean {
  return thrown instanceof MarginaliaError || !(thrown instanceof Error);
}

/**
 * Whether what an operation threw leaves the instance in an unknown state: a trap, or a stack that ran out in
 * the middle of something.
 */
export function isTrap(thrown: unknown): boolean {
  if (thrown instanceof WebAssembly.RuntimeError) return true;
  return thrown instanceof Error && /call stack|too much recursion/.test(thrown.message);
}

/** What an operation threw, as it crosses to the caller. */
export function toPlain(thrown: unknown): PlainError {
  if (isCoded(thrown)) return { code: thrown.code, message: thrown.message, hint: thrown.hint };
  if (thrown instanceof RangeError) {
    return {
      code: "OUT_OF_MEMORY",
      message: "JavaScript has no memory for the answer: ask for less at once",
    };
  }
  const said = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : typeof thrown;
  return { code: "INTERNAL", message: `this is a defect of marginalia, please report it (${said})` };
}

export function fromPlain({ code, message, hint }: PlainError): MarginaliaError {
  return new MarginaliaError(code, message, { hint });
}

export function aborted(signal: AbortSignal): MarginaliaError {
  return new MarginaliaError("ABORTED", "the call was aborted by its signal", { cause: signal.reason });
}

export function disposed(): MarginaliaError {
  return new MarginaliaError(
    "HANDLE_DISPOSED",
    "the object was disposed of: use it before, or make it again",
  );
}

export function closed(): MarginaliaError {
  return new MarginaliaError(
    "ENGINE_CLOSED",
    "the engine was closed by close(): the next call starts a new one, objects must be made again",
  );
}

export function lost(reason: string): MarginaliaError {
  return new MarginaliaError(
    "ENGINE_LOST",
    `the engine ended unexpectedly (${reason}): call again for a fresh one; objects must be made again`,
  );
}

export function unavailable(reason: string, cause?: unknown): MarginaliaError {
  const hint =
    "if its files are not where the package put them, pass `marginalia/marginalia.wasm` by init({ module }), " +
    "{ bytes } or { url }; before Vite 8, its development server leaves them in place by " +
    'optimizeDeps: { exclude: ["marginalia"] }';
  return new MarginaliaError("ENGINE_UNAVAILABLE", `the engine cannot start: ${reason}`, { hint, cause });
}

const MODULES = {
  lp: "of the exact solver, pkg/lp",
  model: "for estimation, pkg/model-simd",
  graph: "of graphical models, pkg/graph",
};

/** A WebAssembly file beside the engine's own could not be loaded. */
export function missing(name: keyof typeof MODULES, reason: string, cause: unknown): MarginaliaError {
  const hint = `if it is not where the package put it, pass \`marginalia/${name}.wasm\` by init({ ${name} })`;
  const message = `the file ${MODULES[name]}, cannot be loaded: ${reason}`;
  return new MarginaliaError("ENGINE_UNAVAILABLE", message, { hint, cause });
}

/** What somebody threw, in a few words. */
export function words(thrown: unknown): string {
  return thrown instanceof Error && thrown.message !== "" ? thrown.message : String(thrown);
}

import { printed } from "./print.js";

/** The stable names that callers branch on; `docs/errors.md` explains each. */
export type ErrorCode =
  | "SCHEMA_INVALID"
  | "OPTION_INVALID"
  | "ATTRIBUTE_UNKNOWN"
  | "COLUMN_MISSING"
  | "COLUMN_DUPLICATE"
  | "COLUMN_UNDECLARED"
  | "ROW_RAGGED"
  | "VALUE_OUTSIDE"
  | "TEXT_INVALID"
  | "JSON_INVALID"
  /** The gzip data is damaged, cut short, or of several members where the runtime reads only one. */
  | "GZIP_INVALID"
  /** A file, URL or stream could not be read, or written to. */
  | "SOURCE_FAILED"
  /** A private source that can be read only once was read, and its rows are gone. */
  | "SOURCE_CONSUMED"
  /** A mechanism that starts from public knowledge was given none. */
  | "PRIOR_MISSING"
  /** An optional package that this kind of file needs is not installed. */
  | "PEER_MISSING"
  | "MODEL_TOO_LARGE"
  | "OUT_OF_MEMORY"
  /** The platform gave no entropy, so no noise can be drawn. */
  | "ENTROPY_UNAVAILABLE"
  | "BUDGET_INVALID"
  | "BUDGET_EXCEEDED"
  /** No candidate takes part in a selection. */
  | "SELECTION_EMPTY"
  /** Something is no measurement, or is damaged. */
  | "MEASUREMENT_INVALID"
  /** An estimator cannot take what was asked of a clique. */
  | "QUERY_UNSUPPORTED"
  /** A kind of model cannot do what was asked of it. */
  | "MODEL_UNSUPPORTED"
  /** The model of an estimate that was refused was asked for. */
  | "ESTIMATE_REFUSED"
  /** No record can meet a condition: it names a value that is not declared, or nothing has any weight there. */
  | "CONDITION_IMPOSSIBLE"
  /** Something is no saved release, or is damaged or cut short. */
  | "RELEASE_DAMAGED"
  /** A saved release is of a version of the format that this package does not know. */
  | "RELEASE_VERSION"
  /** The platform's random bits repeat themselves. */
  | "ENTROPY_BROKEN"
  /** The caller's `AbortSignal` fired; its reason is the `cause`. */
  | "ABORTED"
  /** The object was disposed of, or belongs to nothing that the engine holds. */
  | "HANDLE_DISPOSED"
  /** `close()` was called while the call was pending, or the object went with the closed engine. */
  | "ENGINE_CLOSED"
  /** The engine ended unexpectedly: a trap, or a worker that died. The next call starts a fresh one. */
  | "ENGINE_LOST"
  /** The engine could not start at all; the `cause` says what the platform answered. */
  | "ENGINE_UNAVAILABLE"
  /** The ledger was changed, cut, rolled back or lost, or is of an unknown version: nothing may be spent by it. */
  | "LEDGER_DAMAGED"
  /** Another process has the ledger open, or may have. */
  | "LEDGER_LOCKED"
  /** The ledger was begun for another dataset, schema, unit, relation or budget. */
  | "LEDGER_MISMATCH"
  /** A defect of this package. */
  | "INTERNAL";

const BRAND: unique symbol = Symbol.for("marginalia.error.v1") as never;

export interface ErrorDetails {
  /** What to do next, where the message does not say it already. */
  hint?: string | undefined;
  cause?: unknown;
}

/**
 * Every error that this package throws: `code` is stable, `message` says what to do and never quotes a value
 * from the data. `instanceof` also recognises errors of another copy of the package (ESM beside CommonJS).
 */
export class MarginaliaError extends Error {
  override readonly name = "MarginaliaError";
  readonly code: ErrorCode;
  readonly hint?: string;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(printed(message), "cause" in details ? { cause: details.cause } : undefined);
    this.code = code;
    if (details.hint !== undefined) this.hint = printed(details.hint);
    Object.defineProperty(this, BRAND, { value: true });
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === "object" && value !== null && BRAND in value;
  }
}

/** The stable names of what can go wrong; `docs/errors.md` says what each means and what to do. */
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
  | "GZIP_INVALID"
  | "SOURCE_FAILED"
  | "PEER_MISSING"
  | "MODEL_TOO_LARGE"
  | "OUT_OF_MEMORY"
  | "ABORTED"
  | "ENGINE_UNAVAILABLE"
  | "ENGINE_LOST"
  | "ENGINE_CLOSED"
  | "HANDLE_DISPOSED";

const BRAND = Symbol.for("marginalia.error");

/** Every error that this package throws: a stable `code`, and a message that says what to do. */
export class MarginaliaError extends Error {
  readonly code: ErrorCode;
  readonly [BRAND] = true;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "MarginaliaError";
    this.code = code;
  }

  /** Recognises errors of another copy of the package too, such as the CommonJS one beside the ESM one. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === "object" && value !== null && BRAND in value;
  }
}

import { type ErrorCode, MarginaliaError } from "../errors.js";

/** What a program that called the command can tell from its exit code; `docs/errors.md` has the same table. */
export const EXIT = {
  done: 0,
  misfits: 1,
  usage: 2,
  input: 3,
  budget: 4,
  ledger: 5,
  io: 6,
  resources: 7,
  internal: 70,
  aborted: 130,
} as const;

export type ExitClass = keyof typeof EXIT;

const CLASS: Readonly<Record<ErrorCode, ExitClass>> = {
  OPTION_INVALID: "usage",
  PRIOR_MISSING: "usage",
  SCHEMA_INVALID: "input",
  ATTRIBUTE_UNKNOWN: "input",
  COLUMN_MISSING: "input",
  COLUMN_DUPLICATE: "input",
  COLUMN_UNDECLARED: "input",
  ROW_RAGGED: "input",
  VALUE_OUTSIDE: "input",
  TEXT_INVALID: "input",
  JSON_INVALID: "input",
  GZIP_INVALID: "input",
  SELECTION_EMPTY: "input",
  MEASUREMENT_INVALID: "input",
  QUERY_UNSUPPORTED: "input",
  MODEL_UNSUPPORTED: "input",
  ESTIMATE_REFUSED: "input",
  CONDITION_IMPOSSIBLE: "input",
  RELEASE_DAMAGED: "input",
  RELEASE_VERSION: "input",
  BUDGET_INVALID: "budget",
  BUDGET_EXCEEDED: "budget",
  LEDGER_DAMAGED: "ledger",
  LEDGER_LOCKED: "ledger",
  LEDGER_MISMATCH: "ledger",
  SOURCE_FAILED: "io",
  SOURCE_CONSUMED: "io",
  PEER_MISSING: "resources",
  MODEL_TOO_LARGE: "resources",
  OUT_OF_MEMORY: "resources",
  ENTROPY_UNAVAILABLE: "resources",
  ENTROPY_BROKEN: "resources",
  ENGINE_UNAVAILABLE: "resources",
  ENGINE_LOST: "resources",
  ABORTED: "aborted",
  HANDLE_DISPOSED: "internal",
  ENGINE_CLOSED: "internal",
  INTERNAL: "internal",
};

/** The class of what was thrown. */
export function classOf(thrown: unknown): ExitClass {
  // A newer copy of the package may know codes that this one does not.
  return thrown instanceof MarginaliaError ? (CLASS[thrown.code] ?? "internal") : "internal";
}

/** What was thrown as an error with a code. What nobody foresaw is a defect; its text may hold anything, so it is not shown. */
export function coded(thrown: unknown): MarginaliaError {
  if (thrown instanceof MarginaliaError) return thrown;
  const kind = thrown instanceof Error ? thrown.name : typeof thrown;
  return new MarginaliaError("INTERNAL", `this is a defect of marginalia, please report it (${kind})`, {
    cause: thrown,
  });
}

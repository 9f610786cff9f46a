/**
 * For whoever holds a private table: where it does not fit its schema. What this tells is *not* private.
 *
 * @packageDocumentation
 */
export {
  type BadRecords,
  Check,
  type CheckedAttribute,
  type CheckOptions,
  check,
  type Flaw,
  type Misfits,
} from "./evaluate/check.js";

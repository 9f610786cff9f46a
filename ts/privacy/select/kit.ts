import type { sha256 } from "../../bytes.js";
import type { cost } from "../cost.js";
import type { disagreement } from "../gate.js";
import type { positive, Rational, show } from "../rational.js";
import type { scoreSensitivity } from "../sensitivity.js";

/**
 * What selections share with what is always there. It is handed to them, since they are loaded when they are needed: a
 * module that both sides import would be loaded by programs that seal nothing.
 */
export interface Kit {
  readonly Rational: typeof Rational;
  readonly positive: typeof positive;
  readonly show: typeof show;
  readonly cost: typeof cost;
  readonly scoreSensitivity: typeof scoreSensitivity;
  readonly sha256: typeof sha256;
  readonly disagreement: typeof disagreement;
}

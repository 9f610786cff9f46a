import type { Options } from "../../option.js";
import type { Sealed } from "../../privacy/sealed.js";
import type { ReleasedGroups } from "../groups/release.js";
import type { ReleasedGroup } from "../groups/tree.js";
import type { RunOf } from "./mechanism.js";
import type { Released } from "./modelled.js";
import type { Plan } from "./plan.js";
import type { ReleaseSettings } from "./stages.js";

/** Any mechanism, as whoever finds it by its name uses it. */
export interface AnyMechanism extends Disposable {
  plan(sealed: Sealed, settings?: ReleaseSettings): Promise<Plan>;
  run(sealed: Sealed, settings?: RunAny): Promise<Released | ReleasedGroups>;
}

/** How it is run; `onGroup` is told of groups where there are some. */
export interface RunAny extends Omit<RunOf<Plan>, "plan"> {
  plan?: object;
  onGroup?: (group: ReleasedGroup) => void;
}

/** A mechanism as commands and configurations find it by its name. */
export interface Definition {
  /** What it does, in a line. */
  readonly help: string;
  /** Its options beside `prior`, each with what a configuration may hold. */
  readonly options: Options;
  /** Whether its name alone is a flag of the command. */
  readonly flag?: boolean;
  /** Whether it works without a public table. */
  readonly priorless?: boolean;
  /** Refuses what does not go together, by the names of options. */
  check?(values: object): void;
  /** Makes it from its options and a public table as `prior`. */
  make(options: object): AnyMechanism;
}

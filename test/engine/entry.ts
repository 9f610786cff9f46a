/** What the engine's tests see of its caller's side, bundled with the tests' operations. */
export { Engine } from "../../ts/engine/engine.js";
export { call, capabilities, close, Handle, init } from "../../ts/engine/index.js";
export type { Platform } from "../../ts/engine/launch.js";
export { solveTwoStage } from "../../ts/engine/lp.js";
export { platform } from "../../ts/engine/platform.js";
export type { Link } from "../../ts/engine/protocol.js";
export { MarginaliaError } from "../../ts/errors.js";

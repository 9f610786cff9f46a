export { type Capabilities, capabilities, close, type InitOptions, init } from "./engine/index.js";
export { type ErrorCode, MarginaliaError } from "./errors.js";

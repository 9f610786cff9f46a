/** The platform of this build: the bundler puts `browser.ts` or `edge.ts` in its place for those entries. */
export { platform } from "./node.js";

import { file } from "bun";
import * as marginalia from "marginalia";
import wasm from "marginalia/marginalia.wasm" with { type: "file" };
import { story } from "./story.mjs";

await marginalia.init({ bytes: await file(wasm).arrayBuffer() });
console.log(JSON.stringify(await story(marginalia)));

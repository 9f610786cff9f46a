import { file } from "bun";
import * as marginalia from "marginalia";
import wasm from "marginalia/marginalia.wasm" with { type: "file" };
import part from "marginalia/model.wasm" with { type: "file" };
import { story } from "./story.mjs";

const [bytes, model] = await Promise.all([wasm, part].map((path) => file(path).arrayBuffer()));
await marginalia.init({ bytes, model });
console.log(JSON.stringify(await story(marginalia)));

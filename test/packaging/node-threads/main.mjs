import * as marginalia from "marginalia";
import { story } from "./story.mjs";

const threads = Number(process.argv[2]);
await marginalia.init({ threads: threads > 1 ? threads : false });
console.log(JSON.stringify(await story(marginalia)));

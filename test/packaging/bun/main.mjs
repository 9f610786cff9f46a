import * as marginalia from "marginalia";
import { story } from "./story.mjs";

console.log(JSON.stringify(await story(marginalia)));

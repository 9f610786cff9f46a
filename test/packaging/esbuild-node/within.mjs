import * as marginalia from "marginalia";
import bytes from "marginalia/marginalia.wasm";
import { story } from "./story.mjs";

marginalia
  .init({ bytes })
  .then(() => story(marginalia))
  .then((report) => console.log(JSON.stringify(report)));

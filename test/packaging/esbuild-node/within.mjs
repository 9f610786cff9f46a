import * as marginalia from "marginalia";
import bytes from "marginalia/marginalia.wasm";
import model from "marginalia/model.wasm";
import { story } from "./story.mjs";

marginalia
  .init({ bytes, model })
  .then(() => story(marginalia))
  .then((report) => console.log(JSON.stringify(report)));

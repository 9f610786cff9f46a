import * as marginalia from "marginalia";
import { story } from "./story.mjs";

story(marginalia).then(
  (report) => {
    document.body.textContent = JSON.stringify(report);
  },
  (error) => {
    document.body.textContent = JSON.stringify({ error: `${error.code}: ${error.message}` });
  },
);

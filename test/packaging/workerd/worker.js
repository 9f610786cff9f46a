import * as marginalia from "marginalia";
import { story } from "./story.mjs";

export default {
  async fetch(request) {
    return Response.json(await story(marginalia));
  },
};

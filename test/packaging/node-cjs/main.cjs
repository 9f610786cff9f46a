const marginalia = require("marginalia");

import("./story.mjs")
  .then(({ story }) => story(marginalia))
  .then((report) => console.log(JSON.stringify(report)));

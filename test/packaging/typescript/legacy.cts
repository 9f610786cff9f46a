import marginalia = require("marginalia");

const people: marginalia.Schema = marginalia.schema({ age: marginalia.integer({ min: 0, max: 99 }) });
if (people.size("age") !== 100) throw new Error("the schema has other codes");

import("./story.mjs")
  .then(({ story }) => story(marginalia))
  .then((report) => console.log(JSON.stringify(report)));

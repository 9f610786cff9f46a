import marginalia = require("marginalia");
import scores = require("marginalia/evaluate");

const people: marginalia.Schema = marginalia.schema({ age: marginalia.integer({ min: 0, max: 99 }) });
if (people.size("age") !== 100) throw new Error("the schema has other codes");

async function main(): Promise<void> {
  const table = await marginalia.readTable([{ age: 7 }, { age: 8 }], people);
  const variation: scores.Variation = await scores.totalVariation({ truth: table, synthetic: table, k: 1 });
  if (variation.mean !== 0) throw new Error("a table is not like itself");
  const { story } = await import("./story.mjs");
  console.log(JSON.stringify(await story(marginalia)));
}

void main();

import marginalia = require("marginalia");

const people: marginalia.Schema = marginalia.schema({ age: marginalia.integer({ min: 0, max: 99 }) });
if (people.size("age") !== 100) throw new Error("the schema has other codes");

async function main(): Promise<void> {
  const { story } = await import("./story.mjs");
  console.log(JSON.stringify(await story(marginalia)));
}

void main();

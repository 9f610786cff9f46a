const marginalia = require("marginalia");

async function main() {
  const { story } = await import("./story.mjs");
  console.log(JSON.stringify(await story(marginalia)));
}

void main();

import * as marginalia from "marginalia";
import { story } from "./story.mjs";

const { category, integer, kWay, readTable, schema } = marginalia;
const people = schema({
  age: integer({ min: 0, max: 99, width: 25 }),
  sex: category(["F", "M"], { nullable: true }),
});

const COLUMNS = Array.from({ length: 20 }, (_, i) => `a${i}`);
const ROWS = 400_000;
const wide = schema(Object.fromEntries(COLUMNS.map((name) => [name, integer({ min: 0, max: 3 })])));

/** Takes seconds to count: 4,845 cliques. */
async function long(signal) {
  const columns = COLUMNS.map((name, i) => [
    name,
    Uint8Array.from({ length: ROWS }, (_, row) => (row * (i + 3)) & 3),
  ]);
  const table = await readTable(Object.fromEntries(columns), wide);
  try {
    if (signal === undefined) return { cells: (await table.answer(kWay(wide, 4))).length };
    const counting = table.answer(kWay(wide, 4), { signal: signal() });
    return await counting.then(
      () => ({ code: "none" }),
      ({ code }) => ({ code, since: signal.since() }),
    );
  } finally {
    table.dispose();
  }
}

/** Fires after 50 ms, and says how long ago that was. */
function soon() {
  let fired;
  const signal = () => {
    const controller = new AbortController();
    setTimeout(() => {
      fired = Date.now();
      controller.abort();
    }, 50);
    return controller.signal;
  };
  return Object.assign(signal, { since: () => Date.now() - fired });
}

async function answer(request) {
  switch (new URL(request.url).pathname) {
    case "/count": {
      const table = await readTable(request.body, people);
      return { rows: table.rows, counts: [...(await table.marginal(["age", "sex"]))] };
    }
    case "/long":
      return long();
    case "/aborted":
      return long(soon());
    default:
      return story(marginalia);
  }
}

export default {
  fetch: async (request) => Response.json(await answer(request)),
};

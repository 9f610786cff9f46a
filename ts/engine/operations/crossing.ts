import type { PriorBase as GraphPrior } from "../../../pkg/graph/marginalia_graph.js";
import type { PriorBase } from "../../../pkg/model-simd/marginalia_model.js";
import type { Table, TableCopy } from "../../../pkg/simd/marginalia.js";
import type { Context } from "../host.js";
import type { PartName } from "../raw.js";

/** Where a table can be: the core, or a module with models. */
export type Side = "core" | PartName;

/** Which module has the models of a kind. */
export const partOf = (kind: string | undefined): PartName => (kind === "graphical" ? "graph" : "model");

/** How often tables crossed to each side, and the bytes that were copied for it, since this thread began; for tests. */
export const crossings = { core: 0, model: 0, graph: 0, bytes: 0 };

/**
 * A table behind a handle. It is where it was made, and in another module too from when something there first needs it:
 * it crosses once.
 */
export class HeldTable {
  readonly #on: Partial<Record<Side, Table>> = {};
  /** Whether all rows differ, so that there is nothing to be made distinct. */
  readonly distinct: boolean;
  readonly #rows: number;
  readonly #weighted: boolean;
  #users = 1;

  constructor(side: Side, table: Table, distinct = false) {
    this.#on[side] = table;
    this.distinct = distinct;
    this.#rows = table.rows();
    this.#weighted = table.weighted();
  }

  rows(): number {
    return this.#rows;
  }

  weighted(): boolean {
    return this.#weighted;
  }

  /** The table in the core; it stays this object's. */
  core(ctx: Context): Promise<Table> {
    return this.#side(ctx, "core", ctx.raw);
  }

  /** The table in the module for models, for a call that takes it over. */
  async model(ctx: Context): Promise<Table> {
    return (await this.#side(ctx, "model", await ctx.model())).share();
  }

  /** The same object for one more handle. */
  share(): this {
    this.#users += 1;
    return this;
  }

  /** To be called once for each handle. */
  free(): void {
    this.#users -= 1;
    if (this.#users > 0) return;
    for (const table of Object.values(this.#on)) table.free();
  }

  async #side(ctx: Context, side: Side, to: Destination): Promise<Table> {
    const [other] = Object.values(this.#on);
    if (this.#on[side] === undefined && other !== undefined) {
      const copy = await crossed(ctx, other, to);
      // At the edge another call may have been faster.
      if (this.#on[side] === undefined) this.#on[side] = copy;
      else copy.free();
      crossings[side] += 1;
    }
    return this.#on[side] as Table;
  }
}

/** A table that a call is on, in the core. */
export const coreTable = (ctx: Context, place = 0): Promise<Table> => ctx.on<HeldTable>(place).core(ctx);

/** The same in the module for models, for a call that takes it over. */
export const modelTable = (ctx: Context, place = 0): Promise<Table> => ctx.on<HeldTable>(place).model(ctx);

/**
 * A prior behind a handle, in the module for models on rows, and in that for graphical models too from when one first needs it: there
 * its rows come with their shares, without raw numbers.
 */
export class HeldPrior {
  readonly model: PriorBase;
  #graph: GraphPrior | undefined;

  constructor(prior: PriorBase) {
    this.model = prior;
  }

  async graph(ctx: Context): Promise<GraphPrior> {
    const raw = await ctx.part("graph");
    if (this.#graph === undefined) {
      const rows = this.model.bare();
      const shares = this.model.shares() as Float64Array;
      const copy = await crossed(ctx, rows, raw, shares).finally(() => rows.free());
      crossings.graph += 1;
      // At the edge another call may have been faster.
      if (this.#graph === undefined) this.#graph = raw.PriorBase.ofShares(copy, this.model.weight());
      else copy.free();
    }
    return this.#graph;
  }

  free(): void {
    this.model.free();
    this.#graph?.free();
  }
}

/** An instance that tables can come to. */
interface Destination {
  TableCopy: new (schema: string, rows: number) => TableCopy;
}

/**
 * A copy of a table in another instance, which has a memory of its own: column by column, through arrays of JavaScript.
 * The table stays where it is. It takes so little time that progress is not told of it. With `shares` in the place of its weights
 * its raw numbers stay behind.
 */
async function crossed(ctx: Context, table: Table, to: Destination, shares?: Float64Array): Promise<Table> {
  const schema = table.schema();
  // As for a reader of it.
  ctx.room((1 << 20) + 16 * schema.length);
  const rows = table.rows();
  const copy = new to.TableCopy(schema, rows);
  const parts = list(table, copy, shares);
  let at = 0;
  let over = false;
  try {
    await ctx.run(
      {
        step(work) {
          // What this step has copied, which the other instance does not know of yet.
          let fresh = 0;
          const room = (bytes: number) => {
            ctx.room(fresh + 2 * bytes);
            fresh += bytes;
          };
          for (const end = at + work / Math.max(rows, 1); at < parts.length && at < end; at++)
            parts[at]?.(room);
          return at === parts.length;
        },
        done: () => at,
        total: () => parts.length,
      },
      true,
    );
    over = true;
    return copy.finish();
  } finally {
    if (!over) copy.free();
  }
}

type Room = (bytes: number) => void;

/** What is to be copied, one list of numbers after another. */
function list(table: Table, copy: TableCopy, shares?: Float64Array): ((room: Room) => void)[] {
  const parts: ((room: Room) => void)[] = [];
  for (let i = 0; i < table.attributes(); i++) parts.push((room) => column(table, copy, i, room));
  if (shares) return [...parts, (room) => copy.weights(seen(shares, room))];
  if (table.weighted()) parts.push((room) => copy.weights(seen(table.weights(), room) as Float64Array));
  table.raw().forEach((attribute, i) => {
    parts.push((room) => {
      const values = seen(table.rawValues(i), room);
      copy.raw(attribute, values, seen(table.rawStarts(i), room), seen(table.rawSums(i), room));
    });
  });
  return parts;
}

function column(table: Table, copy: TableCopy, attribute: number, room: Room): void {
  const bytes = seen(table.codes8(attribute), room);
  if (bytes !== undefined) copy.codes8(bytes);
  else copy.codes16(seen(table.codes16(attribute), room) as Uint16Array);
}

/** Numbers for which there is room where they go. */
function seen<T extends ArrayBufferView | undefined>(numbers: T, room: Room): T {
  if (numbers === undefined) return numbers;
  room(numbers.byteLength);
  crossings.bytes += numbers.byteLength;
  return numbers;
}

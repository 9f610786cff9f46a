import { call, type Handle, open } from "../../engine/index.js";
import { checkRecords, type Method, MOST } from "../../estimate/records.js";
import { invalid } from "../../options.js";
import { key } from "../../seed.js";
import type { Schema } from "../../tables/schema.js";
import { Table } from "../../tables/table.js";
import type { Workload } from "../../tables/workload.js";
import type { Stage } from "../kit/stages.js";
import { flagsOf, impossible, type Parted } from "./where.js";

/** What records of groups are made of. */
export interface GroupRecorded<S extends Schema> {
  schema: S;
  handle: Handle;
  targets: Workload<S>;
  /** The finest groups that are meant, and what of their records. */
  meant: Parted;
  /** How many records a group is estimated to have. */
  records: (at: number) => number;
}

/** How they are made; `agree` where the totals of all groups sum to that of the table. */
export interface GroupRecording {
  rows: number | undefined;
  method: Method;
  seed: string | number;
  agree: boolean;
}

/** Records of all groups in random order, of each exactly its number. */
export async function groupRecords<S extends Schema>(
  { schema, handle, targets, meant, records: of }: GroupRecorded<S>,
  { rows, method, seed, agree }: GroupRecording,
  stage: Stage,
): Promise<Table<S>> {
  checkRecords(method, rows ?? 0);
  const flags = flagsOf(schema, meant.rest);
  const part = meant.rest.size > 0;
  const { signal } = stage("records");
  const asking = { on: handle, ...(signal && { signal }) };
  // Which part of each group meets what is asked of records.
  const groups = Uint32Array.from(meant.leaves);
  const shares = part ? await call("groups.parts", { groups, ...flags }, asking) : undefined;
  const leaves = shares ? meant.leaves.filter((_, i) => (shares[i] as number) > 0) : meant.leaves;
  if (leaves.length === 0) throw impossible();
  const shareOf = new Map(shares && meant.leaves.map((at, i) => [at, shares[i] as number]));
  const records = leaves.map((at) => of(at) * (shareOf.get(at) ?? 1));
  // Rounded down, small parts of many groups would come to nothing.
  const all = rows ?? (agree || part ? Math.round(Math.max(0, sum(records))) : undefined);
  if (all !== undefined && all > MOST) throw invalid("groups have more records than a table: give `rows`");
  const totals = Float64Array.from(records);
  // Each on its own is cut off at zero and rounded down, as the paper has it.
  const whole =
    all === undefined ? totals.map((one) => Math.floor(Math.max(0, one))) : await apportioned(totals, all);
  const wanted = Float64Array.from(leaves.flatMap((at, i) => [at, whole[i] as number]));
  const { flat, starts } = targets;
  const args = { wanted, method, flat, starts, seed: `${key(seed, "records")}`, ...flags };
  const [made, shape] = await open("groups.records", args, { on: handle, ...stage("records") });
  return new Table(schema, made, shape.rows, false);
}

const sum = (list: readonly number[]) => list.reduce((so, one) => so + one, 0);
const apportioned = (totals: Float64Array, records: number) => call("groups.apportion", { totals, records });

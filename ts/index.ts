export {
  type Capabilities,
  capabilities,
  close,
  type InitOptions,
  init,
  type MemoryState,
  memory,
} from "./engine/index.js";
export { type ErrorCode, MarginaliaError } from "./errors.js";
export { Answers } from "./tables/answers.js";
export {
  type Attribute,
  type AttributeSpec,
  boolean,
  category,
  date,
  integer,
  number,
} from "./tables/attributes.js";
export { mutualInformationTree, type PairOptions, topPairs } from "./tables/information.js";
export { type CallSettings, type Progress, type ReadOptions, readTable } from "./tables/read.js";
export {
  type Derivation,
  type NameOf,
  type Row,
  Schema,
  type SchemaJson,
  type SchemaOptions,
  schema,
  schemaFromJson,
} from "./tables/schema.js";
export type { Columns, Source } from "./tables/source.js";
export { Table } from "./tables/table.js";
export { kWay, Workload, workload } from "./tables/workload.js";
export type { WriteOptions, WriteTarget } from "./tables/write.js";

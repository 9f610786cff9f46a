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
export { Accountant } from "./privacy/accountant.js";
export { advantage, type CurvePoint, curve, explain } from "./privacy/advantage.js";
export {
  type ApproximateBudget,
  approximate,
  type Budget,
  budgetFromJson,
  type Currency,
  type PureBudget,
  pure,
  type ZcdpBudget,
  zcdp,
} from "./privacy/budget.js";
export { convert } from "./privacy/convert.js";
export { type Cost, cost } from "./privacy/cost.js";
export { type Amount, Rational } from "./privacy/rational.js";
export { type Query, type Sensitivity, sensitivity } from "./privacy/sensitivity.js";
export type { Neighbours, Relation, Unit } from "./privacy/unit.js";
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

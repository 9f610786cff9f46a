/**
 * marginalia reads tables under a *declared* schema and answers marginals of them: exactly where they are public, and
 * under differential privacy where they are not.
 *
 * 1. {@link schema} says what each attribute may be ({@link category}, {@link boolean}, {@link integer},
 *    {@link number}, {@link date}), and what becomes of anything else. Each attribute has finitely many codes.
 * 2. {@link readTable} turns a file, stream, rows or columns into a {@link Table}: columns of codes that stay in the
 *    engine. `distinct` gives its distinct rows with their multiplicities, `writeCsv` writes it.
 * 3. A {@link Workload} is a list of cliques, each an ordered set of attributes: {@link kWay} makes all of a size,
 *    {@link workload} takes a list, {@link topPairs} and {@link mutualInformationTree} choose by a *public* table.
 * 4. `table.count(workload)` counts all cells of all cliques, exactly. The {@link Answers} stay in the engine;
 *    `answers.clique` copies the cells of one: row-major, the last attribute fastest, in the order of attributes that
 *    the clique has.
 *
 * 5. {@link seal} opens the account of a private table. `sealed.plan` says what measuring would cost, `sealed.measure`
 *    answers with noise and is charged for it: the {@link Measurement}s may be published. `sealed.select` chooses the cell or
 *    clique where public answers are farthest from the private counts, and tells nothing but that. `sealed.ledger` prints what
 *    was spent. A {@link pure}, {@link zcdp} or {@link approximate} budget belongs to the data, not to a program.
 *
 * 6. {@link prior} makes a prior of a *public* table, and {@link estimate} learns from it and from measurements a
 *    {@link Model}, which answers every marginal. `estimate.calibrated` weighs every answer by its noise and the prior
 *    by what it is worth, and says how far from the optimum it may be. Nothing of that costs any budget.
 *
 * 7. {@link priorAware} makes synthetic records of a private table from a public one. A {@link Release} is saved by `save`,
 *    and {@link load} makes it again anywhere, without the private table or the account.
 *
 * Everything that needs the engine returns a promise, and starts it; {@link init} says how, where the defaults do not
 * fit. It runs in workers where there are any: {@link capabilities} tells which, {@link close} ends them. What fails
 * throws a {@link MarginaliaError}, whose `code` stays the same from version to version.
 *
 * Tables, priors, models, sealed tables and answers hold memory of the engine: declare them with `using`, or call `dispose()`. A sealed
 * table holds its account too: `await using`, or `close()`.
 *
 * @packageDocumentation
 */
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
export type { CompleteSettings, PartialRow } from "./estimate/complete.js";
export type { Condition } from "./estimate/condition.js";
export type { KeepDependencies, PlannedDependency } from "./estimate/dependencies.js";
export {
  type CalibratedOptions,
  type DescentOptions,
  type EstimateOptions,
  estimate,
  type GraphicalOptions,
  type IndependentOptions,
  type IterativeOptions,
  type MinimaxOptions,
  type MirrorDescentOptions,
  type MultiplicativeOptions,
  type OwnLoss,
  type StepOptions,
  type TwoStageOptions,
} from "./estimate/estimate.js";
export type { GraphicalModel } from "./estimate/graphical.js";
export type { AnswerSettings, CliqueQuestion, Model, ModelKind } from "./estimate/model.js";
export type {
  CalibratedEstimate,
  CalibratedStep,
  Certificate,
  DescentEstimate,
  DescentStep,
  Estimate,
  EstimateAborted,
  EstimateStatus,
  GraphicalEstimate,
  GraphicalStep,
  IndependentStep,
  IterativeStep,
  MinimaxCertificate,
  MinimaxEstimate,
  MinimaxStep,
  MultiplicativeRound,
  Obstacle,
  Outside,
  TwoStageCertificate,
  TwoStageEstimate,
  TwoStageSolver,
  TwoStageStep,
  Unmet,
} from "./estimate/outcome.js";
export {
  type MadePriorOptions,
  type MixedPart,
  type Prior,
  type PriorKind,
  type PriorOptions,
  type Provenance,
  prior,
} from "./estimate/prior.js";
export type { ProductModel } from "./estimate/product.js";
export type { Method } from "./estimate/records.js";
export type { Mapping, RuleOptions } from "./estimate/rules.js";
export type { GraphicalSize } from "./estimate/size.js";
export type { ErrorSettings, GraphicalErrors, WithErrors } from "./estimate/spread.js";
export type { SupportModel } from "./estimate/support.js";
export type { Uncovered } from "./estimate/uncovered.js";
export {
  type CellQuery,
  type CliqueQuery,
  Measurement,
  type MeasurementJson,
  type MeasurementNoise,
  measurement,
} from "./measurement.js";
export { measurementsFromBytes, measurementsToBytes } from "./measurements.js";
export {
  Adaptive,
  type AdaptiveOptions,
  type AdaptivePlan,
  type AdaptivePlanJson,
  type AdaptiveRunSettings,
  adaptive,
  type PlannedCandidate,
  type PlannedRound,
} from "./mechanisms/adaptive/index.js";
export {
  Aim,
  type AimOptions,
  type AimPlan,
  type AimPlanJson,
  type AimRunSettings,
  aim,
  type PlannedSchedule,
} from "./mechanisms/aim/index.js";
export type { GroupedOptions, GroupLevel, GroupTotal } from "./mechanisms/groups/index.js";
export { GroupedPriorAware, type GroupedRunSettings } from "./mechanisms/groups/index.js";
export type { GroupedPlan, GroupedPlanJson, PlannedLevel } from "./mechanisms/groups/plan.js";
export type {
  GroupedAnswerSettings,
  GroupedErrorSettings,
  GroupedRelease,
  GroupedReport,
  ReleasedGroups,
} from "./mechanisms/groups/release.js";
export type { SplitCandidate, SplitForecast, SplitName } from "./mechanisms/groups/splitting.js";
export type { GroupKey, LevelTrust, ReleasedGroup } from "./mechanisms/groups/tree.js";
export type { CommonOptions, Denied, ForecastOptions } from "./mechanisms/kit/common.js";
export type { AnyMechanism, Definition, RunAny } from "./mechanisms/kit/definition.js";
export type { Candidate, Family, Forecast } from "./mechanisms/kit/forecast.js";
export type { Mechanism, RunOf } from "./mechanisms/kit/mechanism.js";
export type { Released, ReleaseReport } from "./mechanisms/kit/modelled.js";
export type { PlannedNeeds } from "./mechanisms/kit/needs.js";
export type {
  Charging,
  Plan,
  PlanJson,
  PlannedEstimate,
  PlannedPrior,
  PlannedRecords,
  PlannedStep,
} from "./mechanisms/kit/plan.js";
export type { AnyReleased, Printable, RecordOptions, ReleaseWriteOptions } from "./mechanisms/kit/release.js";
export type { ReleaseRefused } from "./mechanisms/kit/run.js";
export type { Phase, ReleaseProgress, ReleaseSettings } from "./mechanisms/kit/stages.js";
export {
  Mst,
  type MstOptions,
  type MstPlan,
  type MstPlanJson,
  type MstRunSettings,
  mst,
} from "./mechanisms/mst/index.js";
export { type MwemOptions, mwem } from "./mechanisms/mwem/index.js";
export { pepPub } from "./mechanisms/pepPub/index.js";
export {
  pmwPub,
  type Weights,
  type WeightsOptions,
  type WeightsPlan,
  type WeightsPlanJson,
  type WeightsRunSettings,
} from "./mechanisms/pmwPub/index.js";
export {
  PriorAware,
  type PriorAwareOptions,
  priorAware,
  type Release,
  type ReleasePlan,
  type ReleasePlanJson,
  type RunSettings,
} from "./mechanisms/priorAware/index.js";
export { type RankOptions, type RankPlan, type RankPlanOptions, rank } from "./mechanisms/rank/index.js";
export type { Judgement, RankedTable, Ranking } from "./mechanisms/rank/ranking.js";
export { mechanisms } from "./mechanisms/registry.js";
export { type LoadOptions, load } from "./mechanisms/saved/index.js";
export type { LoadedGroupedRelease, LoadedRelease } from "./mechanisms/saved/loaded.js";
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
export { type ColumnsOptions, schemaOfColumns } from "./privacy/columns.js";
export { convert } from "./privacy/convert.js";
export { type Cost, cost } from "./privacy/cost.js";
export {
  type Counter,
  type Entry,
  type EntryState,
  fileStore,
  type GrantId,
  type GrantRequest,
  type Journalled,
  type Json,
  Ledger,
  type LedgerHeader,
  type LedgerJson,
  type LedgerOptions,
  type LedgerPlace,
  type Mark,
  type Medium,
  memoryStore,
  type Opened,
  type Store,
} from "./privacy/ledger/index.js";
export type { LedgerView } from "./privacy/ledgerView.js";
export type { MeasurePlan, MeasurePlanJson, Needs, PlannedCharge } from "./privacy/measurePlan.js";
export type { OpenSealed } from "./privacy/open.js";
export type { SealedSource } from "./privacy/origin.js";
export { type Amount, Rational } from "./privacy/rational.js";
export type { MeasureRequest } from "./privacy/request.js";
export { type SealOptions, seal, sealOpen } from "./privacy/seal.js";
export type { MeasureOptions, PlanOptions, Sealed } from "./privacy/sealed.js";
export type {
  PlannedSelection,
  PublicAnswers,
  Selected,
  SelectOptions,
  SelectRequest,
} from "./privacy/select/types.js";
export { type Query, type Sensitivity, sensitivity } from "./privacy/sensitivity.js";
export type { Neighbours, Relation, Unit } from "./privacy/unit.js";
export { Answers, type CopySettings } from "./tables/answers.js";
export {
  type Attribute,
  type AttributeSpec,
  boolean,
  category,
  date,
  integer,
  number,
} from "./tables/attributes.js";
export type { DraftAttribute, SchemaDraft } from "./tables/drafts/draft.js";
export type { Hole } from "./tables/drafts/holes.js";
export {
  type ArrowSchema,
  type SchemaFromOptions,
  type SchemaOrigin,
  type StandardJsonSchema,
  schemaFrom,
} from "./tables/drafts/index.js";
export { mutualInformationTree, type PairOptions, topPairs } from "./tables/information.js";
export type {
  Grid,
  OpenAttribute,
  OpenSchema,
  OpenSchemaJson,
  OpenSpec,
  PrivateBounds,
} from "./tables/open.js";
export { openSchema } from "./tables/open-schema.js";
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

import type { Schema } from "../../tables/schema.js";
import type { CommonOptions, EstimatorName, ForecastOptions } from "../kit/common.js";

/** How {@link priorAware} works; all but the prior has a default. */
export interface PriorAwareOptions<S extends Schema = Schema, E extends EstimatorName = EstimatorName>
  extends CommonOptions<S, E>,
    ForecastOptions {}

import type { Schema } from "../../tables/schema.js";
import type { CommonOptions, ForecastOptions } from "../kit/common.js";

/** How {@link priorAware} works; all but the prior has a default. */
export interface PriorAwareOptions<S extends Schema = Schema> extends CommonOptions<S>, ForecastOptions {}

import graph from "glue:graph";
import simd from "glue:model-simd";
import core from "glue:simd";
import { serve } from "./node.js";

serve({ core, model: { simd }, graph: { simd: graph } });

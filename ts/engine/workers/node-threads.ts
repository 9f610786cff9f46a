import graph from "glue:graph";
import simd from "glue:model-simd";
import threads from "glue:model-threads";
import core from "glue:threads";
import { serve } from "./node.js";

serve({ core, model: { simd, threads }, graph: { simd: graph } });

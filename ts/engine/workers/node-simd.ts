import create from "glue:simd";
import { serve } from "./node.js";

serve(create);

import create from "glue:simd";
import { serve } from "./web.js";

serve(create);

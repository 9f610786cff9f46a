import create from "glue:threads";
import { serve } from "./node.js";

serve(create);

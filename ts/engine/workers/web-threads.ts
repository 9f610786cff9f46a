import create from "glue:threads";
import { serve } from "./web.js";

serve(create);

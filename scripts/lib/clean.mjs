// Empties dist/, so that nothing of an earlier bundle stays in the package.
import { rmSync } from "node:fs";

rmSync("dist", { recursive: true, force: true });

import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";
import { ARGUMENTS, executablePath } from "../chromium.mjs";

/** Fails where there is no browser: a gate that tests nothing would only look as if it passed. */
export async function launch(): Promise<Browser> {
  if (!existsSync(executablePath)) {
    throw new Error(
      `there is no Chromium at ${executablePath}: run scripts/toolchain browser, or set CHROMIUM`,
    );
  }
  return chromium.launch({ executablePath, args: ARGUMENTS });
}

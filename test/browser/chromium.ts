import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";

const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Fails where there is no browser: a gate that tests nothing would only look as if it passed. */
export async function launch(): Promise<Browser> {
  if (!existsSync(executablePath)) {
    throw new Error(
      `there is no Chromium at ${executablePath}: run scripts/toolchain browser, or set CHROMIUM`,
    );
  }
  return chromium.launch({ executablePath, args: ARGUMENTS });
}

import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";

/** Why there is no browser to test with, if so. */
export const missing = existsSync(executablePath)
  ? undefined
  : `there is no Chromium at ${executablePath} ($CHROMIUM)`;

const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export function launch(): Promise<Browser> {
  return chromium.launch({ executablePath, args: ARGUMENTS });
}

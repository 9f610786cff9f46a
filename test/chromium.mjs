// Where the tests find Chromium, and how they start it.

export const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";

export const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

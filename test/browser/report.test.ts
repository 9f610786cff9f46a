import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseReportInput } from "../../ts/evaluate/report/parse.js";
import { internalReport, report } from "../../ts/evaluate/report/report.js";
import { byGroups, byRounds, compared, example } from "../report/example.js";
import { launch } from "./chromium.js";

const LONG = "an attribute with a name that is much longer than anybody would like it to be in a report";
const HOSTILE = ['<script>document.title = "taken"</script>"\'><img src=/x>', "\u202egnol"];

const labels = [LONG, "x".repeat(200)];
const made = parseReportInput(example(HOSTILE, labels));
const groups = parseReportInput(byGroups(1267, HOSTILE, labels));
const truth = [[{ labels: [LONG], records: 1990 }], []];
const pages: Record<string, string> = {
  "/report": report(made),
  "/internal": internalReport(made, compared(HOSTILE)),
  "/rounds": report(parseReportInput(byRounds(HOSTILE, labels))),
  "/groups": report(groups),
  "/groups/internal": internalReport(groups, { ...compared(HOSTILE), groups: truth }),
};

let browser: Browser;
let server: Server;
let origin: string;
const asked: string[] = [];

beforeAll(async () => {
  server = createServer(({ url = "" }, response) => {
    asked.push(url);
    response.setHeader("content-type", "text/html");
    response.end(pages[url]);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  browser = await launch();
});

afterAll(async () => {
  await browser?.close();
  await new Promise((done) => server.close(done));
});

/** Opens a page, and fails where it complains or asks for anything else. */
async function opened(path: string, options: BrowserContextOptions, look: (page: Page) => Promise<void>) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  asked.length = 0;
  await page.goto(origin + path, { waitUntil: "networkidle" });
  await look(page);
  await context.close();
  expect(complaints).toEqual([]);
  expect(asked).toEqual([path]);
}

const PHONE = { viewport: { width: 320, height: 640 } };

test.each(Object.keys(pages))("%s: complete, silent and within a phone's width", (path) =>
  opened(path, PHONE, async (page) => {
    expect(await page.title()).not.toBe("taken");
    const shown = await page.locator("figure svg").evaluateAll((all) =>
      all.map((one) => {
        const { width, height } = one.getBoundingClientRect();
        return { width, height, marks: one.querySelectorAll("[data-value]").length };
      }),
    );
    expect(shown.length).toBeGreaterThanOrEqual(8);
    for (const { width, height, marks } of shown) {
      expect(width).toBeGreaterThan(200);
      expect(height).toBeGreaterThan(15);
      expect(marks).toBeGreaterThan(0);
    }
    for (const details of await page.locator("summary").all()) await details.click();
    const { scroll, inner } = await page.evaluate(() => ({
      scroll: document.documentElement.scrollWidth,
      inner: document.documentElement.clientWidth,
    }));
    expect(scroll).toBe(inner);
  }),
);

/** The contrast of all text with what lies behind it, by WCAG; in the page. */
function contrasts(): number[] {
  const part = (one: number) => (one <= 0.03928 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4);
  const light = ([r = 0, g = 0, b = 0]: number[]) =>
    0.2126 * part(r / 255) + 0.7152 * part(g / 255) + 0.0722 * part(b / 255);
  const channels = (colour: string) => (colour.match(/[\d.]+/g) ?? []).map(Number);
  const behind = (element: Element | null): number[] => {
    const own = element ? channels(getComputedStyle(element).backgroundColor) : [255, 255, 255];
    return element && own[3] === 0 ? behind(element.parentElement) : own;
  };
  /** A cell's tint over the paper. */
  const tinted = (cell: Element, paper: number[]) => {
    const { fill, fillOpacity } = getComputedStyle(cell);
    return channels(fill).map(
      (one, i) => one * Number(fillOpacity) + (paper[i] ?? 0) * (1 - Number(fillOpacity)),
    );
  };
  const under = (element: Element): number[] => {
    const paper = behind(element);
    const cell = element.previousElementSibling;
    if (element.classList.contains("axis") && cell) return tinted(cell, paper);
    const bar = element.classList.contains("inner") && document.querySelector(".bar.synthetic");
    return bar ? tinted(bar, paper) : paper;
  };
  const seen = (element: Element) => {
    const style = getComputedStyle(element);
    const paper = under(element);
    const ink = channels(element.namespaceURI?.endsWith("svg") ? style.fill : style.color);
    const [a, b] = [light(ink), light(paper)].sort((one, other) => other - one) as [number, number];
    return (a + 0.05) / (b + 0.05);
  };
  return Array.from(document.querySelectorAll("p, li, th, td, a, summary, figcaption, caption, text"), seen);
}

const READ = ["/internal", "/rounds", "/groups/internal"];

test.each(READ.flatMap((path) => (["light", "dark"] as const).map((scheme) => [path, scheme] as const)))(
  "%s: text can be read in %s",
  (path, colorScheme) =>
    opened(path, { colorScheme }, async (page) => {
      const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      expect(paper === "rgb(255, 255, 255)").toBe(colorScheme === "light");
      const all = await page.evaluate(contrasts);
      expect(all.length).toBeGreaterThan(50);
      expect(Math.min(...all)).toBeGreaterThanOrEqual(4.5);
    }),
);

test("on paper it is light, its tables are open, and every page says what it is", () =>
  opened("/internal", { colorScheme: "dark" }, async (page) => {
    await page.emulateMedia({ media: "print" });
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(
      "rgb(255, 255, 255)",
    );
    await page.setViewportSize({ width: 720, height: 1000 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(720);
    // What the browser does not know is not among its rules.
    const rules = await page.evaluate(() =>
      Array.from(document.styleSheets[0]!.cssRules, (one) => one.cssText),
    );
    expect(rules.filter((rule) => rule.startsWith("@page")).join()).toMatch(
      /@bottom-center .*internal: not differentially private/,
    );
    const tables = await page.locator("table").evaluateAll((all) => all.map((one) => one.checkVisibility()));
    expect(tables.length).toBeGreaterThan(8);
    expect(tables.every(Boolean)).toBe(true);
    expect((await page.pdf({ format: "A4" })).length).toBeGreaterThan(10_000);
  }));

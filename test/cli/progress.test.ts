import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { Console } from "../../ts/cli/console.js";
import { Bar } from "../../ts/cli/progress.js";
import { data, marginalia } from "./support.js";

function screen(isTTY: boolean) {
  const written: string[] = [];
  return { isTTY, columns: 60, written, write: (text: string) => written.push(text) };
}

it("draws a bar on a terminal, ten times a second, and takes it away", () => {
  const to = screen(true);
  let now = 0;
  const bar = new Bar(to, "reading", () => now);
  for (let done = 0; done <= 1000; done++, now++) bar.tell({ done, total: 1000 });
  expect(to.written.length).toBe(11);
  expect(to.written[5]).toContain("50 %");
  bar.clear();
  expect(to.written.at(-1)).toBe("\r\x1b[K");
  bar.clear();
  expect(to.written.length).toBe(12);
});

it("counts where nobody knows how much there is", () => {
  const to = screen(true);
  new Bar(to, "reading").tell({ done: 17 });
  expect(to.written.join()).toContain("reading 17");
});

it("draws nothing elsewhere", () => {
  const to = screen(false);
  const bar = new Bar(to, "reading");
  bar.tell({ done: 1, total: 2 });
  bar.clear();
  expect(to.written).toEqual([]);
});

it.each([{ json: true }, { quiet: true }, { progress: false }])("draws nothing with %j", (manner) => {
  const to = screen(true);
  const streams = { stdin: new PassThrough(), stdout: to, stderr: to } as unknown as ConstructorParameters<
    typeof Console
  >[0];
  new Console(streams, manner, new AbortController().signal).progress("reading")({ done: 1, total: 2 });
  expect(to.written).toEqual([]);
});

it("names the phase of a release, and begins a bar anew for each", () => {
  const to = screen(true);
  const streams = { stdin: new PassThrough(), stdout: to, stderr: to } as unknown as ConstructorParameters<
    typeof Console
  >[0];
  const io = new Console(streams, {}, new AbortController().signal);
  const tell = io.phases();
  tell({ phase: "forecast", done: 1, total: 4 });
  tell({ phase: "forecast", done: 2, total: 4 });
  tell({ phase: "estimate", done: 3, total: 4 });
  io.clear();
  const drawn = to.written.filter((text) => text !== "\r\x1b[K");
  expect(drawn.length).toBe(2);
  expect(drawn[0]).toMatch(/choosing what to measure .* 25 %/);
  expect(drawn[1]).toMatch(/estimating .* 75 %/);
  expect(to.written.at(-1)).toBe("\r\x1b[K");
});

it("says which round it is, and how many groups of all are estimated", () => {
  const to = screen(true);
  const streams = { stdin: new PassThrough(), stdout: to, stderr: to } as unknown as ConstructorParameters<
    typeof Console
  >[0];
  const io = new Console(streams, {}, new AbortController().signal);
  let groups = 0;
  const tell = io.phases((phase) => (phase === "estimate" ? ` groups, ${groups} of 13` : ""));
  tell({ phase: "prior", done: 1, total: 2 });
  tell({ phase: "estimate", done: 1, total: 8 });
  groups = 4;
  tell({ phase: "estimate", done: 4, total: 8 });
  tell({ phase: "select", done: 0, round: 2, rounds: 5 });
  io.clear();
  const drawn = to.written.filter((text) => text !== "\r\x1b[K");
  expect(drawn.length).toBe(4);
  expect(drawn[0]).toMatch(/preparing the public rows █/);
  expect(drawn[1]).toMatch(/estimating groups, 0 of 13 .* 12 %/);
  expect(drawn[2]).toMatch(/estimating groups, 4 of 13 .* 50 %/);
  expect(drawn[3]).toMatch(/round 2 of 5: choosing where the model is wrong …$/);
});

it("writes no colours and no bar into pipes", async () => {
  const { code, stdout, stderr } = await marginalia(["schema", data("survey-2018.csv")]);
  expect(code).toBe(0);
  expect(stdout + stderr).not.toContain("\x1b");
  expect(stdout + stderr).not.toContain("\r");
});

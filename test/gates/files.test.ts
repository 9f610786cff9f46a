import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";

it("the gates look at files, and neither at links nor at what was removed", () => {
  const folder = mkdtempSync(join(tmpdir(), "marginalia-"));
  try {
    execFileSync("git", ["init", "--quiet"], { cwd: folder });
    mkdirSync(join(folder, "elsewhere"));
    writeFileSync(join(folder, ".gitignore"), "elsewhere\nnode_modules/\n");
    writeFileSync(join(folder, "a.ts"), "");
    writeFileSync(join(folder, "gone.ts"), "");
    symlinkSync(join(folder, "elsewhere"), join(folder, "node_modules"), "junction");
    execFileSync("git", ["add", "gone.ts"], { cwd: folder });
    rmSync(join(folder, "gone.ts"));
    const gate = pathToFileURL(resolve("scripts/lib/gate.mjs")).href;
    const program = `import { committedFiles } from ${JSON.stringify(gate)};
      console.log(JSON.stringify(committedFiles(${JSON.stringify(folder)}).sort()));`;
    const said = execFileSync(process.execPath, ["--input-type=module", "-e", program, "x"], {
      encoding: "utf8",
    });
    expect(JSON.parse(said)).toEqual([".gitignore", "a.ts"]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

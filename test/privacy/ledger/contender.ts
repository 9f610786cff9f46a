// Opens a ledger again and again beside others that do the same; inside, it must be alone:  contender <folder> <rounds>

import { mkdirSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { fileStore, Ledger } from "../../../ts/privacy/ledger/index.js";
import { charge, header } from "./header.js";

const [, , folder = "", rounds = ""] = process.argv;
const inside = join(folder, "inside");
let done = 0;

async function round(last: boolean): Promise<void> {
  const ledger = await Ledger.open(header, await fileStore(join(folder, "account.json")));
  // Fails where another is inside, and then so does this program.
  mkdirSync(inside);
  await ledger.grant(charge(`${process.pid} ${done}`));
  rmdirSync(inside);
  // Ends without closing the last time, so that the others have to take over.
  if (last) process.exit(0);
  await ledger.close();
}

process.stdout.write("ready\n");
while (done < Number(rounds)) {
  try {
    await round(done === Number(rounds) - 1);
    done++;
  } catch (error) {
    if ((error as { code?: string }).code !== "LEDGER_LOCKED") throw error;
    await new Promise((resolve) => setTimeout(resolve, 1 + (process.pid % 7)));
  }
}

import { MarginaliaError } from "../../errors.js";
import { trustInWords } from "../../evaluate/report/trust.js";
import { figure } from "../../evaluate/report/words.js";
import {
  type LoadedGroupedRelease,
  load,
  type Measurement,
  type MeasurementJson,
  measurement,
  measurementsFromBytes,
} from "../../index.js";
import { text } from "../../option.js";
import { oneLine } from "../../print.js";
import { viewLedger } from "../../privacy/ledger/view.js";
import { aligned } from "../../privacy/table.js";
import { command } from "../command.js";
import type { Console } from "../console.js";
import { EXIT } from "../exit.js";
import { needed } from "../files.js";
import { MOST_KEPT, readAll } from "../input.js";

export const inspect = command({
  name: "inspect",
  summary: "say in words what an account, a saved release or measurements hold",
  details:
    "It locks and changes nothing, so an account can be looked at while a program has it open. A copy of an account may be " +
    "old: that only its counter can tell, when it is opened.\n\n  marginalia inspect account.json",
  positional: ["file"],
  options: {
    file: text("FILE", "an account, a saved release, or measurements as JSON or bytes; - is standard input"),
  },
  async run(values, io) {
    const place = needed(values.file, "the file to look at");
    const bytes = await readAll(place, io.stdin, "file", MOST_KEPT);
    if (startsWith(bytes, "MARGMEAS")) await measurements(measurementsFromBytes(bytes), io);
    else if (startsWith(bytes, "MARGRLSE")) await release(bytes, io);
    else if (startsWith(bytes, '{"seq":')) await ledger(bytes, io);
    else await measurements(fromJson(bytes), io);
    return EXIT.done;
  },
});

const startsWith = (bytes: Uint8Array, text: string): boolean =>
  new TextDecoder().decode(bytes.subarray(0, text.length)) === text;

async function ledger(bytes: Uint8Array, io: Console): Promise<void> {
  const copy = await viewLedger(bytes, "in this file");
  const open =
    "\nIt was not closed: a program has it open, or ended without closing it. Charges without values may be under way.";
  await io.say(
    () => `${copy}${copy.closed ? "" : open}`,
    () => ({ ...copy.toJSON(), closed: copy.closed }),
  );
}

async function release(bytes: Uint8Array, io: Console): Promise<void> {
  using saved = await load(bytes, { groups: "either", signal: io.signal });
  if ("groups" in saved) return groups(saved, io);
  const { report, schema, plan, ledger: account, measurements: answers } = saved;
  const { status, strength, estimator } = report.estimate;
  const base = plan.toJSON().prior ? "the prior" : "independence";
  const worth = strength === undefined ? "" : `, ${base} counts as ${Math.round(strength)} records`;
  const by = estimator === undefined ? "" : ` by ${estimator}`;
  const total = `${Math.round(saved.total)} records (± ${figure(report.total.standardError)}, one standard error)`;
  await io.say(
    () =>
      [
        `A release of ${total}, from ${answers.length} measurements: estimate ${status}${by}${worth}`,
        `Attributes: ${schema.names.map(oneLine).join(", ")}`,
        ...["", `${account}`, "", `${plan}`],
      ].join("\n"),
    () => ({ report, schema, ledger: account.toJSON(), measurements: answers.length }),
  );
}

async function groups(saved: LoadedGroupedRelease, io: Console): Promise<void> {
  const { report, schema, plan, ledger: account, measurements: answers } = saved;
  const { levels } = report.plan;
  const ended = (status: string) => saved.groups.filter((one) => one.status === status).length;
  const ends = ["converged", "limit", "refused"].map((status) => `${ended(status)} ${status}`);
  const count = answers.reduce((sum, of) => sum + of.length, 0);
  const iterative = report.plan.estimate.estimator === "iterative";
  const priors = levels.map((level, at) => {
    return `  ${level.by.map(oneLine).join(" × ") || "all"}: ${trustInWords(report.trust?.[at], { level, iterative })}`;
  });
  const nested = levels.map(({ by, groups }) => `${groups} of ${by.map(oneLine).join(" × ") || "all"}`);
  await io.say(
    () =>
      [
        `A release of ${Math.round(saved.total)} records in groups, ${nested.join(", ")}, from ${count} measurements: estimates ${ends.join(", ")}`,
        `Attributes: ${schema.names.map(oneLine).join(", ")}`,
        "Priors of groups, level by level:",
        ...priors,
        ...["", `${account}`, "", `${plan}`],
      ].join("\n"),
    () => ({ report, schema, ledger: account.toJSON(), measurements: count }),
  );
}

async function measurements(list: readonly Measurement[], io: Console): Promise<void> {
  await io.say(
    () => described(list),
    () => list.map(({ values, ...rest }) => ({ ...rest, values: values.length })),
  );
}

function described(list: readonly Measurement[]): string {
  const rows = list.map(({ clique, query, values, noise, relation, cost }) => [
    clique.length === 0 ? "number of rows" : oneLine(clique.join(" × ")),
    query.type === "identity" ? "each cell" : query.type,
    `${values.length}`,
    noise.law === "laplace"
      ? `discrete Laplace, b = ${noise.scale}`
      : `discrete Gaussian, σ² = ${noise.scale}`,
    `± ${Number(Math.sqrt(noise.variance).toPrecision(3))}`,
    relation === "add-remove" ? relation : `replace, n = ${relation.replace.n}`,
    cost ? `${cost.currency === "epsilon" ? "ε" : "ρ"} ${cost.amount}` : "not said",
  ]);
  const head = ["what", "asked", "values", "noise", "error of each", "neighbours", "cost"];
  const count = list.length === 1 ? "1 measurement" : `${list.length} measurements`;
  return [count, "", ...aligned([head, ...rows])].join("\n");
}

function fromJson(bytes: Uint8Array): Measurement[] {
  const json = parsed(bytes);
  const list = Array.isArray(json) ? json : [json];
  return list.map((one) => measurement(one as MeasurementJson));
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    const message =
      "this file is neither an account, a saved release nor measurements that this version knows";
    throw new MarginaliaError("MEASUREMENT_INVALID", message, { cause });
  }
}

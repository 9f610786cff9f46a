import { bars } from "../charts/bars.js";
import { dots } from "../charts/dots.js";
import { shares } from "../charts/shares.js";
import type { MetPart, ModelPart } from "../input.js";
import { type Markup, markup } from "../markup.js";
import { largest, MOST, mean, most } from "../most.js";
import { type Figure, figures, type Section } from "../page.js";
import { table } from "../tables.js";
import { AGREE } from "../trust.js";
import { count, crossed, figure, fixed, percent } from "../words.js";
import { NINETY } from "./forecast.js";

const name = ({ clique }: { clique: readonly string[] }): string => crossed(clique);

/** The model beside what was measured: misfit against noise, prior against data, mass that no row can meet. */
export function measured(release: ModelPart, dataShares: readonly number[]): Section {
  const { measurements, plan } = release;
  const parts = plan.prior ? [sources(measurements, dataShares)] : [];
  const body = [summary(release), figures([misfits(measurements), ...parts])];
  const out = outside(measurements);
  if (out) body.push(figures([out]));
  else if (plan.prior)
    body.push(markup`<p>Every measured cell has a public row in it, so no answer was out of reach.</p>`);
  return { id: "model", heading: "The model beside what was measured", body };
}

const STATUS: Readonly<Record<string, string>> = {
  converged: "The estimation converged",
  limit: "The estimation ran to the end of its passes before it converged",
  stopped: "The estimation was stopped by its time limit",
};

function summary({ estimate, total }: ModelPart): Markup {
  const { status, estimator, relativeGap, strength, relativeEntropy, consistency } = estimate;
  const doubt =
    consistency === undefined
      ? undefined
      : consistency > AGREE
        ? markup` The answers contradict the public table (by ${fixed(consistency, 1)} standard errors), so it was trusted less.`
        : markup` The answers agree with the public table as far as their noise lets one see (${fixed(consistency, 1)} standard errors).`;
  const off =
    relativeGap === undefined
      ? markup`.`
      : markup`: what it minimises is off the best possible by ${percent(relativeGap)}.`;
  const by = estimator === undefined ? undefined : markup` It was made by <bdi>${estimator}</bdi>.`;
  const worth =
    strength === undefined
      ? undefined
      : markup` The public table counted as ${figure(Math.round(strength))} records.`;
  const far =
    relativeEntropy === undefined
      ? "The model"
      : `The model is ${figure(relativeEntropy)} nats from the public table, and`;
  return markup`<p>${STATUS[status] ?? `The estimation ended: ${status}`}${off}${by}${worth}${doubt} ${far} stands for ${figure(Math.round(total.records))} records (± ${figure(total.standardError)}, one standard error).</p>`;
}

function misfits(measurements: readonly MetPart[]): Figure {
  const sorted = largest(measurements, ({ misfit, error }) => misfit / error);
  const rows = most(
    sorted.map((one) => ({ label: name(one), misfit: one.misfit, error: one.error })),
    (rest) => ({
      label: `${rest.length} others, on average`,
      misfit: mean(rest.map(({ misfit }) => misfit)),
      error: mean(rest.map(({ error }) => error)),
    }),
  );
  const drawn = rows.map(({ label, misfit, error }) => ({
    label,
    bars: [{ series: "plain" as const, value: misfit, words: `${figure(misfit)}, noise ${figure(error)}` }],
    tick: { value: error, words: `± ${figure(error)}` },
  }));
  return {
    heading: "What the model misses, against the noise",
    note: "Bar: how far the model is from the noisy answers of a marginal, in records per cell (root mean square). Upright line: the noise in each of them. A bar near its line is what noise alone would give; a bar well beyond it says that the model could not follow the data.",
    chart: bars(
      "What the model misses of each measured marginal, beside the noise in it; worst first",
      drawn,
    ),
    table: table(
      "Measured marginals, by misfit in parts of the noise",
      [
        { head: "marginal", text: name },
        { head: "missed, records", text: ({ misfit }: MetPart) => figure(misfit), number: true },
        { head: "noise, records", text: ({ error }) => figure(error), number: true },
        { head: "missed / noise", text: ({ misfit, error }) => fixed(misfit / error, 2), number: true },
      ],
      sorted,
    ),
  };
}

function sources(measurements: readonly MetPart[], parts: readonly number[]): Figure {
  const rows = measurements.map((one, i) => ({ label: name(one), share: parts[i] ?? 0 }));
  const sorted = largest(rows, ({ share }) => share);
  const drawn = most(sorted, (rest) => ({
    label: `${rest.length} others, on average`,
    share: mean(rest.map(({ share }) => share)),
  }));
  return {
    heading: "From the data or from the prior",
    note: "For each measured marginal taken alone: which part of what is known of its cells comes from the private data, and which from the public table. It follows from the noise and from how many records the public table counts as.",
    chart: shares(
      "The parts of data and prior in each measured marginal, most data first",
      ["data", "prior"],
      drawn,
    ),
    table: table(
      "Parts of data and prior, most data first",
      [
        { head: "marginal", text: ({ label }) => label },
        { head: "data", text: ({ share }) => percent(share), number: true },
        { head: "prior", text: ({ share }) => percent(1 - share), number: true },
      ],
      sorted,
    ),
  };
}

function outside(measurements: readonly MetPart[]): Figure | undefined {
  const concerned = measurements.filter(({ outside: out }) => out.answers > 0);
  if (concerned.length === 0) return undefined;
  const beyond = ({ outside: out }: MetPart) => Math.abs(out.records) / Math.max(out.standardError, 1e-9);
  const sorted = largest(concerned, beyond);
  const drawn = sorted.slice(0, MOST).map((one) => {
    const { records, standardError } = one.outside;
    const reach = NINETY * standardError;
    const words = `${fixed(records, 0)} ± ${fixed(reach, 0)}`;
    return { label: name(one), value: records, low: records - reach, high: records + reach, words };
  });
  return {
    heading: "Records where the public table has none",
    note: `What measurements say of combinations that no public row has: the model can give them no records. Dot: estimate; line: 90 % interval. An interval around zero is noise; one far to the right says that the public table lacks something.${sorted.length > MOST ? ` ${count(sorted.length - MOST, "marginal")} more in the table.` : ""}`,
    chart: dots("Records outside the support of the prior, by marginal, with 90 % intervals", drawn),
    table: table(
      "Mass outside the support, the clearest first",
      [
        { head: "marginal", text: name },
        { head: "cells", text: ({ outside: out }: MetPart) => figure(out.answers), number: true },
        { head: "records", text: ({ outside: out }) => fixed(out.records, 0), number: true },
        { head: "standard error", text: ({ outside: out }) => figure(out.standardError), number: true },
      ],
      sorted,
    ),
  };
}

import { call } from "../../engine/index.js";
import type { Schema } from "../../tables/schema.js";
import type { Accountant } from "../accountant.js";
import type { Cost } from "../cost.js";
import type { Rational } from "../rational.js";
import type { Vault } from "../vault.js";
import type { Kit } from "./kit.js";
import { type ResolvedSelection, resolveSelection, wire } from "./resolve.js";
import type { PlannedSelection, SelectRequest } from "./types.js";
import { describeCandidates, describeLaw } from "./words.js";

/** A selection in a plan, all but its share. */
export interface Choice {
  readonly planned: Omit<PlannedSelection, "share">;
  readonly cost: Cost;
  readonly what: string;
  readonly how: string;
}

interface Parts {
  readonly schema: Schema;
  readonly accountant: Accountant;
  readonly vault: Vault;
}

/** What selections will cost, by both accounts. Nothing is read or charged. */
export async function choices(requests: readonly SelectRequest[], parts: Parts, kit: Kit): Promise<Choice[]> {
  const { schema, accountant, vault } = parts;
  const { neighbours, currency } = accountant;
  const all = new Map<SelectRequest, Choice>();
  for (const request of new Set(requests)) {
    const resolved = resolveSelection(request, { schema, neighbours, currency, kit });
    const price = accountant.price(resolved.cost);
    const theirs = await call("selection.price", wire(resolved), { on: await vault.handle() });
    if (theirs !== `${price}`) throw kit.disagreement();
    all.set(request, {
      planned: plannedOf(resolved, price, kit),
      cost: resolved.cost,
      what: describeCandidates(resolved),
      how: describeLaw(resolved, kit),
    });
  }
  return requests.map((request) => all.get(request) as Choice);
}

function plannedOf(resolved: ResolvedSelection, price: Rational, kit: Kit): Choice["planned"] {
  const { workload, candidates, quantile, among, mechanism, epsilon, sensitivity, terms } = resolved;
  const steps = kit.Rational.of(2n * sensitivity).over(epsilon);
  // E[max t·s − t·s] ≤ the entropy of what is selected ≤ ln n; permute-and-flip is never farther off.
  const inRecords = Number(quantile?.[1] ?? 1n);
  const shortfall = (Number(steps.numerator) / Number(steps.denominator) / inRecords) * Math.log(among);
  return {
    candidates,
    ...(quantile && { attribute: `${workload.clique(0)}`, quantile: quantile.join("/") }),
    cliques: workload.length,
    cells: workload.cells,
    among,
    mechanism,
    epsilon: `${epsilon}`,
    sensitivity: `${sensitivity}`,
    cost: `${price}`,
    ...(terms.weights ? {} : { shortfall }),
  };
}

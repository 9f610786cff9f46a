import { MarginaliaError } from "../errors.js";
import { invalid, known } from "../options.js";
import { guard } from "../tables/inputs.js";
import { leavesRoom, type OpenAttribute, type OpenSchema } from "../tables/open.js";
import type { Schema } from "../tables/schema.js";
import { workload } from "../tables/workload.js";
import { Accountant, spentOn } from "./accountant.js";
import type { Currency } from "./budget.js";
import { Gate } from "./gate.js";
import type { Entry } from "./ledger/index.js";
import { type LedgerView, viewOf } from "./ledgerView.js";
import { MeasurePlan } from "./measurePlan.js";
import { Origin } from "./origin.js";
import { double, Rational } from "./rational.js";
import { isReadAs } from "./readAs.js";
import { KIT, Sealed, type SealedParts } from "./sealed.js";
import type { Choice } from "./select/choices.js";
import { MOST_PARTS } from "./select/resolve.js";
import type { SelectRequest } from "./select/types.js";
import type { Vault } from "./vault.js";

/** One choice of an edge: what it is known by, and what is asked once those before it are known. */
interface Step {
  readonly label: string;
  request(found: readonly number[]): SelectRequest;
}

/** A private table under a schema of which some bounds are to be found. Nothing is read before `find` has paid. */
export class OpenSealed implements AsyncDisposable {
  readonly schema: OpenSchema;
  readonly dataset: string;
  readonly #parts: SealedParts<Schema>;
  readonly #vaultOf: (closed: Schema) => Vault;
  readonly #gate: Gate;
  readonly #unguard: () => void;
  readonly #steps: ReadonlyMap<string, readonly Step[]>;
  readonly #chosen = new Map<string, { readonly edge?: number | undefined }>();
  /** The account is closed here, or by the table that it went to. */
  #over = false;

  /** @internal */
  constructor(schema: OpenSchema, parts: SealedParts<Schema>, vaultOf: (closed: Schema) => Vault) {
    this.schema = schema;
    this.dataset = parts.dataset;
    this.#parts = parts;
    this.#vaultOf = vaultOf;
    this.#gate = new Gate(parts);
    this.#steps = stepsOf(schema, parts.accountant);
    this.#unguard = guard([...parts.inputs], this);
  }

  /** The account. It can be read, and not written to. */
  get ledger(): LedgerView {
    return viewOf(this.#parts.ledger);
  }

  /** What was spent, as of a sealed table. */
  get spent(): Rational {
    return this.#parts.accountant.spent;
  }

  /** What finding the bounds costs, whatever the rows: every choice of an edge, in order. Nothing is read or charged. */
  async plan(): Promise<MeasurePlan> {
    this.#checkOpen();
    const { accountant, readAs, expectedRows } = this.#parts;
    const selections = await this.#choices();
    const sizes = this.schema.grid.sizes;
    const parts = { variances: new Float64Array(), accountant, readAs, expectedRows, selections, sizes };
    return new MeasurePlan(this.dataset, [], parts);
  }

  /**
   * Finds the bounds, each by one selection that is charged before it is made, and gives the table as it is sealed under the schema
   * with them (`schema` of what it gives), with the same account, which is closed by closing that. Bounds that were found by an
   * earlier program are in the ledger, and cost nothing.
   */
  async find(settings: { readonly signal?: AbortSignal } = {}): Promise<Sealed> {
    known(settings, ["signal"], "find");
    this.#checkOpen();
    const { selection } = await import("./select/charge.js");
    const found = new Map<string, readonly number[]>();
    for (const [name, steps] of this.#steps) {
      const edges: number[] = [];
      for (const { label, request } of steps) {
        const options = { ...request(edges), label, ...settings };
        const choose = () => selection(options, this.#parts, KIT);
        const { edge } = this.#chosen.get(label) ?? (await this.#gate.take(choose, settings.signal));
        // Asked once more it would be another choice, and another charge.
        this.#chosen.set(label, { edge });
        edges.push(edge as number);
      }
      found.set(name, inOrder(edges));
    }
    return this.#handOver(this.schema.closed(found));
  }

  /**
   * A table for plans: with as many bins, whose bounds are the ends of the grids, and an account from which the bounds are paid. What
   * is planned on it is what will be done. Nothing can be asked of it.
   */
  async assumed(): Promise<Sealed> {
    this.#checkOpen();
    const { ledger, accountant, readAs } = this.#parts;
    const schema = this.schema.assumed();
    const steps = [...this.#steps.values()].flat();
    const choices = await this.#choices();
    const pending = steps.flatMap(({ label }, i): Entry[] => {
      const isThis = ({ state, details }: Entry) =>
        state === "released" && Object(details).label === label && isReadAs(details, readAs);
      if (ledger.entries().some(isThis)) return [];
      const { planned, what, how } = choices[i] as Choice;
      const words = { key: label, what, mechanism: how, cost: planned.cost, details: { label } };
      return [{ id: -1, when: "", ...words, state: "under way" }];
    });
    const { budget, neighbours, limit } = accountant;
    const prices = [...ledger.entries(), ...pending].map(({ cost }) => cost);
    const paid = new Accountant(budget, neighbours, spentOn(prices, limit));
    const origin = new Origin(
      () => Promise.reject(invalid("this table is for plans: `find` gives the other")),
      undefined,
      [],
    );
    const vault = this.#vaultOf(schema);
    return new Sealed({ ...this.#parts, schema, vault, accountant: paid, origin, pending });
  }

  async #choices() {
    const { choices } = await import("./select/choices.js");
    const requests = [...this.#steps.values()].flatMap((steps) => steps.map(({ request }) => request([])));
    return choices(requests, this.#parts, KIT);
  }

  #handOver(schema: Schema): Sealed {
    this.#checkOpen();
    this.#end();
    return new Sealed({ ...this.#parts, schema, vault: this.#vaultOf(schema) });
  }

  #end(): void {
    this.#over = true;
    this.#parts.vault.dispose();
    this.#unguard();
  }

  /** Closes the account, unless a table has it that `find` gave. */
  async close(): Promise<void> {
    if (this.#over) return;
    this.#over = true;
    await this.#gate.idle();
    this.#end();
    await this.#parts.ledger.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #checkOpen(): void {
    if (!this.#over) return;
    throw new MarginaliaError(
      "HANDLE_DISPOSED",
      "the bounds were found, or the table was closed: use what `find` gave",
    );
  }
}

/** The lower, the upper, then those between, in the order in which they are chosen; sorted they are the edges. */
const inOrder = (edges: readonly number[]): number[] => [...edges].sort((a, b) => a - b);

/** All choices, by attribute. Each of an attribute's costs the same part of its share of the budget. */
function stepsOf(schema: OpenSchema, { limit, currency }: Accountant): ReadonlyMap<string, readonly Step[]> {
  const shares = schema.open.map(({ name, spec }) => fraction(spec.bounds.share, `\`share\` of ${name}`));
  const all = shares.reduce((sum, share) => sum.plus(share), Rational.of(0n));
  if (all.compare(Rational.of(1n)) >= 0)
    throw invalid("the shares of all `bounds` leave nothing of the budget");
  return new Map(
    schema.open.map((attribute, i) => [
      attribute.name,
      edgesOf(attribute, schema.grid, { amount: (shares[i] as Rational).times(limit), currency }),
    ]),
  );
}

/** What one choice may cost. Of ρ its ε is given, in ten digits: exact roots of odd amounts would be the account's from then on. */
function paidBy(spend: Rational, currency: Currency): Pick<SelectRequest, "spend" | "epsilon"> {
  if (currency === "epsilon") return { spend };
  return { epsilon: (Math.sqrt(8 * double(spend, false)) * (1 - 1e-9)).toPrecision(10) };
}

function edgesOf(
  attribute: OpenAttribute,
  grid: Schema,
  { amount, currency }: { readonly amount: Rational; readonly currency: Currency },
): Step[] {
  const { name, spec, cuts } = attribute;
  const tail = fraction(attribute.tail, `\`tail\` of ${name}`);
  if (tail.denominator > MOST_PARTS || tail.compare(Rational.ratio(1n, 2n)) >= 0)
    throw invalid(`\`tail\` of ${name} is a fraction below 1/2, of at most ${MOST_PARTS} parts`);
  const inner = cuts === "quantiles" ? spec.bins - 1 : 0;
  const paid = paidBy(amount.over(Rational.of(BigInt(2 + inner))), currency);
  const step = (
    { label, ...how }: { label: string; quantile: Rational; lean?: "lower" | "upper" },
    open: (edge: number, found: readonly number[]) => boolean,
  ): Step => ({
    label: `bounds of ${JSON.stringify(name)}: ${label}`,
    // Before those that it follows are known, all edges take part.
    request: (found) => ({
      ...{ workload: workload(grid, [[name]]), candidates: "edges", ...how, ...paid },
      mask: attribute.edges.map((_, edge) => open(edge, found)),
    }),
  });
  const last = attribute.edges.length - 1;
  const top = Rational.of(1n).minus(tail);
  const lower = step({ label: "lower", quantile: tail, lean: "upper" }, (edge) =>
    leavesRoom(attribute, edge, last),
  );
  const upper = step({ label: "upper", quantile: top, lean: "lower" }, (edge, [low]) =>
    low === undefined ? true : leavesRoom(attribute, low, edge),
  );
  const between = Array.from({ length: inner }, (_, i) => {
    const quantile = Rational.ratio(BigInt(i + 1), BigInt(spec.bins));
    return step({ label: `${i + 1} of ${inner}`, quantile }, (edge, found) => {
      const [low, high, ...more] = found;
      if (low === undefined || high === undefined) return true;
      // The bins that are still to come need an edge each.
      return edge > (more.at(-1) ?? low) && edge <= high - (inner - i);
    });
  });
  return [lower, upper, ...between];
}

/** An exact number above 0 and below 1. */
function fraction(value: number | string, what: string): Rational {
  const exact = Rational.of(value);
  if (exact.sign > 0 && exact.compare(Rational.of(1n)) < 0) return exact;
  throw invalid(`${what} is a fraction above 0 and below 1`);
}

import type { GrantRequest, LedgerHeader } from "../../../ts/privacy/ledger/index.js";

export const header: LedgerHeader = {
  dataset: "survey-2019",
  schema: '{"attributes":[{"name":"age"}]}',
  unit: "row",
  relation: "add-remove",
  budget: { pure: "1" },
  total: { currency: "epsilon", amount: "1" },
};

export const charge = (key: string, cost = "1/100"): GrantRequest => ({
  key,
  what: "age × sex",
  mechanism: "discrete Laplace, b = 100",
  cost,
});

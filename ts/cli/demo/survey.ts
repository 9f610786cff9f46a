import type { SchemaJson } from "../../tables/schema.js";

const numbers = { other: "clamp", nullable: true } as const;

/** A category whose other values are null. */
const category = (name: string, values: string) =>
  ({ name, type: "category", values: values.split(" "), other: null }) as const;

/** How the two surveys of the demo are declared: what `examples/survey.mjs` declares for programs. */
export const SURVEY: SchemaJson = {
  attributes: [
    category("area", "AR101 AR102 AR103 BE201 BE202 BE203 CO301 CO302"),
    { name: "age", type: "integer", min: 0, max: 99, cuts: [15, 25, 45, 65, 80], ...numbers },
    category("sex", "F M"),
    { name: "arrived", type: "date", from: "1990-01-01", to: "2019-12-31", step: "year", ...numbers },
    { ...category("education", "primary secondary vocational bachelor master"), nullable: true },
    { ...category("employment", "employed self-employed unemployed student retired home"), nullable: true },
    { ...category("industry", "farming making trade lodging office public care"), nullable: true },
    { name: "hours", type: "number", cuts: [0, 30, 37, 41, 80], decimals: 1, ...numbers },
    {
      ...{ name: "income", type: "integer", min: 0, max: 250_000 },
      ...{ cuts: [10_000, 20_000, 35_000, 60_000], ...numbers },
    },
    { name: "size", type: "integer", min: 1, max: 6, cuts: [2, 3, 4, 5], ...numbers },
    { ...category("tenure", "owned mortgaged rented social"), nullable: true },
    { name: "disability", type: "boolean", texts: ["no", "yes"], other: null },
    { name: "carer", type: "boolean", texts: ["no", "yes"], other: null },
  ],
  derive: [{ name: "state", from: "area", prefix: 2 }],
};

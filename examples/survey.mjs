// The schema of the two example surveys, as `data/README.md` describes them.
import { boolean, category, date, integer, number, schema } from "marginalia";

const AREAS = ["AR101", "AR102", "AR103", "BE201", "BE202", "BE203", "CO301", "CO302"];

export const survey = schema(
  {
    area: category(AREAS),
    age: integer({ min: 0, max: 99, cuts: [15, 25, 45, 65, 80], other: "clamp" }),
    sex: category(["F", "M"]),
    arrived: date({ from: "1990-01-01", to: "2019-12-31", step: "year", other: "clamp", nullable: true }),
    education: category(["primary", "secondary", "vocational", "bachelor", "master"], { nullable: true }),
    employment: category(["employed", "self-employed", "unemployed", "student", "retired", "home"], {
      nullable: true,
    }),
    industry: category(["farming", "making", "trade", "lodging", "office", "public", "care"], {
      nullable: true,
    }),
    hours: number({ cuts: [0, 30, 37, 41, 80], decimals: 1, other: "clamp", nullable: true }),
    income: integer({
      min: 0,
      max: 250_000,
      cuts: [10_000, 20_000, 35_000, 60_000],
      other: "clamp",
      nullable: true,
    }),
    size: integer({ min: 1, max: 6, cuts: [2, 3, 4, 5], other: "clamp" }),
    tenure: category(["owned", "mortgaged", "rented", "social"], { nullable: true }),
    disability: boolean({ texts: ["no", "yes"] }),
    carer: boolean({ texts: ["no", "yes"] }),
  },
  { derive: { state: { from: "area", prefix: 2 } } },
);

/** One of the shipped files: `survey-2018.csv` or `survey-2019.csv`. */
export const file = (year) => new URL(`data/survey-${year}.csv`, import.meta.url);

/** The same for a private table: it says for every attribute what becomes of any value that it does not declare. */
export const people = schema(
  Object.fromEntries(
    Object.entries(survey.attributes).map(([name, attribute]) => [
      name,
      attribute.other === "clamp" ? { ...attribute, nullable: true } : { ...attribute, other: null },
    ]),
  ),
  { derive: survey.derive },
);

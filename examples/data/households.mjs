// Households and those who live in them: ages, sexes and employments of one household depend on each other.

import { bracket, tilt } from "./draw.mjs";
import * as laws from "./laws.mjs";
import { person } from "./person.mjs";

const YEAR = 1; // The laws of 2019.

/** Ages of a household's head, by what the household is: [from, to] with weights. */
const HEADS = {
  alone: [
    [20, 34, 300],
    [35, 59, 290],
    [60, 95, 410],
  ],
  couple: [
    [20, 34, 220],
    [35, 54, 190],
    [55, 90, 590],
  ],
  family: [
    [24, 34, 290],
    [35, 49, 560],
    [50, 60, 150],
  ],
  parent: [
    [22, 34, 320],
    [35, 55, 680],
  ],
  shared: [
    [19, 32, 800],
    [33, 60, 200],
  ],
};

/** So many households, and one row for each of their members. */
export function households(draw, count) {
  const groups = [];
  const members = [];
  for (let id = 1001; id <= 1000 + count; id++) {
    const [area, , , kind] = laws.AREAS[draw.index(laws.AREAS.map((law) => law[1 + YEAR]))];
    const type = laws.HOUSEHOLDS[draw.index(laws.HOUSEHOLD[kind])];
    const rows = roles(draw, type).map((role) => member(draw, id, kind, role));
    groups.push(group(draw, { id, area, kind, type }, rows));
    members.push(...rows.map(({ income, ...row }) => row));
  }
  return { groups, members };
}

/** Who lives there, as { relation, age, sex? }, the head first. */
function roles(draw, type) {
  const ranges = HEADS[type];
  const [from, to] = ranges[draw.index(ranges.map(([, , weight]) => weight))];
  const head = { relation: "head", age: draw.between(from, to), sex: headSex(draw, type) };
  if (type === "alone") return [head];
  if (type === "shared") {
    const others = 1 + draw.index([600, 280, 90, 30]);
    return [
      head,
      ...Array.from({ length: others }, () => ({ relation: "other", age: draw.between(18, 40) })),
    ];
  }
  const partner = {
    relation: "partner",
    age: within(head.age + draw.between(-7, 5), 18, 99),
    sex: partnerSex(draw, head),
  };
  if (type === "couple") return [head, partner];
  const adults = type === "parent" ? [head] : [head, partner];
  const children = 1 + draw.index(type === "parent" ? [600, 310, 90] : [380, 440, 140, 40]);
  const eldest = within(head.age - draw.between(20, 38), 0, 24);
  const child = (_, i) => ({ relation: "child", age: Math.max(0, eldest - 3 * i + draw.between(-1, 0)) });
  const grandparent = draw.happens(35)
    ? [{ relation: "other", age: within(head.age + draw.between(22, 35), 55, 99) }]
    : [];
  return [...adults, ...Array.from({ length: children }, child), ...grandparent];
}

const within = (value, low, high) => Math.min(high, Math.max(low, value));

const headSex = (draw, type) => (draw.happens(type === "parent" ? 810 : 480) ? "F" : "M");

const partnerSex = (draw, head) => (draw.happens(25) ? head.sex : head.sex === "F" ? "M" : "F");

function member(draw, household, kind, { relation, age, sex }) {
  const who = person(draw, { kind, age, year: YEAR, ...(sex && { sex }) });
  const { education, employment, income } = who;
  return { household, relation, age, sex: who.sex, education, employment, income };
}

function group(draw, { id, area, kind, type }, members) {
  const head = members[0];
  const income = members.reduce((sum, { income }) => sum + (income ?? 0), 0);
  const owners = tilt(laws.TENURE[bracket(laws.TENURE_FROM, head.age)][YEAR], laws.TENURE_BY_KIND[kind]);
  const byIncome = laws.TENURE_BY_INCOME[bracket([0, 25_000, 70_000], income)];
  const adults = members.filter(({ age }) => age >= 18).length;
  return {
    id,
    area,
    type,
    size: members.length,
    dwelling: laws.DWELLINGS[draw.index(laws.DWELLING[kind])],
    tenure: laws.TENURES[draw.index(tilt(owners, byIncome))],
    cars: draw.index(laws.CARS[Math.min(adults, 3) - 1]),
    income: draw.happens(60) ? null : income,
  };
}

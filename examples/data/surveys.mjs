// The two survey years, as text. `generate.mjs` writes them, and so does the command `marginalia demo`.

import { bracket, Draw, tilt } from "./draw.mjs";
import * as laws from "./laws.mjs";
import { person } from "./person.mjs";

const SURVEYS = { 2018: 4600, 2019: 4800 };

/** The rows of one survey year. */
function survey(year, rows) {
  const draw = new Draw(`marginalia: survey ${year}`);
  return Array.from({ length: rows }, () => respondent(draw, Number(year), year === "2018" ? 0 : 1));
}

const yesNo = (value) => (value ? "yes" : "no");

function respondent(draw, calendar, year) {
  const [area, , , kind] = laws.AREAS[draw.index(laws.AREAS.map((law) => law[1 + year]))];
  const age = 10 * draw.index(laws.AGES[kind][year]) + draw.below(10);
  const who = person(draw, { kind, age, year });
  const size = 1 + draw.index(laws.SIZE[bracket(laws.SIZE_FROM, age)][year]);
  const row = {
    area,
    age,
    sex: who.sex,
    arrived: arrival(draw, kind, age, calendar, year),
    education: who.education,
    employment: who.employment,
    industry: who.industry,
    hours: who.hours,
    income: who.income,
    size,
    tenure: tenure(draw, kind, age, who.income, year),
    disability: yesNo(who.disability),
    carer: yesNo(who.carer),
  };
  return silence(draw, row, year);
}

/** The day on which somebody born abroad came, null for everybody else. */
function arrival(draw, kind, age, calendar, year) {
  if (!draw.happens(laws.ABROAD[kind][year])) return null;
  const i = draw.index(laws.LAGS.map(([, weight]) => weight));
  const lag = draw.between(i === 0 ? 0 : laws.LAGS[i - 1][0] + 1, laws.LAGS[i][0]);
  const two = (n) => String(n).padStart(2, "0");
  return `${calendar - Math.min(lag, age)}-${two(draw.between(1, 12))}-${two(draw.between(1, 28))}`;
}

function tenure(draw, kind, age, income, year) {
  const bracketOfIncome = income === null ? 3 : bracket([0, 15_000, 45_000], income);
  const weights = laws.TENURE[bracket(laws.TENURE_FROM, age)][year];
  const byIncome = tilt(weights, laws.TENURE_BY_INCOME[bracketOfIncome]);
  return laws.TENURES[draw.index(tilt(byIncome, laws.TENURE_BY_KIND[kind]))];
}

/** The row with what the respondent did not say left out. */
function silence(draw, row, year) {
  const silent = { ...row };
  for (const [name, perMille] of Object.entries(laws.SILENT)) {
    const chance = Array.isArray(perMille) ? perMille[year] : perMille;
    if (draw.happens(chance)) silent[name] = null;
  }
  return silent;
}

/** Comma-separated text; null is an empty field, and no value needs quotes. */
export function csv(rows) {
  const names = Object.keys(rows[0]);
  const line = (row) => names.map((name) => row[name] ?? "").join(",");
  return `${[names.join(","), ...rows.map(line)].join("\n")}\n`;
}

/** Both surveys by the names of their files. */
export function surveys() {
  return Object.fromEntries(
    Object.entries(SURVEYS).map(([year, rows]) => [`survey-${year}.csv`, csv(survey(year, rows))]),
  );
}

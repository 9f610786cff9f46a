// One person of the invented country, attribute after attribute, each given those before it.

import { bracket, tilt } from "./draw.mjs";
import * as laws from "./laws.mjs";

/** What is drawn of a person whose area and age are known; `year` is 0 for 2018 and 1 for 2019. */
export function person(draw, { kind, age, year, sex = drawSex(draw, age) }) {
  const disability = draw.happens(laws.DISABLED[Math.floor(age / 10)]);
  if (age < 15) return { sex, disability, carer: false, education: null, employment: null, ...work(draw) };
  const carer = draw.happens(laws.CARERS[sex][Math.floor(age / 10)]);
  const education = drawEducation(draw, kind, age, year);
  const employment = drawEmployment(draw, age, education, disability, year);
  return {
    sex,
    disability,
    carer,
    education: laws.EDUCATIONS[education],
    employment,
    ...work(draw, { kind, age, year, sex, education, employment }),
  };
}

const drawSex = (draw, age) => (draw.happens(laws.WOMEN[age < 75 ? 0 : 1]) ? "F" : "M");

const level = (education) => (education === 0 ? "low" : education < 3 ? "middle" : "high");

function drawEducation(draw, kind, age, year) {
  const degrees = laws.DEGREES_BY_KIND[kind];
  const weights = laws.EDUCATION[bracket(laws.EDUCATION_FROM, age)][year];
  return draw.index(tilt(weights, [100, 100, 100, degrees, degrees]));
}

function drawEmployment(draw, age, education, disability, year) {
  const weights = laws.EMPLOYMENT[level(education)][bracket(laws.EMPLOYMENT_FROM, age)][year];
  const percents = disability ? [55, 55, 140, 100, 220, 300] : [100, 100, 100, 100, 100, 100];
  return laws.EMPLOYMENTS[draw.index(tilt(weights, percents))];
}

/** Industry, hours and income: all null for a child, the first two for whoever does not work. */
function work(draw, adult) {
  if (!adult) return { industry: null, hours: null, income: null };
  const { employment, year } = adult;
  if (employment !== "employed" && employment !== "self-employed") {
    const [low, high] = laws.OTHER_INCOME[employment];
    const income = (draw.between(low, high) * laws.RAISE[year]) / 1000;
    return { industry: null, hours: null, income: heaped(draw, income) };
  }
  const industry = drawIndustry(draw, adult);
  const hours = drawHours(draw, adult);
  const income = heaped(draw, pay(draw, adult, industry, hours));
  return { industry: laws.INDUSTRIES[industry], hours, income };
}

function drawIndustry(draw, { kind, sex, education, year }) {
  const weights = tilt(laws.INDUSTRY[level(education)][year], laws.INDUSTRY_BY_SEX[sex]);
  return draw.index(tilt(weights, laws.INDUSTRY_BY_KIND[kind]));
}

function drawHours(draw, { employment, sex, year }) {
  if (employment === "self-employed") return draw.between(20, 130) / 2;
  if (draw.happens(laws.PART_TIME[sex][year])) return draw.between(16, 64) / 2;
  return laws.FULL_HOURS[draw.index(laws.FULL_HOURS.map(([, weight]) => weight))][0];
}

function pay(draw, { kind, age, sex, education, year }, industry, hours) {
  const percents = [
    laws.PAY_BY_AGE[Math.min(6, Math.max(0, Math.floor(age / 10) - 1))],
    laws.PAY_BY_INDUSTRY[industry],
    { city: 108, town: 97, rural: 90 }[kind],
    { F: 93, M: 104 }[sex],
    draw.quantile(laws.PAY_SPREAD),
  ];
  const full = percents.reduce((sum, percent) => (sum * percent) / 100, laws.PAY[education]);
  return (full * laws.RAISE[year] * Math.min(hours, 50)) / 38_000;
}

/** An amount as people tell it: some to the hundred, more to the five hundred, many to the thousand. */
function heaped(draw, amount) {
  const step = amount < 5000 ? 100 : [100, 500, 1000][draw.index([20, 45, 35])];
  return Math.min(250_000, Math.floor(amount / step) * step);
}

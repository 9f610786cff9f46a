// biome-ignore-all format: a law reads best as a table, one line for each row.
// The invented country that the example data is about: every number below is made up to be plausible, none
// is estimated from real data. Weights are integers, so that a draw is the same on every machine.
//
// Where a law has changed from one survey year to the next, it is a pair: [weights of 2018, of 2019].

/** Areas: [code, weight 2018, weight 2019, kind]. The first two letters are the state. */
export const AREAS = [
  ["AR101", 322, 330, "city"], ["AR102", 131, 131, "town"], ["AR103", 72, 70, "rural"],
  ["BE201", 158, 162, "city"], ["BE202", 94, 93, "town"], ["BE203", 57, 55, "rural"],
  ["CO301", 118, 115, "town"], ["CO302", 48, 44, "rural"],
];

/** Weights of the ages 0–9, 10–19, …, 90–99 for each kind of area. */
export const AGES = {
  city: [
    [108, 112, 168, 161, 138, 124, 94, 61, 28, 6],
    [106, 111, 172, 165, 136, 122, 95, 62, 25, 6],
  ],
  town: [
    [112, 121, 118, 126, 134, 143, 119, 82, 37, 8],
    [109, 120, 117, 129, 131, 143, 123, 84, 36, 8],
  ],
  rural: [
    [96, 118, 92, 101, 124, 158, 149, 105, 47, 10],
    [92, 115, 91, 102, 119, 158, 155, 109, 49, 10],
  ],
};

/** Of 1,000 people, women: below 75 and from there on. */
export const WOMEN = [502, 585];

export const EDUCATIONS = ["primary", "secondary", "vocational", "bachelor", "master"];
/** Weights of the educations from 15, 20, 25, 35, 50 and 65 years on. */
export const EDUCATION_FROM = [15, 20, 25, 35, 50, 65];
export const EDUCATION = [
  [[620, 350, 30, 0, 0], [610, 358, 32, 0, 0]],
  [[70, 480, 250, 190, 10], [64, 470, 246, 206, 14]],
  [[75, 235, 295, 270, 125], [68, 222, 290, 284, 136]],
  [[105, 260, 330, 205, 100], [96, 252, 326, 218, 108]],
  [[180, 310, 325, 125, 60], [166, 308, 328, 134, 64]],
  [[390, 300, 220, 60, 30], [362, 310, 228, 66, 34]],
];
/** Weights of a bachelor's and a master's degree by kind of area, in per cent. */
export const DEGREES_BY_KIND = { city: 135, town: 95, rural: 65 };

export const EMPLOYMENTS = ["employed", "self-employed", "unemployed", "student", "retired", "home"];
export const EMPLOYMENT_FROM = [15, 20, 25, 35, 55, 62, 67, 75];
/** Weights of the employments by age and by level of education. */
export const EMPLOYMENT = {
  low: [
    [[70, 5, 40, 870, 0, 15], [76, 5, 32, 872, 0, 15]],
    [[500, 25, 215, 120, 0, 140], [530, 26, 180, 124, 0, 140]],
    [[590, 55, 150, 10, 0, 195], [616, 56, 122, 10, 0, 196]],
    [[630, 85, 110, 0, 5, 170], [654, 86, 86, 0, 5, 169]],
    [[500, 80, 95, 0, 150, 175], [520, 82, 76, 0, 146, 176]],
    [[195, 50, 45, 0, 590, 120], [212, 52, 36, 0, 580, 120]],
    [[22, 13, 0, 0, 925, 40], [26, 14, 0, 0, 920, 40]],
    [[2, 3, 0, 0, 980, 15], [2, 3, 0, 0, 980, 15]],
  ],
  middle: [
    [[210, 5, 35, 740, 0, 10], [218, 5, 28, 739, 0, 10]],
    [[590, 25, 85, 265, 0, 35], [604, 26, 66, 269, 0, 35]],
    [[765, 65, 70, 30, 0, 70], [782, 66, 54, 30, 0, 68]],
    [[770, 105, 50, 5, 2, 68], [782, 106, 38, 5, 2, 67]],
    [[640, 110, 55, 0, 115, 80], [656, 112, 42, 0, 110, 80]],
    [[265, 75, 30, 0, 570, 60], [284, 78, 24, 0, 556, 58]],
    [[35, 25, 0, 0, 920, 20], [40, 26, 0, 0, 914, 20]],
    [[3, 5, 0, 0, 982, 10], [3, 5, 0, 0, 982, 10]],
  ],
  high: [
    [[100, 0, 0, 900, 0, 0], [100, 0, 0, 900, 0, 0]],
    [[495, 25, 60, 405, 0, 15], [506, 26, 48, 405, 0, 15]],
    [[810, 70, 40, 45, 0, 35], [820, 70, 32, 44, 0, 34]],
    [[820, 120, 25, 3, 2, 30], [828, 118, 20, 3, 2, 29]],
    [[710, 150, 30, 0, 75, 35], [720, 150, 24, 0, 72, 34]],
    [[360, 125, 15, 0, 475, 25], [378, 126, 12, 0, 460, 24]],
    [[60, 60, 0, 0, 870, 10], [66, 62, 0, 0, 862, 10]],
    [[5, 15, 0, 0, 975, 5], [5, 15, 0, 0, 975, 5]],
  ],
};

export const INDUSTRIES = ["farming", "making", "trade", "lodging", "office", "public", "care"];
/** Weights of the industries by level of education; then per cent by sex and by kind of area. */
export const INDUSTRY = {
  low: [[50, 330, 260, 150, 90, 40, 80], [46, 308, 273, 156, 96, 38, 83]],
  middle: [[30, 290, 255, 55, 140, 120, 110], [28, 268, 265, 57, 154, 113, 115]],
  high: [[8, 110, 90, 12, 360, 270, 150], [7, 100, 87, 12, 386, 258, 150]],
};
export const INDUSTRY_BY_SEX = { F: [60, 40, 90, 130, 95, 130, 180], M: [130, 155, 110, 75, 105, 75, 35] };
export const INDUSTRY_BY_KIND = {
  city: [10, 75, 100, 115, 145, 110, 105],
  town: [90, 120, 105, 95, 80, 100, 100],
  rural: [420, 120, 95, 85, 50, 90, 90],
};
/** Pay by industry, in per cent. */
export const PAY_BY_INDUSTRY = [78, 106, 90, 68, 125, 102, 98];

/** Usual hours of an employee in full time, with weights; other working people draw from a range. */
export const FULL_HOURS = [[35, 110], [37.5, 330], [38.5, 140], [40, 310], [42, 50], [45, 60]];
/** Of 1,000 employees, those in part time. */
export const PART_TIME = { F: [382, 376], M: [96, 104] };

/** A year's pay in full time at 30–39 years of age, by education; a raise for all from year to year. */
export const PAY = [25_500, 30_500, 36_000, 47_500, 60_000];
export const RAISE = [1000, 1018];
/** Pay by age 15–19, 20–29, …, 70–79 and over, in per cent. */
export const PAY_BY_AGE = [45, 78, 100, 112, 116, 110, 95];
/** How unequal pay is among likes: the multiple (per cent) at the 0th, 10th, …, 100th percentile. */
export const PAY_SPREAD = [35, 62, 74, 83, 91, 99, 108, 119, 134, 162, 420];
/** A year's income without work: [from, to] at 2018 prices. */
export const OTHER_INCOME = {
  unemployed: [6_500, 17_500], student: [0, 9_500], retired: [10_500, 36_500], home: [0, 8_000],
};

/** Household sizes 1–6 by age from 0, 15, 20, 30, 45, 60 and 75 years on. */
export const SIZE_FROM = [0, 15, 20, 30, 45, 60, 75];
export const SIZE = [
  [[0, 60, 290, 440, 160, 50], [0, 68, 300, 434, 152, 47]],
  [[20, 120, 280, 390, 150, 40], [22, 128, 288, 382, 144, 37]],
  [[240, 350, 210, 150, 40, 10], [258, 350, 202, 144, 38, 9]],
  [[170, 230, 240, 270, 70, 20], [184, 240, 237, 256, 65, 18]],
  [[190, 360, 230, 170, 40, 10], [203, 363, 224, 163, 38, 9]],
  [[280, 580, 100, 30, 8, 2], [296, 569, 96, 29, 8, 2]],
  [[500, 450, 40, 8, 1, 1], [513, 439, 38, 8, 1, 1]],
];

export const TENURES = ["owned", "mortgaged", "rented", "social"];
export const TENURE_FROM = [0, 20, 30, 45, 60];
export const TENURE = [
  [[150, 500, 250, 100], [143, 480, 278, 99]],
  [[80, 210, 590, 120], [74, 195, 614, 118]],
  [[110, 500, 310, 80], [104, 478, 341, 78]],
  [[260, 490, 180, 70], [254, 478, 200, 69]],
  [[690, 120, 110, 80], [681, 124, 116, 79]],
];
/** Tenure by kind of area and by income (below 15,000; below 45,000; above; not said), in per cent. */
export const TENURE_BY_KIND = {
  city: [70, 80, 150, 135], town: [105, 110, 90, 95], rural: [150, 120, 50, 50],
};
export const TENURE_BY_INCOME = [
  [90, 60, 115, 210], [100, 100, 100, 75], [110, 155, 70, 8], [100, 100, 100, 100],
];

/** Of 1,000 people, those with a disability, by decade of age. */
export const DISABLED = [8, 14, 18, 26, 41, 78, 112, 178, 330, 460];

/** Of 1,000 people aged 15 or more, those who care for somebody: by sex and decade of age. */
export const CARERS = {
  F: [0, 8, 18, 36, 66, 92, 78, 52, 30, 10],
  M: [0, 5, 9, 17, 30, 48, 52, 50, 36, 14],
};

/** Of 1,000 people, those born abroad; and how long ago they came, in years: [up to, weight]. */
export const ABROAD = { city: [86, 99], town: [38, 42], rural: [14, 15] };
export const LAGS = [[2, 170], [5, 190], [10, 210], [20, 210], [35, 150], [60, 70]];

/** Of 1,000 who were asked, those who did not say. */
export const SILENT = { education: 9, income: [58, 63], tenure: 14, hours: 22 };

/** Households: what they are, by kind of area. */
export const HOUSEHOLDS = ["alone", "couple", "family", "parent", "shared"];
export const HOUSEHOLD = {
  city: [410, 240, 215, 75, 60], town: [320, 300, 290, 70, 20], rural: [290, 340, 310, 50, 10],
};
export const DWELLINGS = ["flat", "terrace", "house"];
export const DWELLING = { city: [700, 190, 110], town: [330, 330, 340], rural: [90, 180, 730] };
/** Cars 0–3 by number of adults, from one to three or more. */
export const CARS = [[420, 540, 35, 5], [110, 520, 340, 30], [120, 360, 370, 150]];

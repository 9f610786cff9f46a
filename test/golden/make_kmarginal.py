"""Scores of `kmarginal.json`, by the definition alone and in plain Python: every table is a dictionary of tuples.

    python3 test/golden/make_kmarginal.py [FOLDER] > test/golden/kmarginal.json

FOLDER is that of MARGINALIA_DATA; without it only the shipped survey is scored, and what is recorded of the
folder's files stays.
"""

import csv
import gzip
import json
import math
import os
import sys
from itertools import combinations

HERE = os.path.dirname(os.path.abspath(__file__))


def read(path):
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path, "rt", encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def number(text):
    try:
        return float(text)
    except ValueError:
        return None


def higher(ordered, percent):
    """The percentile by numpy's method "higher"."""
    return ordered[math.ceil((len(ordered) - 1) * percent / 100)]


def edges_of(name, values, truth, other):
    """The edges of a column's bins; None where its values are compared as they are."""
    if not isinstance(values, dict) or "min" not in values or float(values["max"]) - float(values["min"]) <= 20:
        return None
    if name == "DENSITY":
        top = math.log10(values["max"] + 500)
        return [0, 150] + [10 ** (1 + (top - 1) * i / 20) for i in range(8, 21)]
    ordered = sorted(x for x in map(number, truth) if x is not None)
    others = [x for x in map(number, other) if x is not None]
    bins = 20 - (len(values) - 2) - any(x < ordered[0] for x in others) - any(x > ordered[-1] for x in others)
    percents = [5 * i if bins == 20 else 100 * i / bins for i in range(bins)]
    return sorted({higher(ordered, percent) for percent in percents} | {ordered[-1]})


def value(text, edges):
    x = number(text)
    if x is None:
        return text
    if edges is None:
        return str(int(x)) if x == int(x) else text
    if x == edges[0]:
        return 1
    return sum(edge < x for edge in edges)


def shares(rows, columns):
    table = {}
    for key in zip(*(rows[name] for name in columns)):
        table[key] = table.get(key, 0) + 1
    size = len(rows[columns[0]])
    return {key: count / size for key, count in table.items()}


def score(truth, other, dictionary, names):
    codes = ({}, {})
    for name in names:
        texts = [[row[name] for row in rows] for rows in (truth, other)]
        edges = edges_of(name, dictionary.get(name, {}).get("values"), *texts)
        for side, column in zip(codes, texts):
            seen = {text: value(text, edges) for text in set(column)}
            side[name] = [seen[text] for text in column]
    group = [name for name in names if name == "PUMA"]
    pairs = list(combinations([name for name in sorted(names) if name != "PUMA"], 2))
    total, losses = 0.0, {}
    of_group = shares(codes[0], group) if group else {}
    for pair in pairs:
        a, b = (shares(side, group + list(pair)) for side in codes)
        parts = {}
        for key in set(a) | set(b):
            apart = abs(a.get(key, 0) - b.get(key, 0))
            total += apart
            parts[key[0]] = parts.get(key[0], 0) + apart
        for (key,), share in of_group.items():
            losses[key] = losses.get(key, 0) + min(share, parts[key]) / share
    groups = {key: 1000 * (1 - loss / len(pairs)) for key, loss in sorted(losses.items())}
    return {"features": names, "score": (2 - total / len(pairs)) * 500, "groups": groups}


TEN = "AGEP SEX MSP RAC1P HOUSING_TYPE OWN_RENT EDU PINCP_DECILE DVET DEYE".split()
MORE = "PUMA HISP NOC NPF INDP INDP_CAT PINCP POVPIP DREM DPHY DEAR".split()
REST = "DENSITY PWGTP WGTP".split()
SURVEY = {
    "age": {"values": {"min": 0, "max": 99}},
    "hours": {"values": {"min": 8, "max": 65, "": "not working"}},
    "income": {"values": {"min": 0, "max": 250000, "": "not said"}},
    "size": {"values": {"min": 1, "max": 6}},
    **{name: {} for name in "area sex education employment industry tenure disability carer".split()},
}


def main(folder):
    path = os.path.join(HERE, "kmarginal.json")
    golden = json.load(open(path)) if os.path.exists(path) else {}
    data = os.path.join(HERE, "..", "..", "examples", "data")
    years = [read(os.path.join(data, f"survey-{year}.csv")) for year in (2019, 2018)]
    golden["survey"] = {"dictionary": SURVEY, **score(*years, SURVEY, list(SURVEY))}
    if folder:
        acs = os.path.join(folder, "acs-ma")
        dictionary = json.load(open(os.path.join(acs, "data_dictionary.json")))
        years = [read(os.path.join(acs, f"ma{year}.csv.gz")) for year in (2019, 2018)]
        lists = (TEN, TEN + MORE, TEN + MORE + REST)
        golden["acs-ma"] = [score(*years, dictionary, names) for names in lists]
    json.dump(golden, sys.stdout, indent=1)
    print()


main(sys.argv[1] if len(sys.argv) > 1 else None)

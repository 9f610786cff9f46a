"""Counts marginals of examples/data/survey-2019.csv with DuckDB, for the tests to compare ours with.

    python -m pip install duckdb
    python test/golden/make_counts.py

The bins are those of the data dictionary in examples/data/README.md. A cell is the text of each attribute's
value (of a bin: its lower end; of null: null) and the count; cells without rows are left out.
"""

import json
from pathlib import Path

import duckdb

HERE = Path(__file__).parent
SOURCE = "examples/data/survey-2019.csv"

ATTRIBUTES = {
    "area": {"type": "category",
             "values": ["AR101", "AR102", "AR103", "BE201", "BE202", "BE203", "CO301", "CO302"]},
    "age": {"type": "integer", "lows": [0, 15, 25, 45, 65, 80], "max": 99},
    "sex": {"type": "category", "values": ["F", "M"]},
    "arrived": {"type": "date", "from": "1990-01-01", "to": "2019-12-31",
                "step": "year", "other": "clamp", "nullable": True},
    "education": {"type": "category", "nullable": True,
                  "values": ["primary", "secondary", "vocational", "bachelor", "master"]},
    "employment": {"type": "category", "nullable": True,
                   "values": ["employed", "self-employed", "unemployed", "student", "retired", "home"]},
    "industry": {"type": "category", "nullable": True,
                 "values": ["farming", "making", "trade", "lodging", "office", "public", "care"]},
    "hours": {"type": "number", "cuts": [0, 30, 37, 41, 80], "decimals": 1, "nullable": True},
    "income": {"type": "integer", "lows": [0, 10000, 20000, 35000, 60000], "max": 250000, "nullable": True},
    "size": {"type": "integer", "lows": [1, 2, 3, 4, 5], "max": 6},
    "tenure": {"type": "category", "values": ["owned", "mortgaged", "rented", "social"], "nullable": True},
    "disability": {"type": "boolean", "texts": ["no", "yes"]},
    "carer": {"type": "boolean", "texts": ["no", "yes"]},
}

CLIQUES = [
    *([name] for name in ATTRIBUTES),
    ["area", "age"],
    ["age", "area"],
    ["education", "income"],
    ["employment", "industry"],
    ["arrived", "area"],
    ["sex", "hours"],
    ["disability", "carer"],
    ["size", "tenure"],
    ["age", "education", "employment"],
    ["area", "income", "tenure"],
    ["carer", "sex", "age"],
]


def binned(name, law):
    """An SQL expression for the text of the value or of the lower end of the bin."""
    if law["type"] == "integer" or law["type"] == "number":
        ends = law.get("lows") or law["cuts"][:-1]
        cases = " ".join(f"WHEN CAST({name} AS DOUBLE) >= {low} THEN '{low}'" for low in reversed(ends))
        return f"CASE {cases} END"
    if law["type"] == "date":
        year = f"greatest(year(CAST({name} AS DATE)), {law['from'][:4]})"
        return f"CASE WHEN {name} IS NOT NULL THEN {year} || '-01-01' END"
    return name


def main():
    path = (HERE.parent.parent / SOURCE).as_posix()
    columns = ", ".join(f"{binned(name, law)} AS {name}" for name, law in ATTRIBUTES.items())
    duckdb.sql(f"""CREATE TABLE survey AS SELECT {columns} FROM
        read_csv('{path}', header = true, all_varchar = true, nullstr = '')""")
    marginals = []
    for clique in CLIQUES:
        names = ", ".join(clique)
        grouped = f"SELECT {names}, count(*) FROM survey GROUP BY {names} ORDER BY {names}"
        cells = duckdb.sql(grouped).fetchall()
        marginals.append({"attributes": clique, "cells": [list(cell) for cell in cells]})
    rows = duckdb.sql("SELECT count(*) FROM survey").fetchall()[0][0]
    head = {"source": SOURCE, "counted_by": f"DuckDB {duckdb.__version__}", "rows": rows, "nulls": [""]}
    write(HERE / "survey-2019-counts.json", {**head, "attributes": ATTRIBUTES}, marginals)


def write(path, head, marginals):
    """JSON with one marginal a line, so that a change can be read."""
    body = ",\n  ".join(json.dumps(marginal, separators=(",", ":")) for marginal in marginals)
    text = json.dumps(head, indent=1)[:-2] + f',\n "marginals": [\n  {body}\n ]\n}}\n'
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

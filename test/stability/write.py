"""Writes each table of a JSON list by each writer; prints the files, in base64, as JSON."""

import base64
import csv
import io
import json
import sys


def with_csv(columns, rows, **options):
    text = io.StringIO(newline="")
    writer = csv.writer(text, **options)
    writer.writerow(columns)
    writer.writerows(rows)
    return text.getvalue().encode("utf-8")


def with_pandas(columns, rows, **options):
    import pandas

    return pandas.DataFrame(rows, columns=columns, dtype=str).to_csv(index=False, **options).encode("utf-8")


WRITERS = {
    "csv": lambda *table: with_csv(*table),
    "csv with line feeds": lambda *table: with_csv(*table, lineterminator="\n"),
    "csv with all quotes": lambda *table: with_csv(*table, quoting=csv.QUOTE_ALL),
    "pandas": lambda *table: with_pandas(*table),
    "pandas for Windows": lambda *table: with_pandas(*table, lineterminator="\r\n"),
}

asked = json.load(sys.stdin)
if asked == "versions":
    import pandas

    print(json.dumps([sys.version.split()[0], pandas.__version__]))
else:
    files = {
        name: [base64.b64encode(write(asked["columns"], rows)).decode("ascii") for rows in asked["tables"]]
        for name, write in WRITERS.items()
    }
    print(json.dumps(files))

"""highspy: HiGHS natively, on the problem that a Node process makes; the model is there before the clock starts."""

import json
import os
import subprocess

from serve import serve

# After so many seconds it is stopped, and that is its time.
LIMIT = 600.0

MAKE = """
import {{ linear, queries }} from "{module}";
const task = linear({rows}, {cells});
process.stdout.write(JSON.stringify({{ rows: task.columns[0].length, queries: queries(task) }}));
"""


def prepare(task):
    import highspy
    import numpy

    module = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib", "linear.mjs")
    code = MAKE.format(module=f"file://{module}", **{key: task[key] for key in ("rows", "cells")})
    made = json.loads(subprocess.check_output(["node", "--input-type=module", "--eval", code]))
    rows, queries = made["rows"], made["queries"]
    cells = len(queries)
    inf = highspy.kHighsInf
    columns = [[] for _ in range(rows)]
    for i, query in enumerate(queries):
        for row in query["rows"]:
            columns[row].append(i)
    start, index, value = [], [], []
    for column in columns:
        start.append(len(index))
        index += [*column, cells]
        value += [1.0] * (len(column) + 1)
    for sign in (1.0, -1.0):
        for i in range(cells):
            start.append(len(index))
            index.append(i)
            value.append(sign)
    start.append(len(index))
    answers = numpy.array([query["answer"] for query in queries] + [1.0])
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = rows + 2 * cells, cells + 1
    model.col_cost_ = numpy.concatenate([numpy.zeros(rows), numpy.ones(2 * cells)])
    model.col_lower_ = numpy.zeros(rows + 2 * cells)
    model.col_upper_ = numpy.full(rows + 2 * cells, inf)
    model.row_lower_ = model.row_upper_ = answers
    model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    model.a_matrix_.start_, model.a_matrix_.index_, model.a_matrix_.value_ = start, index, value

    def solve():
        highs = highspy.Highs()
        for name, setting in {
            "output_flag": False,
            "threads": 1,
            "solver": "ipm",
            "run_crossover": "off",
            "ipm_optimality_tolerance": 1e-5,
            "time_limit": LIMIT,
        }.items():
            highs.setOptionValue(name, setting)
        highs.passModel(model)
        highs.run()
        return highs.getInfo().objective_function_value

    from importlib.metadata import version

    return {"highspy": version("highspy")}, solve, lambda value: value, lambda value: int(value >= 0)


serve(prepare)

"""The Python side of lib/serve.mjs: a line of JSON in, a line of JSON out."""

import json
import platform
import sys
import time


class Missing(Exception):
    """A contender that cannot take part, and why."""


def say(message):
    print(json.dumps(message), flush=True)


def serve(prepare):
    """Serves a contender: `prepare(task)` gives (versions, count, flat, total)."""
    try:
        versions, count, flat, total = prepare(json.loads(sys.argv[-1]))
    except ModuleNotFoundError as missing:
        say({"missing": f"Python has no module {missing.name}"})
        return
    except Missing as missing:
        say({"missing": str(missing)})
        return
    say({"ready": {"python": platform.python_version(), **versions}})
    for line in sys.stdin:
        if json.loads(line)["do"] == "answer":
            say({"answer": flat(count())})
            continue
        start = time.perf_counter_ns()
        answers = count()
        nanoseconds = time.perf_counter_ns() - start
        say({"nanoseconds": nanoseconds, "total": total(answers)})


def pairs(count):
    """Every pair of columns, in the order of the answers."""
    return [(a, b) for a in range(count) for b in range(a + 1, count)]

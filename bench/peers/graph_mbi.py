"""mbi's mirror descent, which goes on for a number of iterations. What it compiles is compiled before it is timed."""

import json
import os
from importlib.metadata import version

from serve import serve


def prepare(task):
    import jax
    import mbi
    import numpy
    from mbi import estimation

    with open(os.path.join(task["folder"], "measurements.json")) as file:
        about = json.load(file)
    values = numpy.fromfile(os.path.join(task["folder"], "measurements.f32"), dtype=numpy.float32)
    sizes, at, measured = about["domain"], 0, []
    for one in about["measurements"]:
        clique = tuple(one["clique"])
        size = int(numpy.prod([sizes[name] for name in clique]))
        measured.append(mbi.LinearMeasurement(values[at : at + size], clique, 50.0))
        at += size
    domain = mbi.Domain(tuple(sizes), tuple(sizes.values()))
    loss = mbi.marginal_loss.from_linear_measurements(measured, domain)
    descent = estimation.MirrorDescent()

    def run():
        model = descent.estimate(domain, loss, 48_842.0, iters=task["iterations"])
        return float(loss(jax.block_until_ready(model.marginals)))

    versions = {"mbi": version("mbi"), "jax": jax.__version__}
    return versions, run, lambda end: end, lambda end: int(end <= task["until"])


serve(prepare)

"""OpenDP: its vectorised integer noise, added to as many zeros, as its Python users call it."""

from serve import serve


def prepare(task):
    from importlib.metadata import version

    import numpy
    import opendp.prelude as dp

    dp.enable_features("contrib")
    draws, scale = task["draws"], float(task["scale"])
    domain = dp.vector_domain(dp.atom_domain(T="i64"), size=draws)
    # For a Gaussian law the scale is σ, for a Laplace law b.
    if task["law"] == "gaussian":
        noise = dp.m.make_gaussian(domain, dp.l2_distance(T="f64"), scale=scale)
    else:
        noise = dp.m.make_laplace(domain, dp.l1_distance(T="i64"), scale=scale)
    zeros = numpy.zeros(draws, dtype=numpy.int64)

    def draw():
        return noise(zeros)

    # Noise has no expected sum: what can be checked is that all of it was drawn.
    return {"opendp": version("opendp")}, draw, list, len


serve(prepare)

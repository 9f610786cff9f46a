"""OpenDP: its noisy maximum over scores that are there already, as its Python users call it."""

from fractions import Fraction

from serve import serve


def prepare(task):
    from importlib.metadata import version

    import numpy
    import opendp.prelude as dp

    dp.enable_features("contrib")
    candidates, epsilon = task["candidates"], float(Fraction(task["epsilon"]))
    if task["ascending"]:
        scores = numpy.arange(candidates, dtype=numpy.float64)
    else:
        generator = numpy.random.default_rng(7)
        sizes = 1000 * generator.random(candidates) ** 4
        scores = numpy.abs(numpy.sqrt(sizes) * (generator.random(candidates) - 0.5))
    space = dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.linf_distance(T=float)
    noisy_max = dp.m.make_noisy_max(*space, dp.max_divergence(), scale=2 / epsilon)
    listed = scores.tolist()

    def choose():
        assert 0 <= noisy_max(listed) < candidates
        return candidates

    # What is selected is random: what can be checked is that all took part.
    return {"opendp": version("opendp")}, choose, lambda total: [total], lambda total: total


serve(prepare)

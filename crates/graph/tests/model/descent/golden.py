"""Makes golden.json: losses and marginals of two small cases by mbi 2.0.0, in double precision. `pip install mbi==2.0.0`, then
`python golden.py > golden.json` in this folder."""

import importlib.metadata
import json

import jax

jax.config.update("jax_enable_x64", True)
import numpy as np
from mbi import Domain, LinearMeasurement, estimation

TOTAL = 1000.0


def case(sizes, measured, seed):
    """Noisy counts of cliques, or prefix sums of them, from a random table."""
    random = np.random.default_rng(seed)
    names = [chr(ord("a") + i) for i in range(len(sizes))]
    truth = random.gamma(1.0, size=sizes)
    truth *= TOTAL / truth.sum()
    measurements, written = [], []
    for clique, sigma, prefix in measured:
        counts = truth.sum(axis=tuple(i for i in range(len(sizes)) if i not in clique)).flatten()
        query = np.tril(np.ones((counts.size, counts.size))) if prefix else np.eye(counts.size)
        values = np.round(query @ counts + sigma * random.standard_normal(counts.size), 3)
        measurements.append(
            LinearMeasurement(
                values, tuple(names[i] for i in clique), sigma, lambda f, query=query: query @ f.datavector()
            )
        )
        written.append({"clique": clique, "sigma": sigma, "prefix": prefix, "values": values.tolist()})
    domain = Domain(names, sizes)
    model = estimation.MirrorDescent().estimate(domain, measurements, TOTAL, iters=20_000)
    loss = 0.0
    for one, own in zip(measurements, written):
        counts = np.array(model.project(one.clique).datavector())
        own["marginal"] = counts.tolist()
        loss += 0.5 * float((((one.query(model.project(one.clique)) - one.noisy_measurement) / one.stddev) ** 2).sum())
    return {"sizes": sizes, "total": TOTAL, "loss": loss, "measurements": written}


CASES = [
    case([3, 2, 4], [([0, 1], 5.0, False), ([1, 2], 8.0, False), ([2], 6.0, True)], 1),
    case([2, 3, 4, 3], [([0, 1], 4.0, False), ([1, 2], 4.0, False), ([2, 3], 10.0, False), ([0, 3], 4.0, False)], 2),
]
print(json.dumps({"mbi": importlib.metadata.version("mbi"), "cases": CASES}))

"""One release of a coded table by another package: a task as JSON is the argument, what it took the last line that is written.

mbi's mechanisms are no part of its package: MBI_MECHANISMS is the folder `mechanisms` of a checkout of private-pgm, of mbi's version.
All values are codes of the declared domain, so that nobody pays for finding it; all settings are each package's own.
"""

import itertools
import json
import os
import resource
import sys
import time
from importlib.metadata import version

import pandas as pd

task = json.loads(sys.argv[1])
table = pd.read_csv(task["codes"])
sizes, epsilon, delta = task["sizes"], task["epsilon"], task["delta"]


def of_mbi(name):
    sys.path.insert(0, os.environ["MBI_MECHANISMS"])
    import numpy

    numpy.random.seed()
    from mbi import Dataset, Domain

    data = Dataset(table, Domain(list(sizes), list(sizes.values())))

    def aim():
        from aim import AIM

        pairs = [pair for pair in itertools.combinations(data.domain, 2) if data.domain.size(pair) <= 10_000]
        return AIM(epsilon, delta).run(data, [(pair, 1.0) for pair in pairs])[1].df

    def mst():
        from mst import MST

        return MST(data, epsilon, delta).df

    return {"aim": aim, "mst": mst}[name]


def of_dpmm(name):
    from dpmm.pipelines import PIPELINE_DICT

    def run():
        pipe = PIPELINE_DICT[name](epsilon=epsilon, delta=delta, disable_processing=True, n_jobs=1)
        pipe.fit(table, domain=sizes)
        return pipe.generate(n_records=len(table))

    return run


def of_smartnoise(name):
    from snsynth import Synthesizer
    from snsynth.transform import LabelTransformer, TableTransformer

    # Each code once, so that transformers know the domain and pay nothing.
    def transformer(size):
        made = LabelTransformer(nullable=False)
        made.fit(list(range(size)))
        return made

    def run():
        made = Synthesizer.create(name, epsilon=epsilon, delta=delta)
        known = TableTransformer([transformer(size) for size in sizes.values()])
        return made.fit_sample(table, transformer=known)

    return run


package, name = task["contender"].split(" ")
prepared = {"mbi": of_mbi, "dpmm": of_dpmm, "smartnoise-synth": of_smartnoise}[package](name)
begun = time.process_time()
found = prepared()
seconds = time.process_time() - begun
pd.DataFrame(found)[list(sizes)].astype(int).to_csv(task["out"], index=False)
used = resource.getrusage(resource.RUSAGE_SELF)
print(json.dumps({"seconds": seconds, "bytes": used.ru_maxrss * 1024, "version": version(package)}))

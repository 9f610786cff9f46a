"""polars: one group_by for each pair."""

from serve import pairs, serve


def prepare(task):
    import numpy
    import polars

    sizes = task["sizes"]
    table = numpy.fromfile(task["columns"], dtype=numpy.uint8).reshape(len(sizes), -1)
    frame = polars.DataFrame({f"a{i}": column for i, column in enumerate(table)})

    def count():
        return [(a, b, frame.group_by(f"a{a}", f"a{b}").len()) for a, b in pairs(len(sizes))]

    def flat(answers):
        cells = []
        for a, b, counts in answers:
            array = numpy.zeros((sizes[a], sizes[b]), dtype=int)
            array[counts[f"a{a}"], counts[f"a{b}"]] = counts["len"]
            cells.extend(array.ravel().tolist())
        return cells

    def total(answers):
        return int(sum(counts["len"].sum() for _, _, counts in answers))

    versions = {"polars": polars.__version__, "numpy": numpy.__version__}
    return versions, count, flat, total


serve(prepare)

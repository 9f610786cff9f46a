"""Amounts, sensitivities, costs and conversions computed by others, for the tests of both accounts.

    python -m pip install mpmath dp-accounting opendp
    python test/golden/make_accounting.py

Exact amounts come from Python's fractions; sensitivities from going through all neighbours of tiny tables;
conversions from mpmath at 50 digits, and beside them what opendp and dp-accounting say.
"""

import json
import random
from fractions import Fraction
from itertools import combinations_with_replacement, product
from pathlib import Path

import mpmath
import opendp.prelude as dp
from dp_accounting import dp_event
from dp_accounting.rdp import RdpAccountant

dp.enable_features("contrib")
mpmath.mp.dps = 50
HERE = Path(__file__).parent
rng = random.Random(4)


def texts():
    pairs = ["0", "1", "0.1", "1e-9", "2.5E+3", "1/3", "10/100", "-0.25", "-7/14", "0.30000000000000004",
             "123456789012345678901234567890", "1e300", "00012.500"]
    read = [{"text": text, "ratio": str(Fraction(text))} for text in pairs]
    refused = ["", "1/0", "1/-2", "-", ".5", "5.", "1e", "1e1000000", "0x10", "1_000", " 1", "1 ", "+1", "1/2/3",
               "NaN", "Infinity", "1.2/3", "٣", "--1", "1e5.5", "1.-5", "1,5"]
    return {"read": read, "refused": refused}


def shown(value, up):
    """Twelve digits where they are exact, else six, rounded; by decimal strings rather than logarithms."""
    if value < 0:
        return "-" + shown(-value, not up)
    if value == 0:
        return "0"
    exponent = 0
    while value >= Fraction(10) ** (exponent + 1):
        exponent += 1
    while value < Fraction(10) ** exponent:
        exponent -= 1
    scaled = value * Fraction(10) ** (11 - exponent)
    if scaled.denominator != 1:
        scaled = value * Fraction(10) ** (5 - exponent)
        whole = -(-scaled.numerator // scaled.denominator) if up else scaled.numerator // scaled.denominator
        value = whole * Fraction(10) ** (exponent - 5)
        exponent += whole == 10 ** 6
    digits = str(int(value * Fraction(10) ** (11 - exponent))).rstrip("0")
    if exponent < -7 or exponent >= 15:
        return digits[0] + ("." + digits[1:] if digits[1:] else "") + f"e{exponent}"
    if exponent < 0:
        return "0." + "0" * (-exponent - 1) + digits
    digits = digits.ljust(exponent + 1, "0")
    return digits[:exponent + 1] + ("." + digits[exponent + 1:] if digits[exponent + 1:] else "")


def shows():
    values = ["0", "1", "1/3", "2/3", "1/10", "999999/1000000", "9999995/10000000", "99999999999999/100000000000000",
              "1/1000000000", "1/30000000", "123456789012", "1234567890123456", "1234567890123456789/7", "-1/3",
              "100000", "12345678/100", "1/12345678", "999999999999999", "1000000000000000"]
    values += [str(Fraction(rng.randrange(1, 10 ** rng.randrange(1, 20)), rng.randrange(1, 10 ** rng.randrange(1, 20))))
               for _ in range(60)]
    return [{"ratio": v, "up": shown(Fraction(v), True), "down": shown(Fraction(v), False)} for v in values]


# ---- sensitivities -------------------------------------------------------------------------------------------

ROWS = list(product(range(2), range(3)))  # two attributes, with two and three values


def cell(row, clique):
    index = 0
    for attribute in clique:
        index = index * (2, 3)[attribute] + row[attribute]
    return index


def size(clique):
    cells = 1
    for attribute in clique:
        cells *= (2, 3)[attribute]
    return cells


def histogram(rows, clique):
    counts = [0] * size(clique)
    for row in rows:
        counts[cell(row, clique)] += 1
    return counts


def units(k):
    """All multisets of up to k rows."""
    return [unit for rows in range(k + 1) for unit in combinations_with_replacement(ROWS, rows)]


def brute(answer, k, relation):
    """The largest L1 and squared L2 distance of answers between neighbours; other units' rows cancel, one is there."""
    other = [(0, 1)]
    answers = [answer(other + list(unit)) for unit in units(k)]
    pairs = ((a, b) for a in answers for b in answers) if relation == "replace" else ((a, answers[0]) for a in answers)
    l1 = l2 = 0
    for a, b in pairs:
        changes = [x - y for x, y in zip(a, b)]
        l1 = max(l1, sum(map(abs, changes)))
        l2 = max(l2, sum(x * x for x in changes))
    return l1, l2


def apply(matrix, counts):
    return [sum(w * c for w, c in zip(row, counts)) for row in matrix]


def sensitivities():
    found = []

    def add(query, answer):
        for relation in ("add-remove", "replace"):
            for k in (1, 2, 3):
                l1, l2 = brute(answer, k, relation)
                found.append({"query": query, "rows": k, "relation": relation, "l1": str(l1), "l2Squared": str(l2)})

    for cliques in ([(0,)], [(0, 1)], [(0,), (1,)], [(0, 1), (1,), (0,)], [(1,), (1,), (0, 1), (1, 0)]):
        add({"type": "marginals", "count": len(cliques)},
            lambda rows: [c for clique in cliques for c in histogram(rows, clique)])
    # One marginal in every group of the first attribute.
    add({"type": "marginals", "count": 1},
        lambda rows: [c for g in range(2) for c in histogram([r for r in rows if r[0] == g], (1,))])
    add({"type": "count", "groups": False}, lambda rows: [sum(1 for r in rows if r[1] == 2)])
    add({"type": "count", "groups": True}, lambda rows: [sum(1 for r in rows if r[0] == g) for g in range(2)])
    matrices = [
        [[1, 1, 1]],
        [[1, 0, 0], [1, 1, 0], [1, 1, 1]],
        [[1, -1, 0], [0, 1, -1]],
        [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
        [[3, -2, 0], [0, 5, -7]],
        [[-4, -4, -4], [1, 2, 3]],
        [[0, 0, 0]],
        [[1, 1, 0], [0, 1, 1]],
    ]
    for matrix in matrices:
        query = {"type": "linear", "columns": 3, "values": [w for row in matrix for w in row]}
        add({**query, "groups": False}, lambda rows: apply(matrix, histogram(rows, (1,))))
        add({**query, "groups": True},
            lambda rows: [x for g in range(2) for x in apply(matrix, histogram([r for r in rows if r[0] == g], (1,)))])
    wide = [[1, 1, 1, 0, 0, 0], [0, 0, 1, 1, -1, 2]]
    add({"type": "linear", "columns": 6, "values": [w for row in wide for w in row], "groups": False},
        lambda rows: apply(wide, histogram(rows, (0, 1))))
    return found


def costs():
    found = []
    for l1, l2, scale in [(1, 1, "1"), (6, 12, "1/3"), (190, 190, "12345/678"), (0, 0, "2"), (7, 49, "1000000007/3")]:
        b = Fraction(scale)
        epsilon = Fraction(l1) / b
        found.append({"l1": l1, "l2Squared": l2, "scale": scale,
                      "laplace": {"epsilon": str(epsilon), "rho": str(epsilon ** 2 / 2)},
                      "gaussian": {"rho": str(Fraction(l2) / (2 * b))},
                      "exponential": {"epsilon": str(b), "rho": str(b ** 2 / 8)},
                      "permuteAndFlip": {"epsilon": str(b), "rho": str(b ** 2 / 2)}})
    return found


# ---- conversions ---------------------------------------------------------------------------------------------

def bisect(low, high, below):
    """In logarithms, to 30 digits."""
    low, high = mpmath.log(low), mpmath.log(high)
    for _ in range(110):
        middle = (low + high) / 2
        low, high = (middle, high) if below(mpmath.exp(middle)) else (low, middle)
    return mpmath.exp(low)


def true_delta(rho, epsilon):
    """The least over orders of the bound, stated as in the paper."""
    def slope(a):
        return (2 * a + 1) * rho - epsilon + mpmath.log(a / (1 + a))
    a = bisect(mpmath.mpf("1e-60"), mpmath.mpf("1e40"), lambda a: slope(a) < 0)
    alpha = 1 + a
    return mpmath.exp(a * (alpha * rho - epsilon) + alpha * mpmath.log(a / alpha) - mpmath.log(a))


def true_epsilon(rho, delta):
    return bisect(mpmath.mpf("1e-13"), mpmath.mpf("1e4"), lambda epsilon: true_delta(rho, epsilon) > delta)


def true_rho(epsilon, delta):
    return bisect(mpmath.mpf("1e-25"), mpmath.mpf("1e4"), lambda rho: true_delta(rho, epsilon) < delta)


def by_opendp(rho, delta):
    gaussian = dp.m.make_gaussian(dp.atom_domain(T=int), dp.absolute_distance(T=int), scale=float((1 / (2 * rho)) ** 0.5))
    try:
        return dp.c.make_zCDP_to_approxDP(gaussian).map(1).epsilon(float(delta))
    except dp.OpenDPException:  # its arithmetic overflows for very small and very large ρ
        return None


def by_dp_accounting(rho, delta):
    orders = [1 + 10 ** (i / 400) for i in range(-1200, 2400)]
    accountant = RdpAccountant(orders)
    accountant.compose(dp_event.ZCDpEvent(float(rho)))
    return float(accountant.get_epsilon(float(delta)))


def text(x):
    return mpmath.nstr(x, 25, strip_zeros=False)


def conversions():
    """From ε and δ to ρ, back, and to δ; ε over [1e-3, 1e2]."""
    found = []
    epsilons = ["1e-3", "0.01", "0.1", "0.25", "0.5", "1", "2", "3.7", "10", "31.6", "100"]
    deltas = ["1e-2", "1e-6", "1e-10", "3.45e-11", "1e-40", "0.3"]
    for epsilon, delta in product(epsilons, deltas):
        e, d = mpmath.mpf(epsilon), mpmath.mpf(delta)
        rho = true_rho(e, d)
        given = mpmath.nstr(rho, 6)  # what the ways back start from
        back = true_epsilon(mpmath.mpf(given), d)
        found.append({
            "epsilon": epsilon, "delta": delta, "rho": text(rho), "givenRho": given, "epsilonOfRho": text(back),
            "deltaOfRho": text(true_delta(mpmath.mpf(given), e)),
            "opendpEpsilon": by_opendp(mpmath.mpf(given), d),
            "dpAccountingEpsilon": by_dp_accounting(mpmath.mpf(given), d)})
    return found


def advantages():
    """tanh(ε/2), and for ρ the largest t = p − q with both binary divergences at most ρ, searched over p and q."""
    found = []
    for amount in ["1e-6", "0.001", "0.0243559704", "0.1", "0.5", "1", "2", "5", "20"]:
        x = mpmath.mpf(amount)
        t = bisect(mpmath.mpf("1e-12"), mpmath.mpf(1), lambda t: t * mpmath.log((1 + t) / (1 - t)) < x)
        found.append({"amount": amount, "pure": text(mpmath.tanh(x / 2)), "zcdp": text(t),
                      "searched": searched_advantage(float(x))})
    return found


def searched_advantage(rho, steps=400):
    """The largest p − q on a grid of which no Rényi divergence (eight orders, both ways) exceeds αρ."""
    from math import log
    orders = [1.0001, 1.1, 1.5, 2, 4, 8, 32, 128]
    best = 0.0

    def allowed(p, q, alpha):
        with_zero = p ** alpha * q ** (1 - alpha) + (1 - p) ** alpha * (1 - q) ** (1 - alpha)
        return log(with_zero) <= alpha * (alpha - 1) * rho

    for i in range(1, steps):
        q = i / steps
        for j in range(i + 1, steps):
            p = j / steps
            if p - q <= best:
                continue
            try:
                if all(allowed(p, q, a) and allowed(q, p, a) for a in orders):
                    best = p - q
                else:
                    break
            except OverflowError:
                break
    return best


if __name__ == "__main__":
    out = {
        "texts": texts(), "shown": shows(), "sensitivities": sensitivities(), "costs": costs(),
        "conversions": conversions(), "advantages": advantages(),
    }
    lines = ",\n".join(
        f'"{key}": ' + (json.dumps(value) if isinstance(value, dict)
                        else "[\n" + ",\n".join(json.dumps(one) for one in value) + "\n]")
        for key, value in out.items())
    (HERE / "accounting.json").write_text("{\n" + lines + "\n}\n")

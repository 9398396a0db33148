"""How large a share of harm may still be, given how often none was found."""

import math

CONFIDENCE = 0.95
# The bound is halved until it stands to this; shown with two decimals of a percent.
PRECISION = 1e-9


def find_upper_bound(*, cases: int, harms: int) -> float:
    """The exact one-sided 95 % upper bound of the harm rate; 1 where there is nothing to go by.

    C. J. Clopper and E. S. Pearson, "The use of confidence or fiducial limits illustrated in the case of the
    binomial", Biometrika 26 (1934), 404-413: the rate at which so few harms in so many cases would be seen in only
    one sample of twenty. Without harm it is 1 - 0.05 ** (1 / cases), close to the "rule of three", 3 / cases.
    """
    if not 0 <= harms <= cases:
        raise ValueError("there are more harms than cases, or fewer than none")
    if harms == cases:
        return 1.0
    low, high = harms / cases, 1.0
    while high - low > PRECISION:
        middle = (low + high) / 2
        if _chance_of_at_most(harms, cases, middle) > 1 - CONFIDENCE:
            low = middle
        else:
            high = middle
    return high


def _chance_of_at_most(harms: int, cases: int, rate: float) -> float:
    """The binomial distribution, summed over logarithms: powers of a small rate would vanish."""
    if rate <= 0:
        return 1.0
    if rate >= 1:
        return 0.0
    return math.fsum(
        math.exp(
            math.lgamma(cases + 1)
            - math.lgamma(count + 1)
            - math.lgamma(cases - count + 1)
            + count * math.log(rate)
            + (cases - count) * math.log1p(-rate)
        )
        for count in range(harms + 1)
    )

"""Differences of reciprocal ranks, by hand, at random and as Hypothesis likes them."""

import numpy as np
from hypothesis import strategies as st

# of reciprocal ranks, with repeated sizes and a zero
SIX = np.array([1 / 2, 1 / 6, 1 / 3, -1 / 6, 1 / 12, 1 / 2])
some_differences = st.lists(
    st.integers(-6, 6).map(lambda sixths: sixths / 6), min_size=1, max_size=12
).map(np.array)


def simulated(n, seed=0):
    rng = np.random.default_rng(seed)
    first = 1 / rng.geometric(0.3, n)
    return first - np.where(rng.random(n) < 0.5, first, 1 / rng.geometric(0.25, n))

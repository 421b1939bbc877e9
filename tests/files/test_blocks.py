"""Work on every core: in order, with what goes wrong at its turn."""

import threading
import time

import pyarrow as pa
import pytest
from needs import THREADS

from byhand.parallel import in_threads


@pytest.fixture(params=[1, *(pytest.param(n, marks=THREADS) for n in (2, 5))])
def threads(request):
    before = pa.cpu_count()
    pa.set_cpu_count(request.param)
    yield request.param
    pa.set_cpu_count(before)


def test_results_come_in_the_order_of_the_pieces(threads):
    def slow_at_first(piece):
        time.sleep(0.002 * (10 - piece))
        return piece, threading.current_thread()

    found = list(in_threads(slow_at_first, range(10)))
    assert [piece for piece, _ in found] == list(range(10))
    assert len({thread for _, thread in found}) == threads


def test_only_a_few_pieces_are_under_way(threads):
    taken = []
    found = in_threads(len, (taken.append(n) or "x" * n for n in range(100)))
    next(found)
    assert len(taken) <= threads + 2
    found.close()


def test_what_goes_wrong_comes_at_its_turn(threads):
    def refuse(piece):
        if piece > 2:
            raise ValueError(piece)
        return piece

    found = in_threads(refuse, range(20))
    assert [next(found) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(ValueError, match=r"^3$"):
        next(found)

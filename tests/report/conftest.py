"""What the tests of several steps share."""

import pytest
from IPython.utils.capture import capture_output
from small_runs import NEW, OLD, QRELS

from byhand.report.steps import read_own_data, results_of


@pytest.fixture(scope="module")
def sample():
    with capture_output():
        data = read_own_data(NEW, QRELS, OLD)
    return results_of(data, ["nDCG@10", "AP", "RR"])

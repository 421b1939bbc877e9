"""What the tests of several parts share."""

import pytest
from small_runs import NEW, OLD, QRELS

from byhand import report


@pytest.fixture(scope="session")
def sample():
    """The report on the sample; nothing changes it."""
    return report([NEW, OLD], QRELS, measures=["nDCG@10", "AP", "RR"])

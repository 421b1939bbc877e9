"""What a few tests need of the libraries: skipped, with the reason, with older ones."""

import pandas as pd
import pyarrow as pa
import pytest

TEXT_BY_ARROW = pytest.mark.skipif(
    int(pd.__version__.split(".")[0]) < 3 or int(pa.__version__.split(".")[0]) < 20,
    reason="text takes more memory with this pandas and this pyarrow",
)

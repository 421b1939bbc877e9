"""What a few tests need of the system they run on: left out, with the reason, where it is not."""

import sys

import pandas as pd
import pyarrow as pa
import pytest

_BROWSER = sys.platform == "emscripten"  # Python in a browser, or in Node: make test-pyodide

PROCESSES = pytest.mark.skipif(_BROWSER, reason="there are no processes here")
THREADS = pytest.mark.skipif(_BROWSER, reason="there are no threads here")
SYSTEM = pytest.mark.skipif(_BROWSER, reason="there are no pipes, devices and links here")
MANY_SAMPLES = pytest.mark.skipif(_BROWSER, reason="thousands of samples say the same there")
STACK = pytest.mark.skipif(_BROWSER, reason="so deep a recursion ends a browser's Python")
TEXT_BY_ARROW = pytest.mark.skipif(
    int(pd.__version__.split(".")[0]) < 3 or int(pa.__version__.split(".")[0]) < 20,
    reason="text takes more memory with this pandas and this pyarrow",
)

"""The face of the package: what it offers, and what importing it costs."""

import subprocess
import sys

import pytest

import helpers


def run_python(code):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_importing_it_loads_no_heavy_library():
    heavy = {"scipy", "matplotlib", "pyarrow", "ipywidgets", "anywidget", "IPython"}
    code = f"""
import sys, pandas  # pandas itself loads pyarrow where it finds it
before = set(sys.modules)
import helpers
print(*sorted({heavy} & (set(sys.modules) - before)))
"""
    assert run_python(code) == []


def test_importing_it_takes_less_than_a_second():
    code = """
import pandas, time
start = time.perf_counter()
import helpers
print(time.perf_counter() - start)
"""
    assert min(float(run_python(code)[0]) for _ in range(2)) < 1


def test_it_works_without_pyarrow():
    code = """
import sys
sys.modules["pyarrow"] = None
import pandas as pd
from helpers import evaluate
run = pd.DataFrame({"query_id": ["q", "q"], "doc_id": ["a", "b"], "score": [1, 1]})
qrels = pd.DataFrame({"query_id": ["q"], "doc_id": ["a"], "relevance": [1]})
print(run["doc_id"].dtype, *evaluate(run, qrels, "RR")["RR"])
"""
    dtype, value = run_python(code)
    assert dtype in ("str", "object")
    assert float(value) == 1 / 2


@pytest.mark.parametrize("name", helpers.__all__)
def test_every_public_name_is_there_and_says_what_it_is(name):
    thing = getattr(helpers, name)
    assert name == "PRESETS" or thing.__doc__

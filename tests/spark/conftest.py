"""One Spark for all tests here, real PySpark in local mode; or why they are left out."""

import os
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

HERE = Path(__file__).parent
MISSING = (
    "There is no {what} here, so the tests with Spark ({n}) were left out. To have them, install "
    "Java 17 (Debian, Ubuntu: apt-get install openjdk-17-jre-headless) and run make test SPARK=yes."
)
_left_out = pytest.StashKey[int]()


def _missing() -> str:
    found = {"Java": shutil.which("java") or os.environ.get("JAVA_HOME"), "PySpark": _pyspark()}
    return " and no ".join(name for name, there in found.items() if not there)


def _pyspark() -> bool:
    return find_spec("pyspark") is not None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave them out where nothing can run them, except where they were asked for: they fail."""
    if not _missing() or os.environ.get("SPARK"):
        return
    ours = [item for item in items if HERE in item.path.parents]
    config.stash[_left_out] = len(ours)
    config.hook.pytest_deselected(items=ours)
    items[:] = [item for item in items if item not in ours]


def pytest_terminal_summary(terminalreporter, config: pytest.Config) -> None:
    """Say once what was left out, and how to have it."""
    if n := config.stash.get(_left_out, 0):
        terminalreporter.write_line(MISSING.format(what=_missing(), n=n), yellow=True)


@pytest.fixture(scope="session")
def spark():
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # or it takes the first in the path
    from pyspark.sql import SparkSession

    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "4")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()

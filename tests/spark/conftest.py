"""One Spark for all tests here, real PySpark in local mode; or why they are left out."""

import os
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from left_out import leave_out

HERE = Path(__file__).parent
MISSING = (
    "There is no {what} here, so the tests with Spark ({n}) were left out. To have them, install "
    "Java 17 (Debian, Ubuntu: apt-get install openjdk-17-jre-headless) and run make test SPARK=yes."
)


def _missing() -> str:
    found = {"Java": shutil.which("java") or os.environ.get("JAVA_HOME"), "PySpark": _pyspark()}
    return " and no ".join(name for name, there in found.items() if not there)


def _pyspark() -> bool:
    return find_spec("pyspark") is not None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave them out where nothing can run them, except where they were asked for: they fail."""
    if (missing := _missing()) and not os.environ.get("SPARK"):
        leave_out(items, HERE, MISSING.replace("{what}", missing))


@pytest.fixture(scope="session")
def spark():
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # or it takes the first in the path
    from pyspark.sql import SparkSession

    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "4")
        .config("spark.driver.maxResultSize", "6m")  # answers fit into it, and rows do not
        # its queries are small and many: to compile them twice, the second time well, is a loss
        .config("spark.driver.extraJavaOptions", "-XX:TieredStopAtLevel=1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()

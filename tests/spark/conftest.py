"""One Spark session for all tests of this folder; `make spark` has the environment for it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

LOOPBACK = {
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.ui.enabled": "false",
    "spark.driver.memory": "2g",
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.session.timeZone": "UTC",
}


def has_java() -> bool:
    """Whether the Java that Spark would start is of version 17 or newer."""
    home = os.environ.get("JAVA_HOME")
    program = shutil.which(f"{home}/bin/java" if home else "java")
    if program is None:
        return False
    said = subprocess.run([program, "-version"], capture_output=True, text=True, check=False)
    version = re.search(r'version "(\d+)', said.stderr)
    return version is not None and int(version[1]) >= 17


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    try:
        import pyspark  # noqa: F401
    except ImportError:
        reason = "PySpark is not installed here: `make spark` has an environment for it"
    else:
        reason = "" if has_java() else "there is no Java 17 (JAVA_HOME or PATH): install a JRE"
    for item in items:
        if reason and "tests/spark/" in item.nodeid:
            item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[2]").appName("assay tests")
    for key, value in LOOPBACK.items():
        builder = builder.config(key, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()

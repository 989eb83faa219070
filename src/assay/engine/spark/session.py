"""A Spark session for the command line, and tables by path or by their name in the catalog."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from assay.core.errors import DataError, MissingExtra
from assay.engine.spark.frames import functions, plain_failures
from assay.formats.system_names import unique_names
from assay.formats.table_columns import find_columns

_PATH = re.compile(r"/|\\|\.(parquet|orc|csv|tsv|run|txt|gz|zst)$|^[a-z0-9]+://")
_ON_ONE_MACHINE = {
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.ui.enabled": "false",
    "spark.log.level": "ERROR",
}


def open_session(master: str | None = None, quiet: bool = False) -> Any:
    """Return the session that runs already or the configuration describes, else one of our own.

    ``master`` is that of Spark, such as ``yarn`` or ``local[4]``, or ``sc://host:port`` for
    Spark Connect.
    """
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise MissingExtra("PySpark", "spark") from None
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder: Any = SparkSession.builder.appName("assay")
    if master is not None and master.startswith("sc://"):
        builder = builder.remote(master)
    else:
        if master is not None:
            builder = builder.master(master)
        if master is None or master.startswith("local"):
            os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
            shown = str(sys.stderr.isatty() and not quiet).lower()
            settings = {**_ON_ONE_MACHINE, "spark.ui.showConsoleProgress": shown}
            if master is None and "SPARK_REMOTE" in os.environ:
                settings = {}
            for key, value in settings.items():
                builder = builder.config(key, value)
    with plain_failures("Spark"):
        return builder.getOrCreate()


def read_spark_table(session: Any, name: str) -> Any:
    """Return a Spark frame by the path of a file or folder, or by a name in Spark's catalog.

    Parquet, ORC and tables with a header are recognized by the extension, other files are runs of
    TREC; a folder without one holds what its first file says, or Parquet.
    """
    plain = re.sub(r"\.(gz|zst|bz2)$", "", name)
    ending = Path(plain).suffix.casefold() or folder_ending(Path(name))
    with plain_failures(name):
        if not _PATH.search(name) and not Path(name).exists():
            return session.table(name)
        if ending == ".orc":
            return session.read.orc(name)
        if ending in (".csv", ".tsv"):
            separator = "\t" if ending == ".tsv" else ","
            return session.read.csv(name, header=True, sep=separator)
        if ending == ".parquet" or (not ending and plain == name) or Path(name).is_dir():
            return session.read.parquet(name)
        return _read_trec_run(session, name)


def folder_ending(folder: Path) -> str:
    """Return the extension of the files in a folder of this machine that Spark wrote, if any."""
    written = sorted(folder.glob("part-*")) if folder.is_dir() else []
    return Path(re.sub(r"\.(gz|zst|bz2)$", "", written[0].name)).suffix if written else ""


def read_runs(session: Any, names: Sequence[str]) -> Any:
    """Return runs by path or by name in the catalog, for ``run_rows``.

    A table without a column for the run, such as a run of TREC, is called by its file or table.
    """
    frames = {
        name: read_spark_table(session, path)
        for path, name in zip(names, unique_names(names), strict=True)
    }
    named = [name for name, each in frames.items() if "run" in find_columns(each.columns)]
    if not named:
        return frames
    run = functions().lit
    called = [
        each if name in named else each.withColumn("run", run(name))
        for name, each in frames.items()
    ]
    return called[0] if len(called) == 1 else called


def _read_trec_run(session: Any, path: str) -> Any:
    """Return query, document and score of a run of TREC, which is called by its file."""
    f = functions()
    lines = session.read.text(path).where(f.length(f.trim("value")) > 0)
    words = lines.select(f.split(f.trim("value"), r"\s+").alias("word"))
    broken = words.where(f.size("word") != 6).limit(1).collect()
    if broken:
        found = broken[0]["word"]
        raise DataError(
            f"{path}: expected 6 fields (query, Q0, document, rank, score, run), found {len(found)}"
            f" in the line of {' '.join(found[:3])}"
        )
    places = {"query": 0, "doc": 2, "score": 4}
    return words.select(*(f.col("word")[place].alias(name) for name, place in places.items()))

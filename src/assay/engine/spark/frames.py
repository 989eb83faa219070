"""Spark frames as inputs: recognized without importing Spark, with the columns that runs have."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from io import StringIO
from typing import Any

import polars as pl

from assay.core.errors import DataError, MissingExtra, UsageError
from assay.formats.spark_frames import is_spark_frame
from assay.formats.table_columns import find_columns

DEFAULT_RUN = "run"
"""The name of a run in a table without a column for it."""


def functions() -> Any:
    """Return Spark's functions on columns."""
    try:
        from pyspark.sql import functions
        from pyspark.sql.utils import is_remote
    except ImportError:
        raise MissingExtra("PySpark", "spark") from None
    if not is_remote():
        from pyspark import SparkContext

        if SparkContext._active_spark_context is None:
            raise DataError(_STOPPED)
    return functions


def run_rows(runs: Any) -> Any:
    """Return one Spark frame of all runs: run, query, doc, score, and the rank if all have one.

    ``runs`` is a frame, perhaps with a column for the run, a dict of name to frame, or a sequence.
    """
    if isinstance(runs, Mapping):
        frames = [_selected(frame, str(name)) for name, frame in runs.items()]
    elif is_spark_frame(runs):
        frames = [_selected(runs, None)]
    else:
        frames = [_selected(frame, None, place) for place, frame in enumerate(runs, 1)]
    if not frames:
        raise UsageError("there are no runs; give a Spark frame, or a dict of name to frame")
    shared = [name for name in frames[0].columns if all(name in frame.columns for frame in frames)]
    whole = frames[0].select(*shared)
    for frame in frames[1:]:
        whole = whole.unionByName(frame.select(*shared))
    return whole


def run_names(runs: Any) -> tuple[str, ...]:
    """Return the names of the runs in their order; nothing where a column has them."""
    if isinstance(runs, Mapping):
        return tuple(map(str, runs))
    if not is_spark_frame(runs) or "run" in find_columns(runs.columns):
        return ()
    return (DEFAULT_RUN,)


def _selected(frame: Any, name: str | None, place: int | None = None) -> Any:
    """Return the columns of runs under their declared names and types."""
    if not is_spark_frame(frame):
        raise UsageError(
            f"the runs are Spark frames and a {type(frame).__name__}; give all runs as Spark frames"
        )
    f = functions()
    found = find_columns(frame.columns)
    if "score" not in found and "rank" in found:
        score = -f.col(_quoted(found["rank"])).try_cast("double")
    elif "score" in found:
        score = f.col(_quoted(found["score"])).try_cast("double")
    else:
        score = None
    missing = [each for each in ("query", "doc") if each not in found]
    missing += ["score"] if score is None else []
    if missing or score is None:
        raise DataError(
            f"runs: no column for the {' and the '.join(missing)} among"
            f" {', '.join(frame.columns)}; expected are query, doc and score"
        )
    types = dict(frame.dtypes)
    for each in ("query", "doc"):
        if types[found[each]] in ("double", "float"):
            raise DataError(
                f"runs: the column '{found[each]}' has numbers with decimals as ids; cast it to"
                " text or to whole numbers"
            )
    run = f.lit(name if name is not None else f"{DEFAULT_RUN}{place or ''}")
    if name is None and "run" in found:
        run = f.col(_quoted(found["run"])).cast("string")
    columns = [
        run.alias("run"),
        *(f.col(_quoted(found[each])).cast("string").alias(each) for each in ("query", "doc")),
        score.alias("score"),
    ]
    if "rank" in found:
        columns.append(f.col(_quoted(found["rank"])).try_cast("bigint").alias("rank"))
    return frame.select(*columns)


def judgment_rows(judgments: Any) -> Any:
    """Return the columns of judgments under their declared names and types."""
    f = functions()
    found = find_columns(judgments.columns)
    missing = [each for each in ("query", "doc", "grade") if each not in found]
    if missing:
        raise DataError(
            f"judgments: no column for the {' and the '.join(missing)} among"
            f" {', '.join(judgments.columns)}; expected are query, doc and grade"
        )
    types = {"query": "string", "doc": "string", "grade": "double"}
    return judgments.select(
        *(f.col(_quoted(found[name])).try_cast(kind).alias(name) for name, kind in types.items())
    )


def _quoted(name: str) -> str:
    """Return the name of a column as Spark reads it, also with dots in it."""
    return "`" + name.replace("`", "``") + "`"


_STOPPED = "the session of Spark was stopped; start a new one, and read the tables in it again"
_LOST = {
    "SESSION_OR_CONTEXT_NOT_EXISTS": _STOPPED,
    "TABLE_OR_VIEW_NOT_FOUND": "there is neither such a file nor such a table in Spark's catalog;"
    " check the name, and the session or `--master` whose catalog has it",
    "PATH_ALREADY_EXISTS": "there is such a file or folder already; remove it, or choose another"
    " name",
    "PATH_NOT_FOUND": "there is no such file or folder; check the path",
    "maxResultSize": "the results are larger than the driver takes; raise"
    " spark.driver.maxResultSize, ask for fewer measures, or write the values to Parquet",
    "OutOfMemoryError": "a process of Spark ran out of memory; use more partitions, or raise"
    " spark.executor.memory",
    **dict.fromkeys(
        ("RETRIES_EXCEEDED", "StatusCode.UNAVAILABLE"),
        "the Spark Connect server cannot be reached or was lost; check that it runs, and run again",
    ),
    "Connection refused": "the driver of Spark is gone; start a new session and run again",
    "SparkContext was shut down": "the driver of Spark was stopped while it worked; start a new"
    " session and run again",
    "stopped SparkContext": "the Spark session is stopped; start a new one and run again",
    "Answer from Java side is empty": "the driver of Spark was lost; start a new session and run"
    " again",
    "ModuleNotFoundError: No module named 'assay'": "the Python of the executors does not have"
    " Assay. On one machine set the environment variable PYSPARK_PYTHON to sys.executable before"
    " the session starts; on a cluster install Assay, or ship an environment with spark.archives",
    "PYTHON_VERSION_MISMATCH": "driver and executors have different versions of Python; set"
    " PYSPARK_PYTHON to the same one before the session starts",
    "TaskResultLost": "a part of the results was lost on its way to the driver; run again, with"
    " more memory for the driver (spark.driver.memory) if it happens again",
}
"""What a message of Spark means for the user; the first that fits is said."""
_NO_ANSWER = re.compile(r"Py4JError: An error occurred while calling \S+")
"""A call that Java did not answer, without a trace: the process has ended."""
_CAUSE = re.compile(r"^Caused by: [\w.$]+: (.+)$", re.MULTILINE)
_OWN_ERROR = re.compile(r"^assay\.core\.errors\.\w+: (.+)$", re.MULTILINE)
"""An error of this package in the traceback of an executor."""


@contextmanager
def plain_failures(what: str) -> Iterator[None]:
    """Say what a failure of Spark means; other errors pass."""
    try:
        yield
    except Exception as failure:
        if not _is_of_spark(failure):
            raise
        text = f"{type(failure).__name__}: {failure}"
        if _NO_ANSWER.fullmatch(text):
            text = "Answer from Java side is empty"
        meaning = next((said for word, said in _LOST.items() if word in text), None)
        if own := _OWN_ERROR.search(text):
            raise DataError(own[1]) from failure
        raise DataError(f"{what}: {meaning or f'Spark failed: {_reason(text)}'}") from failure


def _reason(text: str) -> str:
    """Return what a failure says: its cause in Java if there is one, else its first line."""
    causes = _CAUSE.findall(text)
    return str(causes[-1] if causes else text.partition(": ")[2].strip().partition("\n")[0])[:300]


def _is_of_spark(failure: Exception) -> bool:
    homes = ("pyspark", "py4j", "grpc")
    return type(failure).__module__.split(".")[0] in homes or isinstance(failure, ConnectionError)


def shuffle_partitions(frame: Any) -> int:
    """Return the number of partitions that Spark's configuration has for shuffles."""
    return int(frame.sparkSession.conf.get("spark.sql.shuffle.partitions"))


def is_shuffled(plan: str) -> bool:
    """Return whether computing the rows of a plan moves them between processes already."""
    return "Exchange" in plan


def estimated_bytes(plan: str) -> float:
    """Return about how large Spark takes the rows of a plan to be; 0 if it does not know."""
    found = _SIZE.search(plan)
    if found is None or found[2] == "EiB":  # Spark's largest number stands for any.
        return 0.0
    return float(found[1]) * 1024 ** _UNITS.index(found[2])


_UNITS = ("B", "KiB", "MiB", "GiB", "TiB", "PiB")
_SIZE = re.compile(r"sizeInBytes=([\d.E+]+) (\w+)")


def plan_text(frame: Any) -> str:
    """Return Spark's plan for the rows of a frame, with its estimates."""
    plan = StringIO()
    with redirect_stdout(plan):
        frame.explain(mode="cost")
    return plan.getvalue()


def first_keys(rows: Any, most: int = 4096) -> pl.DataFrame:
    """Return partition, run and query of some first rows: only speed may depend on them."""
    f = functions()
    named = rows.select(f.spark_partition_id().alias("partition"), "run", "query")
    schema = {"partition": pl.Int32, "run": pl.String, "query": pl.String}
    # Rows are taken from as few partitions as have them, while Arrow's batches come from all.
    return pl.DataFrame([tuple(row) for row in named.take(most)], schema, orient="row")


def count_by(frame: Any, columns: Sequence[str]) -> Any:
    """Return the distinct rows of some columns with the number of each."""
    return frame.groupBy(*(_quoted(name) for name in columns)).count()


Report = Callable[[str], None]
"""Receives a line on the progress of a job."""

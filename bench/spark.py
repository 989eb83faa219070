"""Speed of the Spark engine on two cores: both paths, local, SQL, and a job of many rows.

Each figure stands beside the wanted one, and whether it is reached.
`make bench-spark` runs it; ROWS=n sets the size of the long jobs (100,000,000 by default), 0 for
none, SHORT=n the rows of the comparison, and REPEATS=n how often each is timed.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import assay

MEASURES = ["nDCG@10", "AP", "RR", "P@10", "R@100", "bpref", "nDCG", "Judged@10"]
ROWS = int(os.environ.get("ROWS", 100_000_000))
SHORT = int(os.environ.get("SHORT", 5_000_000))
REPEATS = int(os.environ.get("REPEATS", 3))
JUDGED = 100
JOBS = {10: 10_000, 1000: 1000}
"""How many queries the long jobs have, by the length of their lists; the rest are runs."""
MOST_MEMORY = {"java": 3000, "worker": 1000, "driver": 1000}
"""The largest resident MB of a long job of any size; Java has a heap of 2 GB."""
LABELS = {"local": "local", "sql": "SQL window query, nDCG alone"}


def main() -> None:
    """Print one table."""
    session = open_session()
    with tempfile.TemporaryDirectory() as folder:
        if SHORT:
            compare_paths(session, Path(folder))
        for length in JOBS if ROWS else ():
            for rows in (ROWS // 10, ROWS):
                with tempfile.TemporaryDirectory() as own:
                    long_job(session, Path(own), rows, length)
    session.stop()


def open_session() -> Any:
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    from pyspark.sql import SparkSession

    settings = {
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.log.level": "ERROR",
        "spark.driver.memory": "2g",
        "spark.driver.maxResultSize": "0",
        "spark.sql.shuffle.partitions": "16",
    }
    builder = SparkSession.builder.master("local[2]").appName("bench")
    for key, value in settings.items():
        builder = builder.config(key, value)
    begun = time.perf_counter()
    session = builder.getOrCreate()
    session.range(1000).mapInArrow(lambda batches: batches, "id long").count()
    report("start of Spark", time.perf_counter() - begun)
    return session


def report(what: str, seconds: float, note: str = "") -> None:
    print(f"{what:<44}{seconds:>9.2f} s  {note}", flush=True)


def median_times(works: dict[str, Callable[[], Any]]) -> dict[str, tuple[float, float]]:
    """The median seconds, with their processor time, after two rounds in which Java compiles."""
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in works}
    for number in range(REPEATS + 2):
        for name, work in works.items():
            begun, used = time.perf_counter(), processor_time()
            work()
            found = time.perf_counter() - begun, processor_time() - used
            if number >= 2:
                times[name].append(found)
    # Of three, the one in the middle: its processor time belongs to its seconds.
    return {name: statistics.median_low(each) for name, each in times.items()}


def processor_time() -> float:
    """The seconds of processor time of this process and all below it."""
    ticks = 0
    for pid in family(os.getpid()):
        with suppress(OSError):
            fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
            ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def compare_paths(session: Any, folder: Path) -> None:
    """The same Parquet file by local, all paths of Spark, and a SQL window query."""
    judged, runs = write_data(folder, SHORT // 1000, 1000)
    print(f"{SHORT:,} rows, {len(MEASURES)} measures, list by list; medians of {REPEATS}")
    fast = compare_engines(session, judged, runs, ("fast", "shuffle", "plain"))
    hours = fast * 2 / SHORT * 1e9 / 3600
    print(f"core hours per 10⁹ rows: {hours:.2f}; for 10¹¹ rows: {hours * 100:.0f}")
    mixed = folder / "mixed.parquet"
    rows = pl.read_parquet(runs).sample(fraction=1, shuffle=True, seed=1)
    rows.write_parquet(mixed, row_group_size=500_000)
    print("the same rows, interleaved")
    compare_engines(session, judged, mixed, ("fast", "shuffle"))


def compare_engines(session: Any, judged: Path, runs: Path, paths: tuple[str, ...]) -> float:
    """Print the times of all; return that of the fast path."""
    frame = session.read.parquet(str(runs))
    table = pl.read_parquet(judged)

    def local() -> Any:
        return assay.retrieval(str(judged), str(runs), MEASURES, interval=None)

    def spark(path: Any) -> Any:
        settings = assay.SparkSettings(path=path)
        return assay.retrieval(table, frame, MEASURES, interval=None, spark=settings)

    expected = local()
    for path in paths:
        for one, other in zip(spark(path).results, expected.results, strict=True):
            if one.values.tobytes() != other.values.tobytes():
                sys.exit(f"{one.measure} differs ({path})")
    print(f"  local and {', '.join(paths)}: the same bits: reached")
    if abs(sql_ndcg(session, frame, judged) - next(iter(expected["nDCG"].values()))) > 1e-9:
        sys.exit("the SQL query computes another nDCG")
    works = {path: partial(spark, path) for path in paths}
    sql = partial(sql_ndcg, session, frame, judged)
    times = median_times({"local": local, "sql": sql, **works})
    for name, (wall, used) in times.items():
        report(LABELS.get(name, f"Spark, {name}"), wall, f"{used:.2f} s of processor time")
    show_limit(times, "fast", "local", most=8.0)
    show_limit(times, "sql", "fast", least=1.0)
    if "plain" in paths:
        show_limit(times, "plain", "fast", least=1.5)
    return times["fast"][0]


def show_limit(
    times: dict[str, tuple[float, float]], one: str, other: str, least: float = 0, most: float = 0
) -> None:
    """Print how much longer one takes than the other, and what is wanted."""
    wall, used = (a / b for a, b in zip(times[one], times[other], strict=True))
    wanted = f"at most {most:g}" if most else f"at least {least:g}"
    verdict = "reached" if (wall <= most if most else wall >= least) else "MISSED"
    print(
        f"  {f'{one} / {other}':<42}{wall:>9.2f}    {wanted}: {verdict} (processor time {used:.2f})"
    )


def write_data(folder: Path, queries: int, length: int) -> tuple[Path, Path]:
    """Judgments of 100 documents for each query, and one run of long lists."""
    random = np.random.default_rng(1)
    query = np.repeat(np.arange(queries), JUDGED)
    judged = pl.DataFrame(
        {
            "query": query,
            "doc": query * length + np.tile(np.arange(JUDGED) * (length // JUDGED), queries),
            "grade": random.integers(0, 4, queries * JUDGED),
        }
    )
    name_ids(judged).cast({"grade": pl.Float64}).write_parquet(folder / "judged.parquet")
    scores = np.sort(random.normal(size=(queries, length)), axis=1)[:, ::-1]
    places = random.permuted(np.tile(np.arange(length), (queries, 1)), axis=1)
    rows = pl.DataFrame(
        {
            "query": np.repeat(np.arange(queries), length),
            "doc": (places + np.arange(queries)[:, None] * length).ravel(),
            "score": scores.ravel(),
        }
    )
    name_ids(rows).write_parquet(folder / "run.parquet", row_group_size=500_000)
    return folder / "judged.parquet", folder / "run.parquet"


def name_ids(frame: pl.DataFrame) -> pl.DataFrame:
    """The same rows with ids of letters and digits; queries share documents."""
    doc = pl.format("document-{}", pl.col("doc") % 1_000_000)
    return frame.with_columns(pl.format("q{}", "query").alias("query"), doc.alias("doc"))


def sql_ndcg(session: Any, frame: Any, judged: Path) -> float:
    """The query that people write today."""
    frame.createOrReplaceTempView("runs")
    session.read.parquet(str(judged)).createOrReplaceTempView("judged")
    return float(
        session.sql("""
        WITH ranked AS (
          SELECT query, doc,
            row_number() OVER (PARTITION BY query ORDER BY score DESC, doc DESC) AS place
          FROM runs),
        found AS (
          SELECT query, sum(grade / log2(place + 1)) AS dcg
          FROM ranked JOIN judged USING (query, doc) GROUP BY query),
        best AS (
          SELECT query, sum(grade / log2(place + 1)) AS ideal FROM (
            SELECT query, grade, row_number() OVER (PARTITION BY query ORDER BY grade DESC) AS place
            FROM judged) GROUP BY query)
        SELECT avg(coalesce(dcg, 0) / ideal) FROM best LEFT JOIN found USING (query)
        """).collect()[0][0]
    )


def long_job(session: Any, folder: Path, rows: int, length: int) -> None:
    """Many rows of several runs as one job, list by list in Parquet files of a million rows.

    Memory is flat: the same limits hold for a tenth of the rows. Writing the data is not timed.
    """
    queries = min(JOBS[length], rows // length)
    runs = max(1, rows // (queries * length))
    judged = write_runs(folder, runs, queries, length)
    frame = session.read.parquet(str(folder / "runs"))
    memory = MemoryWatch()
    begun = time.perf_counter()
    scores = assay.retrieval(judged, frame, MEASURES, interval=None)
    seconds = time.perf_counter() - begun
    peak = memory.stop()
    print(f"{rows:,} rows: {runs:,} runs × {queries:,} queries × {length:,} documents")
    report("  one job", seconds, f"{seconds * 2 / rows * 1e9 / 3600:.2f} core hours per 10⁹ rows")
    for kind, most in MOST_MEMORY.items():
        verdict = "reached" if peak[kind] <= most else "MISSED"
        before = memory.start[kind]
        print(
            f"  {f'peak memory, {kind}':<42}{peak[kind]:>9,.0f} MB at most {most:,}: {verdict}"
            f" ({before:,.0f} MB before the job)"
        )
    if runs > 1:
        begun = time.perf_counter()
        assay.compare(scores, "nDCG@10", baseline=scores.systems[0], test="t")
        report(
            f"  comparison of {runs:,} runs on the driver with the first one",
            time.perf_counter() - begun,
        )


def write_runs(folder: Path, runs: int, queries: int, length: int) -> pl.DataFrame:
    """Write runs in pieces; return judgments of 20 documents for each query."""
    (folder / "runs").mkdir()
    random = np.random.default_rng(2)
    lists = max(1, 1_000_000 // length)
    for number, first in enumerate(range(0, runs * queries, lists)):
        each = np.arange(first, min(first + lists, runs * queries))
        doc = np.arange(length) * 7 + random.integers(0, 5, (len(each), length))
        rows = pl.DataFrame(
            {
                "run": np.repeat(each // queries, length),
                "query": np.repeat(each % queries, length),
                "doc": random.permuted(doc, axis=1).ravel(),
                "score": np.sort(random.normal(size=(len(each), length)), axis=1)[:, ::-1].ravel(),
            }
        ).with_columns(pl.format("run{}", "run").alias("run"))
        name_ids(rows).write_parquet(folder / "runs" / f"{number:06}.parquet")
    query = np.repeat(np.arange(queries), 20)
    grade = random.integers(0, 4, len(query)).astype(np.float64)
    doc = np.tile(np.arange(20) * 3, queries)
    return name_ids(pl.DataFrame({"query": query, "doc": doc, "grade": grade}))


class MemoryWatch:
    """The largest resident size of the processes below this one, by kind, twice a second."""

    def __init__(self) -> None:
        self.peak = {"java": 0.0, "worker": 0.0, "driver": 0.0}
        self._look()
        self.start = dict(self.peak)
        self._go = True
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def _look(self) -> None:
        for pid, kind in family(os.getpid()).items():
            with suppress(OSError, IndexError):
                pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
                self.peak[kind] = max(self.peak[kind], pages * 4096 / 1e6)

    def _watch(self) -> None:
        while self._go:
            self._look()
            time.sleep(0.5)

    def stop(self) -> dict[str, float]:
        self._go = False
        self._thread.join()
        return self.peak


def family(root: int) -> dict[int, str]:
    """The processes that descend from this one: java, worker or driver."""
    parents: dict[int, tuple[int, str]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            text = (folder / "stat").read_text()
        except OSError:
            continue
        name, rest = text[text.index("(") + 1 :].rsplit(")", 1)
        parents[int(folder.name)] = (int(rest.split()[1]), name)
    found = {root: "driver"}
    for _ in range(6):
        for pid, (parent, name) in parents.items():
            if parent in found and pid not in found:
                found[pid] = "java" if "java" in name else "worker"
    return found


if __name__ == "__main__":
    main()

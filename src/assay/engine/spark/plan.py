"""The plan of a Spark job before it runs: rows, partitions, skew, joins and memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from assay.engine.spark.frames import functions, shuffle_partitions
from assay.engine.spark.ranking_job import RankingJob

BYTES_PER_ROW = 60
"""About what a row takes in a Python worker: ids of 20 letters, a score, and offsets."""


@dataclass(frozen=True, repr=False)
class SparkPlan:
    """What a job will do, in numbers."""

    rows: int
    runs: int
    lists: int
    longest: tuple[str, str, int]
    """The run, the query and the length of the longest list."""
    partitions: int
    judgments: int
    judgment_bytes: int
    measures: tuple[str, ...]
    in_place: bool = False
    """Whether lists are evaluated without a shuffle if each is together in the input."""
    depth: int | None = None
    """How many documents of each list are shuffled; all if None."""
    joined: bool = False
    """Whether the judgments are shuffled with the runs rather than sent to every executor."""

    @property
    def skew(self) -> float:
        """How much longer the longest list is than a partition on average."""
        return self.longest[2] / max(self.rows / self.partitions, 1)

    def __repr__(self) -> str:
        run, query, length = self.longest
        megabytes = max(length, min(self.rows // self.partitions, 1 << 18)) * BYTES_PER_ROW / 1e6
        share = length / self.rows if self.rows else 0.0
        values = self.lists * len(self.measures) * 9 / 1e6
        shuffle = f"after one shuffle by {'query' if self.joined else 'run and query'}"
        if self.depth is not None:
            shuffle += f" of the first {self.depth:,} documents of each list"
        if self.in_place:
            shuffle += " (none if the rows of each list are together in the input)"
        return "\n".join(
            [
                f"rows        {self.rows:,} in {self.lists:,} lists of {self.runs:,} runs",
                f"partitions  {self.partitions:,} {shuffle},"
                f" {self.rows // self.partitions:,} rows each on average",
                f"skew        the longest list has {length:,} rows ({share:.1%} of all):"
                f" run {run}, query {query}",
                f"joins       {self._join}",
                f"memory      about {megabytes:,.0f} MB in each Python worker;"
                f" {values:,.1f} MB of values come to the driver",
                f"measures    {', '.join(self.measures)}",
            ]
        )

    @property
    def _join(self) -> str:
        if self.joined:
            return f"{self.judgments:,} judgments are shuffled by query, beside the runs"
        size = f"{self.judgment_bytes / 1e6:.1f} MB"
        return f"{self.judgments:,} judgments ({size}) go to every executor; no join is shuffled"


def make_plan(job: RankingJob) -> SparkPlan:
    """Count the lists of the runs, reading all rows once."""
    f = functions()
    lists = job.rows.groupBy("run", "query").count()
    total: Any = lists.agg(
        f.sum("count").alias("rows"),
        f.count_distinct("run").alias("runs"),
        f.count("*").alias("lists"),
        f.max(f.struct("count", "run", "query")).alias("longest"),
    ).collect()[0]
    longest = total["longest"]
    frame, joined = job.values.judgments.frame, job.judged is not None
    return SparkPlan(
        int(total["rows"] or 0),
        int(total["runs"]),
        int(total["lists"]),
        ("", "", 0)
        if longest is None
        else (str(longest["run"]), str(longest["query"]), int(longest["count"])),
        job.partitions or shuffle_partitions(job.rows),
        int(job.judged.count()) if joined else frame.height,
        int(frame.estimated_size()),
        job.values.measures,
        job.tries_in_place(),
        job.depth,
        joined,
    )

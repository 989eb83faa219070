"""Settings of jobs over Spark frames, and what cannot be asked of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args, get_origin, get_type_hints

from assay.core.errors import UsageError
from assay.formats.spark_frames import is_spark_frame

MOST_SENT = 5_000_000
"""So many judgments go to every executor at most."""


@dataclass(frozen=True)
class SparkSettings:
    """How a job over Spark frames is run; the numbers do not depend on any of it."""

    partitions: int | None = None
    """Into how many parts the lists are divided by a shuffle; Spark decides if None."""
    path: Literal["fast", "shuffle", "plain"] = "fast"
    """``fast``: lists are evaluated where they are if each is together in one part of the input
    (and ``partitions`` is None), otherwise after a shuffle. ``shuffle``: always after a shuffle,
    sorted and in batches. ``plain``: one list at a time (``applyInArrow``)."""
    cut: bool = True
    """Whether lists are cut to the depth that the measures need, such as 10 for nDCG@10 and P@5,
    before rows are shuffled. Ties are kept in full. Duplicates below that depth are not found."""
    bad_rows: Literal["error", "drop"] = "error"
    """Rows without a query, a document or a score: refused, or counted and left out."""
    judgments: Literal["auto", "broadcast", "join"] = "auto"
    """Whether judgments go to every executor or are joined by a shuffle; many are joined."""

    def __post_init__(self) -> None:
        for name, kind in get_type_hints(type(self)).items():
            value = getattr(self, name)
            if get_origin(kind) is Literal and value not in get_args(kind):
                named = ", ".join(f"'{each}'" for each in get_args(kind))
                raise UsageError(f"{name} must be one of {named}; found '{value}'")
        count: Any = self.partitions
        if count is not None and (not isinstance(count, int) or count < 1):
            raise UsageError(f"partitions is a whole number from 1, not '{self.partitions}'")

    def joins(self, judgments: Any) -> bool:
        """Return whether a Spark frame of judgments is joined."""
        if self.judgments != "auto":
            return self.judgments == "join"
        return int(judgments.count()) > MOST_SENT


def has_spark_runs(runs: Any) -> bool:
    """Return whether runs are given as Spark frames."""
    if isinstance(runs, Mapping):
        return any(is_spark_frame(each) for each in runs.values())
    if isinstance(runs, list | tuple):
        return any(is_spark_frame(each) for each in runs)
    return is_spark_frame(runs)


def check_spark_settings(given: Any, on_spark: bool) -> None:
    """Refuse what is not settings of Spark, and settings where no run is a Spark frame."""
    if given is None:
        return
    if not isinstance(given, SparkSettings):
        raise UsageError(
            "`spark` takes settings of the job, such as SparkSettings(partitions=200), not a"
            f" {type(given).__name__}; the session is that of the frames"
        )
    if not on_spark:
        raise UsageError("`spark` is for runs that are Spark frames; leave it out for others")


def refuse_for_spark(**given: Any) -> None:
    """Refuse what needs the documents of the runs on this machine."""
    for name, value in given.items():
        if value is not None:
            raise UsageError(
                f"`{name}` cannot be used with runs on a cluster; leave it out, or read the runs"
                " from files"
            )

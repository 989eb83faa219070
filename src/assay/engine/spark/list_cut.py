"""Lists cut to the depth that the measures need, before their rows are shuffled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from assay.core.conventions import Conventions
from assay.core.facts import NOTHING_KNOWN
from assay.core.names import Measure
from assay.engine.spark.frames import functions
from assay.engine.spark.list_values import TOP
from assay.evidence.views.rankings import Rankings

MOST = 1000
"""Deeper lists are not cut: Spark cuts before a shuffle up to this depth."""


def needed_depth(measures: Sequence[Measure], conventions: Conventions) -> int | None:
    """Return how many documents of each list the measures need; None if all, or not known."""
    whole = (
        conventions.order != "score"
        or conventions.unjudged != "keep"
        or conventions.own_document != "keep"
    )
    depths = [_depth(each) for each in measures]
    if conventions.depth is not None:
        depths = [min(conventions.depth, each or conventions.depth) for each in depths]
    known = [each for each in depths if each is not None]
    if whole or len(known) < len(depths) or max(known, default=0) > MOST:
        return None
    return max([*known, TOP])


def _depth(measure: Measure) -> int | None:
    """Return the cutoff of a measure if documents below it do not count."""
    facts, cutoff = measure.definition.facts, getattr(measure.bound, "cutoff", None)
    if measure.definition.view is not Rankings or measure.selections or facts is NOTHING_KNOWN:
        return None
    reads = facts.reads_below_cutoff
    below = reads(measure.bound, np.empty(0)) if callable(reads) else reads
    return cutoff if isinstance(cutoff, int) and not below else None


def cut_notes(depth: int | None) -> tuple[str, ...]:
    """Return what a user should know about lists that were cut to a depth."""
    if depth is None:
        return ()
    return (
        f"the runs: lists were cut to their first {depth} documents, with ties, before rows were"
        " shuffled, since no measure needs more; numbers of documents and digests are those of what"
        " was left, and duplicates below are not found (SparkSettings(cut=False): whole lists)",
    )


def cut_lists(rows: Any, depth: int, conventions: Conventions) -> Any:
    """Return the first rows of each list, with all that are tied with the last of them.

    Rows without a score and the like are all kept: they are counted later.
    """
    from pyspark.sql import Window

    f = functions()
    parts = [f.col(name) for name in ("run", "query") if name in rows.columns]
    score = f.col("score")
    complete = f.lit(True)
    for each in (*parts, f.col("doc"), score):
        complete = complete & each.isNotNull()
    usable = f.coalesce(complete & ~f.isnan(score), f.lit(False))
    key = score.cast("float") if conventions.score_type == "float32" else score
    order = f.when(usable, key).desc()
    place = f.rank().over(Window.partitionBy(*parts, usable).orderBy(order))
    return rows.withColumn("\0place", place).where(f.col("\0place") <= depth).drop("\0place")

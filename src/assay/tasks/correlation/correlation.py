"""Correlation: two orders of the same things to Scores."""

from __future__ import annotations

from typing import Any

from assay.engine.scores import Scores
from assay.statistics.intervals.unit_intervals import Bootstrap
from assay.tasks.correlation.correlation_evidence import CorrelationEvidence
from assay.tasks.evaluation import Measures

DEFAULT = Bootstrap()


def correlation(
    data: Any,
    measures: Measures = None,
    *,
    item: str = "item",
    first: str = "first",
    second: str = "second",
    group: str | None = None,
    name: str = "orders",
    interval: Bootstrap | None = DEFAULT,
) -> Scores:
    """Compare two orders of the same items, given by a number in each (higher is earlier).

    ``data`` is a path, a frame or a dict of columns; the other arguments name its columns.
    """
    columns = {"item": item, "first": first, "second": second, "group": group}
    evidence = CorrelationEvidence.read_table(data, columns, name)
    return evidence.scores(measures, interval=interval)


def correlation_of_runs(
    one: Any, two: Any, measures: Measures = None, *, interval: Bootstrap | None = DEFAULT
) -> Scores:
    """Compare two runs query by query.

    Measures of two orders, such as tau, use the documents that both runs have; measures of two
    rankings, such as RBO, use all. Documents with equal scores are tied.
    """
    return CorrelationEvidence.read_runs(one, two).scores(measures, interval=interval)


def correlation_of_leaderboards(
    one: Any,
    two: Any,
    measures: Measures = None,
    *,
    item: str | None = None,
    value: str | None = None,
    interval: Bootstrap | None = DEFAULT,
) -> Scores:
    """Compare two leaderboards: tables of systems with a number each (higher is earlier).

    ``item`` and ``value`` name their columns: by default the first one, and the first with numbers
    among the others.
    """
    evidence = CorrelationEvidence.read_leaderboards(one, two, item, value)
    return evidence.scores(measures, interval=interval)


def correlation_of_scores(
    one: Scores,
    two: Scores | None = None,
    measures: Measures = None,
    *,
    by: str | None = None,
    other: str | None = None,
    interval: Bootstrap | None = DEFAULT,
) -> Scores:
    """Compare the orders in which Scores put systems: by two measures, or in two evaluations.

    ``by`` is the measure of the first order and ``other`` that of the second: by default the first
    that was measured, and the same.
    """
    evidence = CorrelationEvidence.of_scores(one, two, by, other)
    return evidence.scores(measures, interval=interval)


def correlation_of_judgments(
    one: Any,
    two: Any,
    runs: Any,
    measures: Measures = None,
    *,
    by: str = "AP",
    other: str | None = None,
    interval: Bootstrap | None = DEFAULT,
) -> Scores:
    """Compare the orders of the same runs under two qrels, or under two measures of one."""
    evidence = CorrelationEvidence.read_judgments(one, two, runs, by, other)
    return evidence.scores(measures, interval=interval)

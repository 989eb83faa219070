"""Unreliable assessors: those whose labels carry little information.

The table excludes nobody: it shows what is suspicious, and why.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from assay.benchmark.aggregation import aggregate_ratings, known_labels
from assay.core.arrays import Floats, Ints, ratio, sum_at
from assay.core.errors import DataError
from assay.core.names import measure
from assay.core.tables import Ratings
from assay.evidence.labels import Labels, column_order
from assay.evidence.views.rating_table import RatingTable, build_rating_table
from assay.tasks.inputs.missing_values import MissingPolicy, handle_missing
from assay.tasks.inputs.rating_columns import RatingColumns
from assay.tasks.inputs.table_columns import select_columns

KINDS = ("item", "assessor", "label")
"""What the columns of ratings hold; a column that is not named is called so."""


@dataclass(frozen=True)
class SuspicionLimits:
    """Limits beyond which something is suspicious."""

    beyond_chance: float = 0.1
    """Gold accuracy must more likely than not exceed chance by this much."""
    fast: float = 1 / 3
    """A rating is hasty in less than this share of the median time for the item, or for all items
    where nobody else rated it."""
    hasty: float = 0.5
    """A greater share of hasty ratings is suspicious."""
    run: float = 0.001
    """A run of equal labels is suspicious if it is less likely than this."""
    entropy: float = 0.5
    """This share of the entropy of all labels, or less, is suspicious."""
    kappa: float = 0.1
    """This kappa with the other assessors, or less, is suspicious."""
    least: int = 10
    """Assessors with fewer ratings are judged by gold accuracy only."""


def unreliable_assessors(
    data: Any,
    columns: RatingColumns = RatingColumns(),  # noqa: B008 (frozen)
    *,
    seconds: str | None = None,
    missing: MissingPolicy = "error",
    labels: Labels = None,
    gold: Any = None,
    limits: SuspicionLimits = SuspicionLimits(),  # noqa: B008 (frozen)
) -> pl.DataFrame:
    """Return a row for each assessor, with a verdict and its reasons; worst first.

    The rows of the data are in the order in which the labels were given; ``seconds`` names the
    column with the time of each; ``gold`` and ``missing`` are as in ``aggregate``.
    """
    used = RatingColumns(*(getattr(columns, name) or name for name in KINDS))
    named = {**{name: getattr(used, name) for name in KINDS}, "seconds": seconds}
    needed = {"label": ["label"]}
    whole = handle_missing(
        *select_columns(data, named, "the ratings"), needed, missing, of="rating"
    )
    frame, ratings = whole.frame, Ratings.of(whole.frame, whole.source)
    view = build_rating_table(ratings, labels=labels, order=column_order(frame["label"]))
    known = known_labels(gold, view, used)
    table = _assessor_table(view, ratings, _rating_times(frame, ratings), known, limits)
    reasons = [_reasons(row, limits) for row in table.iter_rows(named=True)]
    return (
        table.with_columns(
            verdict=pl.Series(map(_verdict, reasons), dtype=pl.Enum(["red", "amber", "green"])),
            reasons=pl.Series(["; ".join(each) for each in reasons], dtype=pl.String),
        )
        .sort("verdict", "assessor")
        .select("assessor", pl.col("verdict").cast(pl.String), pl.exclude("assessor", "verdict"))
        .drop("better than chance", "run chance")
    )


def _rating_times(frame: pl.DataFrame, ratings: Ratings) -> Floats | None:
    if "seconds" not in frame.columns:
        return None
    times = frame["seconds"].cast(pl.Float64, strict=False)
    bad = (times.is_null() | ~times.is_finite() | (times < 0)).arg_true()
    if len(bad):
        row = int(bad[0])
        raise DataError(
            f"{ratings.source.place(row)}: the seconds are {frame['seconds'][row]}; a number of at"
            " least 0 is expected"
        )
    return times.to_numpy()


def _assessor_table(
    view: RatingTable,
    ratings: Ratings,
    times: Floats | None,
    gold: Ints | None,
    limits: SuspicionLimits,
) -> pl.DataFrame:
    """Return a row for each assessor, NaN where nothing can be said."""
    size = len(view.assessors)
    gold_items, right = np.zeros(size, np.int64), np.zeros(size)
    if gold is not None:
        known = gold[view.item] >= 0
        gold_items = np.bincount(view.assessor[known], minlength=size)
        hits = (view.code == gold[view.item])[known]
        right = sum_at(view.assessor[known], hits, size)
    longest, run_chance = _longest_label_runs(view, ratings)
    threshold = 1 / len(view.labels) + limits.beyond_chance
    by_assessor = view.by("assessor")
    return pl.DataFrame(
        {
            "assessor": list(view.assessors),
            "ratings": np.bincount(view.assessor, minlength=size),
            "gold items": gold_items,
            "gold accuracy": ratio(right, gold_items),
            "better than chance": _probability_above_chance(right, gold_items, threshold),
            "hasty": _hasty_shares(view, ratings, times, limits.fast),
            "longest run": longest,
            "run chance": run_chance,
            "entropy": _entropies(view),
            "agreement": measure("percent_rest", "agreement")(by_assessor),
            "kappa": measure("kappa_rest", "agreement")(by_assessor),
            "labels changed without": _changed_majorities(view),
        }
    )


def _probability_above_chance(right: Floats, asked: Ints, threshold: float) -> Floats:
    """Return how likely the true accuracy is above the threshold, with a uniform prior."""
    from scipy.special import betaincc

    likely = betaincc(right + 1, asked - right + 1, min(threshold, 1.0))
    return np.where(asked > 0, likely, np.nan)


def _hasty_shares(view: RatingTable, ratings: Ratings, times: Floats | None, fast: float) -> Floats:
    """Return the share of ratings that took far less time than is usual for their item."""
    if times is None:
        return np.full(len(view.assessors), np.nan)
    frame = ratings.frame.with_columns(seconds=times)
    alone = pl.len().over("item") == 1
    median = pl.col("seconds").median()
    usual = pl.when(alone).then(median).otherwise(median.over("item"))
    frame = frame.with_columns(hasty=pl.col("seconds") < fast * usual)
    shares = frame.group_by("assessor").agg(pl.col("hasty").mean())
    found = dict(shares.iter_rows())
    return np.asarray([found[name] for name in view.assessors])


def _longest_label_runs(view: RatingTable, ratings: Ratings) -> tuple[Ints, Floats]:
    """Return the longest run of one label, and how likely any such run would be."""
    common = view.counts.sum(axis=0) / max(view.counts.sum(), 1)
    top = min(float(common.max()), 0.999)
    longest = np.zeros(len(view.assessors), np.int64)
    given = np.zeros(len(view.assessors), np.int64)
    for number, name in enumerate(view.assessors):
        own = ratings.frame.filter(pl.col("assessor") == name)["label"]
        given[number] = len(own)
        longest[number] = int(np.bincount(own.rle_id().to_numpy()).max(initial=0))
    return longest, np.minimum(given * top**longest, 1.0)


def _entropies(view: RatingTable) -> Floats:
    """Return the entropy of the labels of each assessor, relative to that of all labels."""
    place = view.assessor * len(view.labels) + view.code
    counts = np.bincount(place, minlength=len(view.assessors) * len(view.labels))
    own = [_entropy(row) for row in counts.reshape(-1, len(view.labels)).tolist()]
    return ratio(np.asarray(own), np.asarray(_entropy(view.counts.sum(axis=0).tolist())))


def _entropy(counts: Sequence[float]) -> float:
    total = sum(counts)
    return -math.fsum(n / total * math.log2(n / total) for n in counts if n)


def _changed_majorities(view: RatingTable) -> list[int]:
    """Return how many majority labels would change without each assessor."""
    before = aggregate_ratings(view, "majority").labels["label"].to_numpy()
    counts = view.counts
    changed = []
    for number in range(len(view.assessors)):
        own = view.assessor == number
        items = view.item[own]
        left = counts[items].copy()
        left[np.arange(len(items)), view.code[own]] -= 1
        still = left.sum(axis=1) > 0
        after = np.asarray(view.labels, dtype=object)[np.argmax(left, axis=1)]
        changed.append(int((after != before[items])[still].sum()))
    return changed


def _verdict(reasons: list[str]) -> str:
    """Return red for a gold accuracy near chance or several reasons, amber for one."""
    if len(reasons) > 1 or any("gold" in reason for reason in reasons):
        return "red"
    return "amber" if reasons else "green"


def _reasons(row: dict[str, Any], limits: SuspicionLimits) -> list[str]:
    """Return why the assessor is suspicious; with few ratings only gold accuracy counts."""
    found = []
    if row["gold items"] >= 5 and row["better than chance"] < 0.5:
        found.append(f"gold accuracy {row['gold accuracy']:.2f} is near chance")
    if row["ratings"] < limits.least:
        return found
    if row["hasty"] > limits.hasty:
        found.append(f"{row['hasty']:.0%} of the ratings are hasty")
    if row["run chance"] < limits.run:
        found.append(f"{row['longest run']} equal labels in a row")
    if row["entropy"] <= limits.entropy:
        found.append(f"labels vary {row['entropy']:.0%} as much as those of all")
    if row["kappa"] <= limits.kappa:
        found.append(f"agrees with the others hardly beyond chance (κ {row['kappa']:.2f})")
    return found

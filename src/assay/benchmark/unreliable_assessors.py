"""Free-loaders: assessors whose labels cost time or money and say nothing.

Nobody is left out by this table: it shows what was seen, and why that is suspicious.
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
from assay.evidence.label_order import Labels, column_order
from assay.evidence.views.rating_table import RatingTable, build_rating_table
from assay.tasks.inputs.missing_values import Policy, handle_missing
from assay.tasks.inputs.named_columns import select_columns
from assay.tasks.inputs.rating_columns import RatingColumns


@dataclass(frozen=True)
class SuspicionLimits:
    """From where on something is suspicious."""

    beyond_chance: float = 0.1
    """Gold accuracy must be likelier than not to exceed chance by this much."""
    fast: float = 1 / 3
    """A rating is hasty in less than this share of the median time for the item."""
    hasty: float = 0.5
    """So many hasty ratings are suspicious."""
    run: float = 0.001
    """A run of equal labels is suspicious if it is less likely than this."""
    entropy: float = 0.5
    """So is this share of the entropy of all labels, or less."""
    kappa: float = 0.1
    """So is no more agreement with the others beyond chance."""
    least: int = 10
    """With fewer ratings nothing is said."""


@dataclass(frozen=True)
class AssessorEvidence:
    """What is known of each assessor: an array each, NaN where nothing can be said."""

    ratings: Ints
    gold_items: Ints
    gold_accuracy: Floats
    better_than_chance: Floats
    hasty: Floats
    longest_run: Ints
    run_chance: Floats
    entropy: Floats
    agreement: Floats
    kappa: Floats


def unreliable_assessors(
    data: Any,
    *,
    item: str = "item",
    assessor: str = "assessor",
    label: str = "label",
    seconds: str | None = None,
    missing: Policy = "error",
    labels: Labels = None,
    gold: Any = None,
    limits: SuspicionLimits = SuspicionLimits(),  # noqa: B008 (frozen)
) -> pl.DataFrame:
    """A row for each assessor: what was seen, a verdict and its reasons; worst first.

    The rows of the data stand in the order in which the labels were given; ``seconds`` names the
    column with the time that each took; ``gold`` and ``missing`` are as in ``aggregate``.
    """
    named = {"item": item, "assessor": assessor, "label": label, "seconds": seconds}
    needed = {"label": ["label"]}
    whole = handle_missing(
        *select_columns(data, named, "the ratings"), needed, missing, of="rating"
    )
    frame, ratings = whole.frame, Ratings.of(whole.frame, whole.source)
    view = build_rating_table(ratings, labels=labels, order=column_order(frame["label"]))
    known = known_labels(gold, view, RatingColumns(item, assessor, label))
    evidence = _assessor_evidence(view, ratings, _rating_times(frame, ratings), known, limits)
    changed = _changed_majorities(view)
    rows = [
        _row(view, evidence, number, changed[number], limits)
        for number in range(len(view.assessors))
    ]
    ranks = {"red": 0, "amber": 1, "green": 2}
    ordered = sorted(rows, key=lambda row: (ranks[row["verdict"]], row["assessor"].encode()))
    return pl.DataFrame(ordered, infer_schema_length=None)


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


def _assessor_evidence(
    view: RatingTable,
    ratings: Ratings,
    times: Floats | None,
    gold: Ints | None,
    limits: SuspicionLimits,
) -> AssessorEvidence:
    size = len(view.assessors)
    given = np.bincount(view.assessor, minlength=size)
    asked, right = np.zeros(size, np.int64), np.zeros(size)
    if gold is not None:
        known = gold[view.item] >= 0
        asked = np.bincount(view.assessor[known], minlength=size)
        hits = (view.code == gold[view.item])[known]
        right = sum_at(view.assessor[known], hits, size)
    longest, chance = _longest_label_runs(view, ratings)
    return AssessorEvidence(
        given,
        asked,
        ratio(right, asked),
        _probability_above_chance(right, asked, 1 / len(view.labels) + limits.beyond_chance),
        _hasty_shares(view, ratings, times, limits.fast),
        longest,
        chance,
        _entropies(view),
        measure("percent_rest", "agreement")(view.by("assessor")),
        measure("kappa_rest", "agreement")(view.by("assessor")),
    )


def _probability_above_chance(right: Floats, asked: Ints, threshold: float) -> Floats:
    """How likely the true accuracy is above the threshold, before which all were equally likely."""
    from scipy.special import betaincc

    likely = betaincc(right + 1, asked - right + 1, min(threshold, 1.0))
    return np.where(asked > 0, likely, np.nan)


def _hasty_shares(view: RatingTable, ratings: Ratings, times: Floats | None, fast: float) -> Floats:
    """The share of the ratings that took far less time than is usual for their item."""
    if times is None:
        return np.full(len(view.assessors), np.nan)
    frame = ratings.frame.with_columns(seconds=times)
    usual = pl.col("seconds").median().over("item")
    frame = frame.with_columns(hasty=pl.col("seconds") < fast * usual)
    shares = frame.group_by("assessor").agg(pl.col("hasty").mean())
    found = dict(shares.iter_rows())
    return np.asarray([found[name] for name in view.assessors])


def _longest_label_runs(view: RatingTable, ratings: Ratings) -> tuple[Ints, Floats]:
    """The longest run of one label as it was given, and how likely any such run would be."""
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
    """The entropy of the labels of each assessor, as a share of that of all labels."""
    place = view.assessor * len(view.labels) + view.code
    counts = np.bincount(place, minlength=len(view.assessors) * len(view.labels))
    own = [_entropy(row) for row in counts.reshape(-1, len(view.labels)).tolist()]
    return ratio(np.asarray(own), np.asarray(_entropy(view.counts.sum(axis=0).tolist())))


def _entropy(counts: Sequence[float]) -> float:
    total = sum(counts)
    return -math.fsum(n / total * math.log2(n / total) for n in counts if n)


def _changed_majorities(view: RatingTable) -> list[int]:
    """How many labels the majority would change if the assessor had not taken part."""
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


def _row(
    view: RatingTable, seen: AssessorEvidence, number: int, changed: int, limits: SuspicionLimits
) -> dict[str, Any]:
    reasons = _reasons(seen, number, limits)
    failed_gold = any("gold" in reason for reason in reasons)
    verdict = "red" if failed_gold or len(reasons) > 1 else "amber" if reasons else "green"
    return {
        "assessor": view.assessors[number],
        "verdict": verdict,
        "ratings": int(seen.ratings[number]),
        "gold items": int(seen.gold_items[number]),
        "gold accuracy": float(seen.gold_accuracy[number]),
        "hasty": float(seen.hasty[number]),
        "longest run": int(seen.longest_run[number]),
        "entropy": float(seen.entropy[number]),
        "agreement": float(seen.agreement[number]),
        "kappa": float(seen.kappa[number]),
        "labels changed without": changed,
        "reasons": "; ".join(reasons),
    }


def _reasons(seen: AssessorEvidence, number: int, limits: SuspicionLimits) -> list[str]:
    """Why the assessor is suspicious; none with too few ratings."""
    found = []
    if seen.gold_items[number] >= 5 and seen.better_than_chance[number] < 0.5:
        found.append(f"gold accuracy {seen.gold_accuracy[number]:.2f} is near chance")
    if seen.ratings[number] < limits.least:
        return found
    if seen.hasty[number] > limits.hasty:
        found.append(f"{seen.hasty[number]:.0%} of the ratings are hasty")
    if seen.run_chance[number] < limits.run:
        found.append(f"{seen.longest_run[number]} equal labels in a row")
    if seen.entropy[number] <= limits.entropy:
        found.append(f"labels vary {seen.entropy[number]:.0%} as much as those of all")
    if seen.kappa[number] <= limits.kappa:
        found.append(f"agrees with the others hardly beyond chance (κ {seen.kappa[number]:.2f})")
    return found

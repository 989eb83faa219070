"""Aggregating the ratings of several assessors into one label for each item."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from assay.benchmark.assessor_models import DawidSkene, ModelFit, OneCoin, fit_mace, fit_model
from assay.benchmark.estimates import Estimates, observed_answers
from assay.core.arrays import Floats, Ints, ratio
from assay.core.errors import DataError, did_you_mean, unknown_name
from assay.core.printable import Printable
from assay.core.tables import Ratings
from assay.evidence.labels import Labels
from assay.evidence.views.rating_table import RatingTable
from assay.formats.containers import to_frame
from assay.tasks.inputs.missing_values import MissingPolicy
from assay.tasks.inputs.rating_columns import RatingColumns, gold_columns, read_ratings
from assay.tasks.inputs.table_columns import named_columns


def label_shares(ratings: RatingTable) -> Floats:
    """Return the share of the assessors that gave each label, item × label."""
    return ratio(ratings.counts, ratings.counts.sum(axis=1, keepdims=True))


def majority_labels(ratings: RatingTable) -> Ints:
    """Return the most frequent label; of several, the lowest."""
    return np.argmax(ratings.counts, axis=1)


def median_labels(ratings: RatingTable) -> Ints:
    """Return the median label; of two, the lower."""
    reached = np.cumsum(ratings.counts, axis=1)
    return np.argmax(2 * reached >= reached[:, -1:], axis=1)


def minimum_labels(ratings: RatingTable) -> Ints:
    """Return the lowest label of each item."""
    return np.argmax(ratings.counts > 0, axis=1)


def mean_labels(ratings: RatingTable) -> Floats:
    """Return the mean of the labels, which must be numbers."""
    return ratio(ratings.counts @ ratings.numbers(), ratings.counts.sum(axis=1))


VOTING_METHODS: dict[str, Callable[[RatingTable], Ints]] = {
    "majority": majority_labels,
    "median": median_labels,
    "minimum": minimum_labels,
}
MODEL_METHODS: dict[str, Callable[[RatingTable, Ints | None], ModelFit]] = {
    "dawid-skene": lambda ratings, gold: fit_model(ratings, DawidSkene(), gold),
    "one-coin": lambda ratings, gold: fit_model(ratings, OneCoin(), gold),
    "mace": lambda ratings, gold: fit_mace(ratings, gold),
}
METHODS = (*VOTING_METHODS, "mean", *MODEL_METHODS)


METHOD_NAMES = {
    "ds": "dawid-skene",
    "dawidskene": "dawid-skene",
    "mv": "majority",
    "majorityvote": "majority",
    "onecoin": "one-coin",
    "onecoindawidskene": "one-coin",
}
"""Other names of methods, without hyphens."""


@dataclass(frozen=True, repr=False, eq=False)
class Aggregation(Printable):
    """One label for each item, and the reliability of each assessor."""

    method: str
    labels: pl.DataFrame
    """item, label, posterior, entropy (in bits), ratings."""
    assessors: pl.DataFrame
    """assessor, ratings, reliability, agreement with the labels."""
    estimates: Estimates
    objective: tuple[float, ...] = ()
    converged: bool = True
    notes: tuple[str, ...] = ()
    """Notes on the ratings for the user."""

    @property
    def posteriors(self) -> pl.DataFrame:
        """The probability of each label for each item (for votes: its share), a column each."""
        return self.estimates.posteriors()

    @property
    def classes(self) -> pl.DataFrame:
        """The expected share of each label among the items."""
        return self.estimates.classes()

    @property
    def confusions(self) -> pl.DataFrame:
        """How often each assessor gives each label to items of each class; rows add up to 1."""
        return self.estimates.confusions()


def aggregate(
    data: Any,
    method: str = "majority",
    *,
    item: str | None = None,
    assessor: str | None = None,
    label: str | None = None,
    assessors: str | Sequence[str] | None = None,
    labels: Labels = None,
    gold: Any = None,
    missing: MissingPolicy = "error",
) -> Aggregation:
    """Aggregate the ratings of several assessors, from one row for each rating or each item.

    Columns and missing values are as in ``agreement``.
    ``method`` is majority, median, mean, minimum, dawid-skene, one-coin or mace. An assessor may
    rate an item several times: each rating counts, and a note says so. ``gold`` is a
    dict of item to its known label, or a table whose columns are called as in the ratings (or item
    and label, or are just these two); the label of such an item is fixed. ``labels`` declares all
    labels in their order.
    """
    columns = RatingColumns(item, assessor, label, assessors=assessors)
    read = read_ratings(data, columns, missing)
    ratings = read.table(labels=labels, repeated=True)
    known = known_labels(gold, ratings, columns)
    notes = (*read.notes, *_repeat_notes(ratings))
    return replace(aggregate_ratings(ratings, method, known), notes=notes)


def _repeat_notes(ratings: RatingTable) -> list[str]:
    """Return a note on items that an assessor rated more than once."""
    place, count = np.unique(
        ratings.item * len(ratings.assessors) + ratings.assessor, return_counts=True
    )
    again = place[count > 1]
    if not len(again):
        return []
    item, assessor = divmod(int(again[0]), len(ratings.assessors))
    return [
        f"items that an assessor rated more than once: {len(again)} (the first is"
        f" {ratings.items[item]}, by {ratings.assessors[assessor]}); each rating counts"
    ]


def known_labels(gold: Any, ratings: RatingTable, columns: RatingColumns) -> Ints | None:
    """Return the index of the known label of each item, −1 if it is not known."""
    if gold is None:
        return None
    if isinstance(gold, dict) and not {"item", "label"} <= set(gold):
        gold = {"item": [str(each) for each in gold], "label": list(gold.values())}
    frame, source = to_frame(gold, "the gold labels")
    frame = named_columns(frame, source, gold_columns(frame, source, columns))
    table = Ratings.of(frame.with_columns(assessor=pl.lit("gold")), source)
    places = {name: place for place, name in enumerate(ratings.items)}
    codes = np.full(len(ratings.items), -1, dtype=np.int64)
    for row, (name, said) in enumerate(table.frame.select("item", "label").iter_rows()):
        if said not in ratings.labels:
            raise DataError(
                f"{source.place(row)}: the gold label '{said}' is not among the labels of"
                f" the assessors ({', '.join(ratings.labels[:10])})."
                + did_you_mean(said, ratings.labels)
            )
        if name in places:
            codes[places[name]] = ratings.labels.index(said)
    return codes


def find_method(name: str) -> str:
    """Return the method of that name, which may be that of another tool, such as ``ds``."""
    if name in METHODS:
        return name
    plain = name.casefold().replace("_", "-")
    meant = plain if plain in METHODS else METHOD_NAMES.get(plain.replace("-", ""))
    if meant is None:
        raise unknown_name("method", name, METHODS)
    return meant


def aggregate_ratings(ratings: RatingTable, method: str, gold: Ints | None = None) -> Aggregation:
    """Return one label for each item of a table of ratings."""
    method = find_method(method)
    if method in MODEL_METHODS:
        fit = MODEL_METHODS[method](ratings, gold)
        chosen = np.argmax(fit.posterior, axis=1)
        found = _describe(ratings, method, chosen, fit.posterior, fit.answers, fit.reliability)
        return replace(found, objective=fit.objective, converged=fit.converged)
    posterior = label_shares(ratings)
    if method == "mean":
        means = mean_labels(ratings)
        gaps = np.abs(means[:, None] - ratings.numbers())
        found = _describe(ratings, method, np.argmin(gaps, axis=1), posterior)
        return replace(found, labels=found.labels.with_columns(label=pl.Series(means)))
    chosen = VOTING_METHODS[method](ratings)
    if gold is not None:
        chosen = np.where(gold >= 0, gold, chosen)
    return _describe(ratings, method, chosen, posterior)


def _describe(
    ratings: RatingTable,
    method: str,
    chosen: Ints,
    posterior: Floats,
    answers: Floats | None = None,
    reliability: Floats | None = None,
) -> Aggregation:
    """Return the tables of a result; without a model assessors are held against its labels."""
    logs = np.log2(posterior, out=np.zeros_like(posterior), where=posterior > 0)
    given = np.bincount(ratings.assessor, minlength=len(ratings.assessors))
    agrees = np.bincount(
        ratings.assessor, ratings.code == chosen[ratings.item], len(ratings.assessors)
    )
    labels = pl.DataFrame(
        {
            "item": list(ratings.items),
            "label": pl.Series([ratings.labels[each] for each in chosen.tolist()], dtype=pl.String),
            "posterior": posterior[np.arange(len(chosen)), chosen],
            "entropy": np.abs((posterior * logs).sum(axis=1)),
            "ratings": ratings.counts.sum(axis=1).astype(np.int64),
        }
    )
    assessors = pl.DataFrame(
        {
            "assessor": list(ratings.assessors),
            "ratings": given,
            "reliability": agrees / given if reliability is None else reliability,
            "agrees": agrees / given,
        }
    )
    if answers is None:
        answers = observed_answers(ratings, chosen)
    return Aggregation(method, labels, assessors, Estimates(ratings, posterior, answers))

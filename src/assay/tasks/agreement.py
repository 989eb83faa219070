"""Agreement: labels that assessors gave to items, to Scores."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from assay.core.arrays import Bools
from assay.core.wording import counted, have
from assay.engine.scores import Scores
from assay.evidence.label_order import Labels
from assay.evidence.ratings import RatingTable
from assay.statistics.intervals import Bootstrap
from assay.tasks.assembly import Asked, chosen, described, scored
from assay.tasks.missing import Policy
from assay.tasks.rating_columns import RatingColumns, ReadRatings, read_ratings, refuse_one_assessor

NEEDS = {RatingTable: "ratings of the same items by several assessors"}


def agreement(
    data: Any,
    measures: Asked = None,
    *,
    item: str | None = None,
    assessor: str | None = None,
    label: str | None = None,
    assessors: str | Sequence[str] | None = None,
    topic: str | None = None,
    scale: str = "nominal",
    labels: Labels = None,
    missing: Policy = "error",
    name: str = "assessors",
    bootstrap: Bootstrap | None = Bootstrap(),  # noqa: B008 (frozen)
) -> Scores:
    """Measure how far assessors agree, from one row for each rating or for each item.

    ``data`` is a path, a frame or a dict of columns. With a row for each rating, ``item``,
    ``assessor`` and ``label`` name its columns (by default so called), and ``missing`` says what
    becomes of a rating without a label. With a row for each item, ``assessors`` names a column for
    each assessor, or patterns; an empty cell there is no rating. With a ``topic`` the topics follow
    the whole as slices, and items of two topics are different items. ``scale`` is nominal, ordinal,
    interval or ratio, for all measures that take one; ``labels`` lists the labels that may occur,
    in their order, which an Enum or ordered Categorical column sets as well.
    """
    read = read_ratings(data, RatingColumns(item, assessor, label, topic, assessors), missing)
    refuse_one_assessor(read.ratings)
    view = read.table(scale, labels)
    asked = chosen(measures, "agreement", {RatingTable: lambda: view}, NEEDS)
    asked = [each.default("scale", scale) for each in asked]
    results = scored(name, asked, {RatingTable: lambda: view}, bootstrap)
    topics = _by_topic(view, read, topic)
    for part, inside in topics.items():
        own = {RatingTable: partial(view.take, inside)}
        results += scored(name, asked, own, bootstrap, slice_name=part)
    return Scores(
        task="agreement",
        results=tuple(results),
        conventions=described(
            {"ratings": read.ratings},
            bootstrap,
            scale=scale,
            labels=view.labels,
            missing=missing,
            slices={part: int(inside.sum()) for part, inside in topics.items()},
        ),
        warnings=(*read.notes, *_single(view)),
    )


def _by_topic(view: RatingTable, read: ReadRatings, topic: str | None) -> dict[str, Bools]:
    """Which items are of each topic, in bytewise order; nothing where there are no topics."""
    if read.topic is None:
        return {}
    topics = dict(zip(read.ratings.frame["item"], read.topic, strict=True))
    own = np.asarray([f"{topic}={topics[each]}" for each in view.items], dtype=object)
    return {name: own == name for name in sorted(set(own.tolist()), key=str.encode)}


def _single(view: RatingTable) -> tuple[str, ...]:
    """A note on items that nobody else rated: they say nothing of agreement."""
    rated = view.counts.sum(axis=1)
    alone = int((rated == 1).sum())
    said = f"{alone:,} of {counted(len(rated), 'item')} {have(alone)} one rating only"
    return (said,) if alone else ()

"""Agreement: labels that assessors gave to items, to Scores."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import polars as pl

from assay.core.tables import Ratings
from assay.engine.scores import Scores
from assay.evidence.from_ratings import rating_table
from assay.evidence.ratings import RatingTable
from assay.statistics.intervals import Bootstrap
from assay.tasks.assembly import Asked, chosen, described, scored
from assay.tasks.columns import columns_of

NEEDS = {RatingTable: "ratings of the same items by several assessors"}


def agreement(
    data: Any,
    measures: Asked = None,
    *,
    item: str = "item",
    assessor: str = "assessor",
    label: str = "label",
    topic: str | None = None,
    scale: str = "nominal",
    labels: Sequence[str] | None = None,
    name: str = "assessors",
    bootstrap: Bootstrap | None = Bootstrap(),  # noqa: B008 (frozen)
) -> Scores:
    """Measure how far assessors agree, from one row for each rating.

    ``data`` is a path, a frame or a dict of columns; the other arguments name its columns. With a
    ``topic`` the topics follow the whole as slices, and items of two topics are different items.
    ``scale`` is nominal, ordinal, interval or ratio, for all measures that take one; ``labels``
    declares the labels that may occur, in their order.
    """
    columns = {"item": item, "assessor": assessor, "label": label}
    frame, source = columns_of(data, columns | {"topic": topic}, "the ratings")
    if topic is not None:
        names = (
            frame["topic"].cast(pl.String) + "\N{NO-BREAK SPACE}" + frame["item"].cast(pl.String)
        )
        frame = frame.with_columns(item=names)
    ratings = Ratings.of(frame, source)
    view = rating_table(ratings, scale, labels)
    asked = chosen(measures, "agreement", {RatingTable: lambda: view}, NEEDS)
    asked = [each.default("scale", scale) for each in asked]
    results = scored(name, asked, {RatingTable: lambda: view}, bootstrap)
    if topic is not None:
        topics = dict(zip(ratings.frame["item"], frame["topic"].cast(pl.String), strict=True))
        names_of = [f"{topic}={topics[each]}" for each in view.items]
        for part, own in _by_topic(view, names_of).items():
            results += scored(name, asked, {RatingTable: own}, bootstrap, slice_name=part)
    return Scores(
        task="agreement",
        results=tuple(results),
        conventions=described({"ratings": ratings}, bootstrap, scale=scale, labels=view.labels),
        warnings=_single(view),
    )


def _by_topic(view: RatingTable, topics: list[str]) -> dict[str, Callable[[], RatingTable]]:
    """How to make the table of each topic alone, in bytewise order."""
    own = np.asarray(topics, dtype=object)
    named = sorted(set(topics), key=str.encode)
    return {topic: partial(view.take, own == topic) for topic in named}


def _single(view: RatingTable) -> tuple[str, ...]:
    """A note on items that nobody else rated: they say nothing of agreement."""
    rated = view.counts.sum(axis=1)
    alone = int((rated == 1).sum())
    return (f"{alone} of {len(rated)} items have one rating only",) if alone else ()

"""Agreement: labels that assessors gave to items, to Scores."""

from __future__ import annotations

from typing import Any

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
    name: str = "assessors",
    bootstrap: Bootstrap | None = Bootstrap(),  # noqa: B008 (frozen)
) -> Scores:
    """Measure how far assessors agree, from one row for each rating.

    ``data`` is a path, a frame or a dict of columns; the other arguments name its columns.
    """
    columns = {"item": item, "assessor": assessor, "label": label}
    ratings = Ratings.of(*columns_of(data, columns, "the ratings"))
    views = {RatingTable: lambda: rating_table(ratings)}
    asked = chosen(measures, "agreement", views, NEEDS)
    return Scores(
        task="agreement",
        results=tuple(scored(name, asked, views, bootstrap)),
        conventions=described({"ratings": ratings}, bootstrap),
    )

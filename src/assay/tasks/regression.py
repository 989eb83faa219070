"""Regression: true and predicted numbers to Scores."""

from __future__ import annotations

from typing import Any

from assay.core.tables import Values
from assay.engine.scores import Scores
from assay.evidence.from_values import value_pairs
from assay.evidence.values import ValuePairs
from assay.statistics.intervals import Bootstrap
from assay.tasks.assembly import Asked, chosen, described, scored
from assay.tasks.columns import columns_of

NEEDS = {ValuePairs: "true and predicted numbers"}


def regression(
    data: Any,
    measures: Asked = None,
    *,
    truth: str = "truth",
    predicted: str = "predicted",
    item: str | None = None,
    weight: str | None = None,
    name: str = "predictor",
    bootstrap: Bootstrap | None = Bootstrap(),  # noqa: B008 (frozen)
) -> Scores:
    """Evaluate predicted numbers.

    ``data`` is a path, a frame or a dict of columns; the other arguments name its columns.
    """
    columns = {"truth": truth, "predicted": predicted, "item": item, "weight": weight}
    values = Values.of(*columns_of(data, columns, "the values"))
    views = {ValuePairs: lambda: value_pairs(values)}
    asked = chosen(measures, "regression", views, NEEDS)
    return Scores(
        task="regression",
        results=tuple(scored(name, asked, views, bootstrap)),
        conventions=described({"values": values}, bootstrap),
    )

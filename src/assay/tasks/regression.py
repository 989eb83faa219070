"""Regression: true and predicted numbers to Scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import polars as pl

from assay.core.arrays import Floats
from assay.core.errors import UsageError
from assay.core.tables import Source, Values
from assay.engine.scores import Scores
from assay.evidence.counting import finite
from assay.evidence.densities import Densities
from assay.evidence.from_values import densities, value_pairs
from assay.evidence.moments import ValueMoments
from assay.evidence.values import ValuePairs
from assay.formats.containers import frame_of
from assay.statistics.intervals import Bootstrap
from assay.tasks.assembly import Asked, chosen, described, scored
from assay.tasks.columns import named_columns
from assay.tasks.missing import ROW, Policy, numbered, settled
from assay.tasks.sklearn_profile import under_profile
from assay.tasks.slices import slices_of

NEEDS = {
    ValuePairs: "all true and predicted numbers at once",
    ValueMoments: "true and predicted numbers",
    Densities: "the density that a model gave to each item: name its column with `density`",
}


def regression(
    data: Any,
    measures: Asked = None,
    *,
    truth: str = "truth",
    predicted: str | None = None,
    density: str | None = None,
    item: str | None = None,
    weight: str | None = None,
    by: Sequence[str] = (),
    missing: Policy = "error",
    profile: str = "assay",
    name: str = "predictor",
    bootstrap: Bootstrap | None = Bootstrap(),  # noqa: B008 (frozen)
) -> Scores:
    """Evaluate predicted numbers, or the densities that a model gave to held-out numbers.

    ``data`` is a path, a frame or a dict of columns; the other arguments name its columns. ``by``
    names columns whose values make slices. ``item`` names the items, by which systems are paired;
    else they are numbered in the order in which they are given.
    """
    if predicted is None and density is None:
        predicted = "predicted"
    names = {"predicted": predicted, "density": density, "item": item, "weight": weight}
    names |= {"truth": truth} if predicted is not None else {}
    values, slices, notes = _read(data, names, by, missing)
    views = _views(values)
    asked = under_profile(chosen(measures, "regression", views, NEEDS), profile)
    results = scored(name, asked, views, bootstrap)
    for part, rows in slices.items():
        inside = Values(values.frame.filter(rows), Source(values.source.name))
        results += scored(name, asked, _views(inside), bootstrap, slice_name=part)
    return Scores(
        task="regression",
        results=tuple(results),
        conventions=described(
            {"values": values},
            bootstrap,
            profile=profile,
            missing=missing,
            items=len(values),
            item=item,
            slices={part: int(rows.sum()) for part, rows in slices.items()},
        ),
        warnings=notes,
    )


def _read(
    data: Any, names: Mapping[str, str | None], by: Sequence[str], missing: Policy
) -> tuple[Values, dict[str, pl.Series], tuple[str, ...]]:
    """The values, the rows of each slice, and notes on the items that were left out."""
    if missing == "wrong":
        raise UsageError(
            "`missing=wrong` is for classes: a number is never quite wrong; say `missing=drop`"
        )
    frame, source = frame_of(data, "the values")
    named_columns(frame, source, names)
    needed = {
        "true number": [names.get("truth")],
        "predicted number": [names["predicted"]],
        "density": [names["density"]],
    }
    slices_of(frame, source, by)  # What a complaint lists are the columns as they were given.
    whole = settled(numbered(frame, names["item"]), source, needed, missing)
    if names["item"] is None and (by or whole.notes):
        names = {**names, "item": ROW}
    values = Values.of(named_columns(whole.frame, whole.source, names), whole.source)
    return values, slices_of(whole.frame, whole.source, by), whole.notes


def _views(values: Values) -> dict[type, Callable[[], Any]]:
    made: dict[type, Callable[[], Any]] = {}
    if "predicted" in values.frame.columns:
        made[ValuePairs] = lambda: value_pairs(values)
        made[ValueMoments] = lambda: value_pairs(values).moments
    if "density" in values.frame.columns:
        made[Densities] = lambda: densities(values)
    return made


def numbers_of(data: Any, column: str) -> Floats:
    """The finite numbers of one column."""
    frame, source = frame_of(data, "the values")
    return finite(Values.of(named_columns(frame, source, {"truth": column}), source), "truth")


def value_pairs_of(
    data: Any,
    truth: str = "truth",
    predicted: str = "predicted",
    item: str | None = None,
    missing: Policy = "error",
) -> ValuePairs:
    """The view of true and predicted numbers that ``regression`` measures, for curves and pages."""
    names = {"truth": truth, "predicted": predicted, "density": None, "item": item}
    return value_pairs(_read(data, names, (), missing)[0])

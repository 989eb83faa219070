"""What runs return, what is judged and what is relevant, as areas: a row for each query."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import polars as pl

from assay.core.conventions import Conventions
from assay.core.phrases import quantity
from assay.core.tables import Run
from assay.evidence.alignment.run_order import order_run
from assay.reports.figures.figure import ACCENT, INK, MUTED, WARN, Axis, Figure
from assay.reports.figures.hatching import KeyBox
from assay.reports.figures.plane import Plane

RETRIEVED = ("retrieved, relevant", "retrieved, not relevant", "retrieved, unjudged")
"""The parts to the right of 0, from there on."""
MISSED = ("relevant, not retrieved", "not relevant, not retrieved")
"""The parts to the left of 0, from there on."""
UNJUDGED = RETRIEVED[-1]
HATCHING = 130
"""How many lines of hatching the whole axis has room for."""
UNEVEN = 4
"""From so many times as many documents on one side of 0, each side has a scale of its own."""
COLORS = {
    "retrieved, relevant": (ACCENT, 0.95),
    "retrieved, not relevant": (MUTED, 0.5),
    "retrieved, unjudged": (WARN, 0.25),
    "relevant, not retrieved": (ACCENT, 0.7),
    "not relevant, not retrieved": (MUTED, 0.22),
}
"""Color and opacity of each part; unjudged documents are hatched as well."""
OUTLINE: dict[str, Any] = {"stroke": MUTED, "stroke_width": 0.6}
"""Around each part: pale ones are hardly seen on paper without it."""


class DistanceAxis(Axis):
    """An axis that counts to both sides of 0; very different sides have a scale of their own."""

    @property
    def halved(self) -> bool:
        """Whether each side has half of the axis, because one would leave no room to the other."""
        short, long = sorted((-self.low, self.high))
        return 0 < UNEVEN * short < long

    def share(self, value: float) -> float:
        """Where a number stands, from 0 at the low end to 1 at the high end."""
        if not self.halved:
            return super().share(value)
        return 0.5 + 0.5 * (value / self.high if value > 0 else value / -self.low)

    def ticks(self) -> list[tuple[float, str]]:
        """Where ticks stand, and the distance from 0."""
        if not self.halved:
            return [(place, words.lstrip("-")) for place, words in super().ticks()]
        sides = [Axis("", 0, end, whole=True).ticks()[1:] for end in (-self.low, self.high)]
        return [*((-n, words) for n, words in sides[0]), (0.0, "0"), *sides[1]]


def retrieved_counts(
    judgments: pl.DataFrame, runs: Iterable[Run], rel: float, cutoff: int | None = None
) -> pl.DataFrame:
    """Return how many documents of each query fall into each part.

    A document counts once, however many runs return it. Queries of the judgments come first.
    """
    rows = [order_run(run, Conventions()) for run in runs]
    if cutoff is not None:
        rows = [each.filter(pl.col("place") <= cutoff) for each in rows]
    retrieved = pl.concat([each.select("query", "doc") for each in rows]).unique(
        maintain_order=True
    )
    judged = judgments.group_by("query", "doc", maintain_order=True).agg(
        relevant=pl.col("grade").max() >= rel
    )
    both = judged.join(
        retrieved.with_columns(retrieved=pl.lit(value=True)),
        on=["query", "doc"],
        how="full",
        coalesce=True,
        maintain_order="left_right",
    )
    relevant, found = pl.col("relevant"), pl.col("retrieved").is_not_null()
    parts = {
        "retrieved, relevant": found & relevant,
        "retrieved, not relevant": found & ~relevant,
        "retrieved, unjudged": relevant.is_null(),
        "relevant, not retrieved": ~found & relevant,
        "not relevant, not retrieved": ~found & ~relevant,
    }
    counted = [part.fill_null(value=False).sum().alias(name) for name, part in parts.items()]
    return both.group_by("query", maintain_order=True).agg(counted)


def retrieved_figure(counts: pl.DataFrame, drawn: list[str], runs: int) -> Figure:
    """Return a bar for each drawn query: the results of the runs right of 0, the rest left.

    The relevant documents lie around 0, the judged ones around them, so that the results, the
    judged and the relevant documents are three areas that overlap.
    """
    shown = counts.filter(pl.col("query").is_in(drawn))
    right = max(1, int(shown.select(pl.sum_horizontal(RETRIEVED).max()).item()))
    left = int(shown.select(pl.sum_horizontal(MISSED).max()).item())
    few = shown.height <= 20
    words = "documents: in no run | retrieved by a run"
    x = DistanceAxis.around(words, (-left, right), whole=True)
    if (uneven := DistanceAxis(f"{words} (two scales)", -left, right, whole=True)).halved:
        x = uneven
    names = tuple(shown["query"]) if few else ("",) * shown.height
    y = Axis("query", shown.height - 0.5, -0.5, names)
    high = max(8, 240 // shown.height)
    plane = Plane(x, y, 520, high * shown.height, left=86 if few else 40)
    for row, sizes in enumerate(shown.iter_rows(named=True)):
        _draw_row(plane, row, sizes)
    plane.rule((0, -0.5), (0, shown.height - 0.5), stroke=INK, stroke_dasharray=None)
    plane.key(
        [
            KeyBox(name, *look, "upright" if name == UNJUDGED else None)
            for name, look in COLORS.items()
        ]
    )
    points = {"queries": counts.to_dict(as_series=False)}
    return plane.figure(_title(counts, shown.height, runs), points, False)


def _draw_row(plane: Plane, row: int, sizes: dict[str, Any]) -> None:
    """Draw the parts of a query one beside the other, away from 0."""
    for names, sign in ((RETRIEVED, 1), (MISSED, -1)):
        start = 0
        for name in names:
            end = start + sign * sizes[name]
            across, down = (float(start), float(end)), (row - 0.36, row + 0.36)
            if sizes[name]:
                plane.box(across, down, *COLORS[name], f"{name}: {sizes[name]}", **OUTLINE)
            start = end
    before = sum(sizes[name] for name in RETRIEVED[:-1])
    whole = 1 / (plane.x.share(1.0) - plane.x.share(0.0))  # As many documents as the axis is long.
    for x in np.arange(before, before + sizes[UNJUDGED], whole / HATCHING):
        plane.line([x, x], [row - 0.36, row + 0.36], WARN, stroke_width=1)


def _title(counts: pl.DataFrame, drawn: int, runs: int) -> str:
    """Return what the picture shows, in words."""
    sums = {name: int(counts[name].sum()) for name in COLORS}
    results = sum(sums[name] for name in RETRIEVED)
    judged = results - sums["retrieved, unjudged"]
    some = f"{drawn} of " if drawn < counts.height else ""
    return (
        f"Results of {quantity(runs, 'run')} for {some}{quantity(counts.height, 'query')}:"
        f" {results:,} documents, {judged:,} of them judged,"
        f" {sums['retrieved, relevant']:,} relevant;"
        f" relevant documents in no run: {sums['relevant, not retrieved']:,}"
    )

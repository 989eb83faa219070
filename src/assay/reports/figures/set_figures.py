"""Retrieved and relevant documents as two overlapping sets, with their counts."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from assay.core.errors import DataError, UsageError, missing_column
from assay.core.tables import convert_column
from assay.evidence.views.rankings import Rankings
from assay.formats.containers import to_frame
from assay.reports.figures.figure import ACCENT, BAD, INK, MUTED, Axis, Figure, figure, text_width
from assay.reports.figures.panels import side_by_side
from assay.reports.figures.plane import Plane
from assay.reports.text.confusion_text import round_share
from assay.tasks.classification.method_counts import usual_names
from assay.tasks.retrieval.retrieval_evidence import RetrievalEvidence

MOST_SETS = 6
DASH = "6 4"
"""The circle of the relevant documents, so that it is known in print without color."""
SIDE = 300
"""The length of the side of the drawing that stands for the collection."""


@figure("venn", RetrievalEvidence)
def plot_venn(
    evidence: RetrievalEvidence, query: str | None = None, cutoff: int | None = None
) -> Figure:
    """Draw the retrieved and the relevant documents of a query as two sets, with their counts.

    Several runs have a panel each, on one scale.
    """
    if len(evidence.systems) > MOST_SETS:
        raise UsageError(f"found {len(evidence.systems)} runs; 1 to {MOST_SETS} are drawn")
    rankings = evidence.rankings(evidence.systems[0])
    if query is None and len(rankings.queries) > 1:
        raise UsageError(
            f"the sets of one query are drawn: name it with `query`; there are"
            f" {len(rankings.queries)}, such as {rankings.queries[0]}"
        )
    if query is not None and query not in rankings.queries:
        from assay.tasks.explanation.ranking_explanations import unknown_query_error

        raise unknown_query_error(query, evidence.judgments)
    name = query or rankings.queries[0]
    sizes = {}
    for system in evidence.systems:
        own = evidence.rankings(system)
        own = own.take([own.queries.index(name)])
        sizes[system] = query_sizes(own, evidence.rel, cutoff)
    return _side_by_side(f"Retrieved and relevant documents, query {name}", sizes)


@figure("sets")
def plot_sets(data: Any) -> Figure:
    """Draw the sets of methods given as counts, side by side.

    ``data`` is a table with the columns method, retrieved, relevant_retrieved and relevant, and
    corpus where the size of the collection is known.
    """
    frame, source = to_frame(data, "the methods")
    frame = usual_names(frame)
    names = ["relevant_retrieved", "retrieved", "relevant"]
    names += ["corpus"] if "corpus" in frame.columns else []
    if missing := [name for name in ("method", *names) if name not in frame.columns]:
        raise missing_column(source.name, missing[0], frame.columns)
    if not 0 < frame.height <= MOST_SETS:
        raise UsageError(f"{source.name}: found {frame.height} methods; 1 to {MOST_SETS} are drawn")
    columns = [convert_column(frame, name, pl.Int64(), source).to_list() for name in names]
    methods = zip(frame["method"].cast(pl.String).to_list(), *columns, strict=True)
    sizes = [SetSizes(name, *counts) for name, *counts in methods]
    return _side_by_side("Retrieved and relevant documents", {each.name: each for each in sizes})


def _side_by_side(title: str, sizes: Mapping[str, SetSizes]) -> Figure:
    """Return a panel for each pair of sets, all on one scale."""
    room = max(sizes.values(), key=lambda each: each.extent)
    drawn = [(name, draw_sets(each, room)) for name, each in sizes.items()]
    return drawn[0][1] if len(drawn) == 1 else side_by_side(title, drawn)


@dataclass(frozen=True)
class SetSizes:
    """How many documents are retrieved, relevant and both, of how many in all."""

    name: str
    both: int
    retrieved: int
    relevant: int
    corpus: int | None = None

    def __post_init__(self) -> None:
        least = min(self.both, self.retrieved - self.both, self.relevant - self.both)
        if least < 0 or (self.neither or 0) < 0:
            raise DataError(
                f"{self.name}: {self.both} documents are relevant and retrieved, of"
                f" {self.retrieved} retrieved and {self.relevant} relevant: impossible sizes"
            )

    @property
    def extent(self) -> float:
        """The side of a square in which both circles have room."""
        first, second, apart = _placed(self)
        wide = max(first, apart + second) - min(-first, apart - second)
        return max(wide, 2 * first, 2 * second, 1e-9)

    @property
    def neither(self) -> int | None:
        """How many documents are in none of the two sets."""
        if self.corpus is None:
            return None
        return self.corpus - self.retrieved - self.relevant + self.both


def _placed(sizes: SetSizes) -> tuple[float, float, float]:
    """Return the radius of each circle, and how far apart their centers are."""
    first, second = math.sqrt(sizes.retrieved / math.pi), math.sqrt(sizes.relevant / math.pi)
    return first, second, _distance(first, second, sizes.both)


def query_sizes(own: Rankings, rel: float = 1, cutoff: int | None = None) -> SetSizes:
    """Return the sizes of the two sets of one query."""
    end = int(own.retrieved[0]) if cutoff is None else min(int(own.retrieved[0]), cutoff)
    both, relevant = int(own.relevant(rel, cutoff).count[0]), int(own.relevant_count(rel)[0])
    return SetSizes(f"query {own.queries[0]}", both, end, relevant, own.corpus)


def draw_sets(sizes: SetSizes, room: SetSizes | None = None) -> Figure:
    """Return the two sets as circles whose areas, and that of their overlap, are the counts.

    Drawings with the same ``room``, the largest sets, have the same scale.
    """
    both, end, relevant, neither = sizes.both, sizes.retrieved, sizes.relevant, sizes.neither
    first, second, apart = _placed(sizes)
    middle = _middle(min(-first, apart - second), max(first, apart + second))
    half = 0.64 * (room or sizes).extent
    x = Axis("", middle - half, middle + half, ("",))
    y = Axis("", -half, half, ("",))
    plane = Plane(x, y, SIDE, SIDE, left=20)
    plane.bottom = 30 if neither is None else 46
    corners = [x.low, x.high, x.high, x.low, x.low], [y.low, y.low, y.high, y.high, y.low]
    plane.line(*corners, MUTED)
    for center, radius, color, dash in ((0.0, first, ACCENT, None), (apart, second, BAD, DASH)):
        turn = np.linspace(0, 2 * np.pi, 97)
        xs, ys = center + radius * np.cos(turn), radius * np.sin(turn)
        plane.area(xs.tolist(), ys.tolist(), color, 0.22)
        plane.line(xs.tolist(), ys.tolist(), color, stroke_dasharray=dash)
    spans = {
        "only retrieved": (-first, min(first, apart - second), end - both),
        "both": (max(-first, apart - second), min(first, apart + second), both),
        "only relevant": (max(first, apart - second), apart + second, relevant - both),
    }
    _write_counts(plane, spans, -max(first, second))
    _write_sizes(plane, sizes, y.high - 0.06 * (y.high - y.low))
    counts = {"both": [both], "only retrieved": [end - both], "only relevant": [relevant - both]}
    points = {sizes.name: counts | ({} if neither is None else {"neither": [neither]})}
    title = f"Retrieved and relevant documents, {sizes.name}: {both} are both"
    return plane.figure(title, points, grid=False)


def _write_counts(
    plane: Plane, spans: Mapping[str, tuple[float, float, int]], bottom: float
) -> None:
    """Write each count into its part, or below the circles where the part is too narrow."""
    unit = plane.width / (plane.x.high - plane.x.low)
    outside = -math.inf
    for low, high, count in spans.values():
        if not count:
            continue
        words, place = f"{count:g}", _middle(low, high)
        wide = text_width(words, 14, bold=True)
        if wide + 4 <= (high - low) * unit:
            plane.text(place, 0, words, size=14, font_weight="bold")
            continue
        # The next label stands right of the one before.
        outside = max(place, outside + (wide + 6) / unit)
        plane.rule((place, 0), (outside, bottom), stroke=INK, stroke_width=0.8)
        plane.text(outside, bottom, words, shift=(0, 9), size=14, font_weight="bold")


def _write_sizes(plane: Plane, sizes: SetSizes, above: float) -> None:
    """Write the sizes of the sets above them, and the rates below."""
    x, low = plane.x, plane.y.low
    unit = plane.width / (x.high - x.low)
    below = above - 10 / unit
    for words, side, sign, color, dash in (
        (f"retrieved: {sizes.retrieved}", x.low, 1, ACCENT, None),
        (f"relevant: {sizes.relevant}", x.high, -1, BAD, DASH),
    ):
        anchor = "start" if sign == 1 else "end"
        plane.text(side, above, words, anchor=anchor, shift=(8 * sign, 0), color=color)
        ends = side + sign * 8 / unit, side + sign * (8 + 0.85 * text_width(words)) / unit
        plane.line(ends, [below, below], color, stroke_dasharray=dash)  # As its circle.
    shares = [
        _share("precision", sizes.both, sizes.retrieved),
        _share("recall", sizes.both, sizes.relevant),
    ]
    if sizes.neither is not None:
        words = f"neither: {sizes.neither} of {sizes.corpus}"
        plane.text(x.high, low, words, anchor="end", shift=(-8, -12), color=MUTED)
        noise = sizes.retrieved - sizes.both
        words = _share("fall-out", noise, noise + sizes.neither)
        plane.text((x.low + x.high) / 2, low, words, shift=(0, 32), size=12)
    plane.text((x.low + x.high) / 2, low, ", ".join(shares), shift=(0, 16), size=12)


def _share(name: str, part: int, whole: int) -> str:
    return f"{name} {part}/{whole}" + (f" = {round_share(part / whole, 2)}" if whole else "")


def _middle(low: float, high: float) -> float:
    return (low + high) / 2


def _distance(first: float, second: float, overlap: float) -> float:
    """Return how far apart the centers are when the circles overlap by an area."""
    if overlap <= 0:
        return first + second + 0.05 * max(first, second)
    if overlap >= math.pi * min(first, second) ** 2 * (1 - 1e-12):
        return abs(first - second)
    near, far = abs(first - second), first + second
    for _ in range(60):
        middle = (near + far) / 2
        near, far = (middle, far) if _overlap(first, second, middle) > overlap else (near, middle)
    return (near + far) / 2


def _overlap(first: float, second: float, apart: float) -> float:
    """Return the area that two circles have in common."""
    one = math.acos((apart**2 + first**2 - second**2) / (2 * apart * first))
    two = math.acos((apart**2 + second**2 - first**2) / (2 * apart * second))
    kite = (
        (-apart + first + second)
        * (apart + first - second)
        * (apart - first + second)
        * (apart + first + second)
    )
    return first**2 * one + second**2 * two - math.sqrt(max(kite, 0)) / 2

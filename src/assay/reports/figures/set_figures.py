"""Retrieved and relevant documents as two overlapping sets, with their counts."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from assay.core.errors import DataError, UsageError, missing_column
from assay.core.tables import convert_column
from assay.evidence.views.rankings import Rankings
from assay.formats.containers import to_frame
from assay.reports.figures.figure import ACCENT, BAD, MUTED, Axis, Figure, figure
from assay.reports.figures.panels import side_by_side
from assay.reports.figures.plane import Plane
from assay.tasks.retrieval.retrieval_evidence import RetrievalEvidence

MOST_SETS = 6
SIDE = 300
"""The length of the side of the drawing that stands for the collection."""


@figure("venn", RetrievalEvidence)
def plot_venn(
    evidence: RetrievalEvidence, query: str | None = None, cutoff: int | None = None
) -> Figure:
    """Draw the retrieved and the relevant documents of a query as two sets, with their counts."""
    if len(evidence.systems) > 1:
        raise UsageError(f"the sets of one run are drawn, found {len(evidence.systems)}")
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
    return venn_figure(rankings.take([rankings.queries.index(name)]), evidence.rel, cutoff)


@figure("sets")
def plot_sets(data: Any) -> Figure:
    """Draw the sets of methods given as counts, side by side.

    ``data`` is a table with the columns method, retrieved, relevant_retrieved and relevant, and
    corpus where the size of the collection is known.
    """
    frame, source = to_frame(data, "the methods")
    names = ["relevant_retrieved", "retrieved", "relevant"]
    names += ["corpus"] if "corpus" in frame.columns else []
    if missing := [name for name in ("method", *names) if name not in frame.columns]:
        raise missing_column(source.name, missing[0], frame.columns)
    if not 0 < frame.height <= MOST_SETS:
        raise UsageError(f"{source.name}: found {frame.height} methods; 1 to {MOST_SETS} are drawn")
    columns = [convert_column(frame, name, pl.Int64(), source).to_list() for name in names]
    drawn = []
    for name, *counts in zip(frame["method"].cast(pl.String).to_list(), *columns, strict=True):
        drawn.append((name, draw_sets(SetSizes(name, *counts))))
    if len(drawn) == 1:
        return drawn[0][1]
    return side_by_side("Retrieved and relevant documents", drawn)


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
    def neither(self) -> int | None:
        """How many documents are in none of the two sets."""
        if self.corpus is None:
            return None
        return self.corpus - self.retrieved - self.relevant + self.both


def venn_figure(own: Rankings, rel: float = 1, cutoff: int | None = None) -> Figure:
    """Return the two sets of one query."""
    end = int(own.retrieved[0]) if cutoff is None else min(int(own.retrieved[0]), cutoff)
    both, relevant = int(own.relevant(rel, cutoff).count[0]), int(own.relevant_count(rel)[0])
    return draw_sets(SetSizes(f"query {own.queries[0]}", both, end, relevant, own.corpus))


def draw_sets(sizes: SetSizes) -> Figure:
    """Return the two sets as circles whose areas, and that of their overlap, are the counts."""
    both, end, relevant, neither = sizes.both, sizes.retrieved, sizes.relevant, sizes.neither
    first, second = math.sqrt(end / math.pi), math.sqrt(relevant / math.pi)
    apart = _distance(first, second, both)
    low, high = min(-first, apart - second), max(first, apart + second)
    top = max(first, second)
    margin = 0.18 * max(high - low, 2 * top, 1e-9)
    x = Axis("", low - margin, high + margin, ("",))
    y = Axis("", -top - margin, top + margin, ("",))
    scale = SIDE * 1.4 / (x.high - x.low)
    plane = Plane(x, y, round(SIDE * 1.4), round(scale * (y.high - y.low)), left=20)
    plane.bottom = 30
    plane.frame((x.low, x.high), (y.low, y.high), MUTED)
    for center, radius, color in ((0.0, first, ACCENT), (apart, second, BAD)):
        turn = np.linspace(0, 2 * np.pi, 97)
        xs, ys = center + radius * np.cos(turn), radius * np.sin(turn)
        plane.area(xs.tolist(), ys.tolist(), color, 0.22)
        plane.line(xs.tolist(), ys.tolist(), color)
    only_first = _middle(-first, min(first, apart - second))
    only_second = _middle(max(first, apart - second), apart + second)
    middle = _middle(max(-first, apart - second), min(first, apart + second))
    for place, count in ((only_first, end - both), (only_second, relevant - both), (middle, both)):
        if count:
            plane.text(place, 0, f"{count:g}", size=14, font_weight="bold")
    _write_sizes(plane, sizes, y.high - margin * 0.45)
    counts = {"both": [both], "only retrieved": [end - both], "only relevant": [relevant - both]}
    points = {sizes.name: counts | ({} if neither is None else {"neither": [neither]})}
    title = f"Retrieved and relevant documents, {sizes.name}: {both} are both"
    return plane.figure(title, points, grid=False)


def _write_sizes(plane: Plane, sizes: SetSizes, above: float) -> None:
    """Write the sizes of the sets above them, and the rates below."""
    x, low = plane.x, plane.y.low
    words = f"retrieved: {sizes.retrieved}"
    plane.text(x.low, above, words, anchor="start", shift=(8, 0), color=ACCENT)
    words = f"relevant: {sizes.relevant}"
    plane.text(x.high, above, words, anchor="end", shift=(-8, 0), color=BAD)
    shares = [
        _share("precision", sizes.both, sizes.retrieved),
        _share("recall", sizes.both, sizes.relevant),
    ]
    if sizes.neither is not None:
        words = f"neither: {sizes.neither} of {sizes.corpus}"
        plane.text(x.high, low, words, anchor="end", shift=(-8, -12), color=MUTED)
        noise = sizes.retrieved - sizes.both
        shares.append(_share("fall-out", noise, noise + sizes.neither))
    plane.text((x.low + x.high) / 2, low, ", ".join(shares), shift=(0, 16), size=12)


def _share(name: str, part: int, whole: int) -> str:
    return f"{name} {part}/{whole}" + (f" = {part / whole:.2f}" if whole else "")


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

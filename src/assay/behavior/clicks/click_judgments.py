"""From clicks to relevance: judgments of kind "clicks" from a fitted click model.

The relevance of a document is the probability that it satisfies: attractiveness (PBM, UBM, cascade,
DCM), attractiveness × satisfaction (DBN, SDBN) or attractiveness squared (CCM).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from assay.behavior.clicks.fitted_model import ClickModel
from assay.core.arrays import Floats
from assay.core.errors import DataError, UsageError, unknown_name
from assay.core.output_files import open_output
from assay.core.phrases import quantity
from assay.core.printable import Printable
from assay.core.tables import Judgments, Source
from assay.formats.containers import format_by_ending, to_judgments

MAPS = ("err", "quantiles", "isotonic")
"""How relevance becomes grades."""


@dataclass(frozen=True, eq=False, repr=False)
class ClickJudgments(Printable):
    """Relevance and grades of documents, estimated from clicks."""

    judgments: pl.DataFrame
    """query, doc, grade, relevance, low, high, impressions, clicks, coec, source."""
    agreement: pl.DataFrame
    """pairs, tau, auc and their notes: agreement with human judgments; no rows without them."""
    notes: tuple[str, ...] = ()
    by_grade: pl.DataFrame = field(default_factory=pl.DataFrame)
    """Of each human grade: documents, mean relevance by impressions, its quartiles, and what ERR
    assumes of the grade; no rows without human judgments."""

    @property
    def table(self) -> Judgments:
        """The grades as judgments."""
        return Judgments.of(self.judgments, Source("judgments from clicks"))

    def save(self, path: str | Path) -> None:
        """Write the judgments: all columns to CSV, JSON lines and Parquet, else only grades."""
        form = format_by_ending(path)
        table = self.table
        keeps = form.name in ("csv", "jsonl", "parquet")
        rows = self.judgments if keeps else table.frame
        with open_output(path) as handle:
            for part in form.write(table, rows):
                handle.write(part)


def click_judgments(
    model: Any,
    *,
    qrels: Any = None,
    by: str = "relevance",
    map: str | None = None,
    levels: int = 4,
    least: int = 10,
    confidence: float = 0.95,
) -> ClickJudgments:
    """Return judgments from a fitted click model, or from the file of one.

    ``by`` is relevance (the probability that a document satisfies) or coec (clicks over expected
    clicks). Documents with fewer than ``least`` impressions are left out, and counted. ``map`` says
    how relevance becomes one of the grades 0 to ``levels``: err inverts the probabilities of ERR,
    quantiles makes grades of about equal size, and isotonic fits a monotone function to human
    judgments, ``qrels``. Where there are human judgments, the agreement with them is reported.
    """
    fitted = model if isinstance(model, ClickModel) else ClickModel.load(model)
    frame, notes = _estimates(fitted, by, least, confidence)
    human = None if qrels is None else to_judgments(qrels).frame.select("query", "doc", "grade")
    joined = None if human is None else frame.join(human, on=["query", "doc"], how="inner")
    how = map or ("err" if joined is None or not joined.height else "isotonic")
    if how not in MAPS:
        raise unknown_name("map to grades", how, MAPS)
    if how == "isotonic" and (joined is None or not joined.height):
        raise UsageError("an isotonic map needs human judgments of some documents: give `qrels`")
    grades = _grades(frame[by].to_numpy(), how, levels, joined, by)
    source = f"clicks:{fitted.name}"
    table = frame.with_columns(grade=pl.Series(grades), source=pl.lit(source)).select(
        "query",
        "doc",
        "grade",
        "relevance",
        "low",
        "high",
        "impressions",
        "clicks",
        "coec",
        "source",
    )
    agreement = agreement_frame(joined, by)
    if qrels is None:
        notes.append("no human judgments were given: the agreement with them is not known")
    return ClickJudgments(table, agreement, (*fitted.notes, *notes), _by_grade(joined))


def _by_grade(joined: pl.DataFrame | None) -> pl.DataFrame:
    """Return the relevance of the documents of each human grade, from clicks and as ERR has it."""
    if joined is None or not joined.height:
        return pl.DataFrame()
    weighted = pl.col("relevance") * pl.col("impressions")
    highest = float(joined["grade"].max())  # type: ignore[arg-type]
    assumed = (2.0 ** pl.col("grade").clip(0) - 1) / 2.0**highest
    return (
        joined.group_by("grade")
        .agg(
            documents=pl.len(),
            relevance=weighted.sum() / pl.col("impressions").sum(),
            quarter=pl.col("relevance").quantile(0.25, "linear"),
            three_quarters=pl.col("relevance").quantile(0.75, "linear"),
        )
        .with_columns(assumed=assumed)
        .sort("grade")
    )


def _estimates(
    model: ClickModel, by: str, least: int, confidence: float
) -> tuple[pl.DataFrame, list[str]]:
    if not model.structure.relevance:
        raise UsageError(f"the {model.structure.label} has no parameter of documents")
    if by not in ("relevance", "coec"):
        raise unknown_name("estimate", by, ("relevance", "coec"))
    relevance, low, high = relevance_interval(model, confidence)
    frame = model.pairs.select("query", "doc", "impressions", "clicks", "coec").with_columns(
        relevance=pl.Series(relevance), low=pl.Series(low), high=pl.Series(high)
    )
    kept = frame.filter(pl.col("impressions") >= least)
    notes = []
    if kept.height < frame.height:
        left_out = quantity(frame.height - kept.height, "document")
        notes.append(f"{left_out} with fewer than {least} impressions are left out")
    if not kept.height:
        raise DataError(f"no document has {least} impressions; lower the minimum (`least`)")
    return kept, notes


def relevance_interval(model: ClickModel, confidence: float) -> tuple[Floats, Floats, Floats]:
    """Return the relevance of each pair with an interval.

    The parameters are estimated with their standard errors, which are taken as independent; the
    interval is that of the Beta distribution with the same mean and variance.
    """
    from scipy.stats import beta

    size = model.pairs.height
    mean, square = np.ones(size), np.ones(size)
    names = model.structure.relevance
    for name in dict.fromkeys(names):
        value = model.value(name)
        error = model.value(f"{name}_se") if f"{name}_se" in model.pairs.columns else value * np.nan
        power = names.count(name)
        mean *= value**power
        square *= value ** (2 * power) + (power * value ** (power - 1) * error) ** 2
    variance = np.maximum(square - mean**2, 1e-300)
    inside = np.clip(mean, 1e-9, 1 - 1e-9)
    total = np.maximum(inside * (1 - inside) / variance - 1, 1e-3)
    tail = (1 - confidence) / 2
    low, high = (beta.ppf(q, inside * total, (1 - inside) * total) for q in (tail, 1 - tail))
    known = np.isfinite(variance)
    return mean, np.where(known, low, np.nan), np.where(known, high, np.nan)


def _grades(
    estimate: Floats, how: str, levels: int, joined: pl.DataFrame | None, by: str
) -> Floats:
    if levels < 1:
        raise UsageError("there must be at least one grade above 0")
    if how == "err":
        if by == "coec":
            raise UsageError("coec is not a probability: map it by quantiles or isotonic")
        return np.minimum(np.round(np.log2(1 + np.clip(estimate, 0, 1) * 2**levels)), levels)
    if how == "quantiles":
        ends = np.quantile(estimate, np.arange(1, levels + 1) / (levels + 1))
        return np.searchsorted(ends, estimate, side="right").astype(np.float64)
    if joined is None:
        raise UsageError("an isotonic map needs human judgments")
    return isotonic_map(joined[by].to_numpy(), joined["grade"].to_numpy(), estimate)


def isotonic_map(known: Floats, grades: Floats, estimate: Floats) -> Floats:
    """Return the grade of each estimate by the monotone function nearest to known grades."""
    from scipy.optimize import isotonic_regression

    order = np.lexsort((grades, known))
    at, first, size = np.unique(known[order], return_index=True, return_counts=True)
    sums = np.add.reduceat(grades[order], first)
    fitted = isotonic_regression(sums / size, weights=size).x
    return np.round(np.interp(estimate, at, fitted))


def agreement_frame(joined: pl.DataFrame | None, by: str) -> pl.DataFrame:
    """Return how estimates agree with human grades: Kendall's tau-b, and the share of pairs.

    The share is of the pairs of documents of one query with different grades that the estimate
    orders as the grades do (AUC).
    """
    schema = {"documents": pl.Int64, "queries": pl.Int64, "tau": pl.Float64, "auc": pl.Float64}
    if joined is None:
        return pl.DataFrame(schema=schema)
    if not joined.height:
        return pl.DataFrame([(0, 0, math.nan, math.nan)], schema=schema, orient="row")
    from scipy.stats import kendalltau

    right = pairs = 0.0
    for _, part in joined.sort("query", "doc").group_by("query", maintain_order=True):
        grade, value = part["grade"].to_numpy(), part[by].to_numpy()
        above = grade[:, None] > grade[None, :]
        difference = value[:, None] - value[None, :]
        right += float((above & (difference > 0)).sum() + 0.5 * (above & (difference == 0)).sum())
        pairs += float(above.sum())
    tau = float(kendalltau(joined[by].to_numpy(), joined["grade"].to_numpy()).statistic)
    auc = right / pairs if pairs else math.nan
    row = (joined.height, joined["query"].n_unique(), tau, auc)
    return pl.DataFrame([row], schema=schema, orient="row")

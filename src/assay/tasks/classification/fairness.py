"""Fairness of decisions between slices: gaps of rates with intervals and tests, worst slices."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl

from assay.core.closed_form_intervals import difference_reach
from assay.core.errors import NeedsInput, UsageError
from assay.core.printable import Printable
from assay.evidence.labels import Labels
from assay.evidence.views.confusion import Confusion
from assay.formats.arrays import text_of
from assay.formats.decimal_commas import with_decimal_commas
from assay.statistics.corrections import adjust_p_values
from assay.statistics.intervals.interval_ends import wilson_ends
from assay.statistics.slice_gaps import slice_column
from assay.tasks.classification.classification import ClassificationEvidence
from assay.tasks.classification.classification_columns import ClassificationColumns
from assay.tasks.classification.predictions import NEEDS
from assay.tasks.inputs.array_columns import read_arrays
from assay.tasks.inputs.missing_values import MissingPolicy
from assay.tasks.table_evidence import Columns

CRITERIA = {
    "demographic parity": "predicted_prevalence",
    "equal opportunity": "TPR",
    "predictive equality": "FPR",
    "predictive parity": "PPV",
    "equal accuracy": "ACC",
}
"""The rate that is equal in all slices under each criterion."""
EQUALIZED_ODDS = ("TPR", "FPR")
"""The rates that equalized odds make equal, both at once."""
MIN_SIZE = 20
LEAST_EXPECTED = 5  # Cochran's rule for chi-squared
WORSE = {"TPR": -1, "FPR": 1, "PPV": -1, "ACC": -1}
"""The sign of a difference that is worse; a share predicted positive is neither."""


@dataclass(frozen=True)
class SliceRates:
    """The rates of one slice as counts: how many of how many."""

    name: str
    size: int
    rates: dict[str, tuple[int, int]]

    @classmethod
    def of(cls, name: str, matrix: Confusion) -> SliceRates:
        """Return the rates of the positive class of a matrix that counts items."""
        counts, own = matrix.matrix[0], matrix.labels.index(str(matrix.positive))
        tp, size = int(counts[own, own]), int(counts.sum())
        fn, fp = int(counts[own].sum()) - tp, int(counts[:, own].sum()) - tp
        tn = size - tp - fn - fp
        rates = {
            "predicted_prevalence": (tp + fp, size),
            "TPR": (tp, tp + fn),
            "FPR": (fp, fp + tn),
            "PPV": (tp, tp + fp),
            "ACC": (tp + tn, size),
        }
        return cls(name, size, rates)

    def share(self, rate: str) -> float:
        """Return the value of a rate; NaN where it is undefined."""
        count, of = self.rates[rate]
        return count / of if of else math.nan


@dataclass(frozen=True, repr=False, eq=False)
class FairnessReport(Printable):
    """The gaps of each criterion between slices, and the slices that differ most from the rest."""

    gaps: pl.DataFrame
    """For each system, column and criterion: the highest and the lowest slice, the gap, its
    interval, and the p-value of equal rates in all slices."""
    worst: pl.DataFrame
    """For each system and slice that is worse than the other items: its rate, theirs, and the
    corrected p-value. A share predicted positive is not better or worse: all slices."""
    notes: tuple[str, ...]


def fairness(
    data: Any,
    y_pred: Any = None,
    *,
    by: Any,
    y_score: Any = None,
    truth: str = "truth",
    predicted: Columns = None,
    score: Columns = None,
    positive: Any = None,
    threshold: float | None = None,
    labels: Labels = None,
    missing: MissingPolicy = "error",
    rate: str = "ACC",
    min_size: int = MIN_SIZE,
    confidence: float = 0.95,
    decimal_comma: bool = False,
) -> FairnessReport:
    """Compare the decisions of classifiers between slices, by the criteria of fairness.

    Inputs are as in ``classification``; ``by`` names the columns, or holds the arrays, whose values
    define the slices. Demographic parity compares the share that is predicted positive, equal
    opportunity the TPR, equalized odds TPR and FPR. Slices with fewer items than ``min_size`` are
    left out. ``rate`` is what the worst slices are searched by. ``decimal_comma`` reads 0,25.

    >>> import assay
    >>> truth, group = [1, 1, 0, 0] * 10, ["a", "b"] * 20
    >>> guess = [1, 0, 0, 0] * 10
    >>> found = assay.fairness(truth, guess, by={"group": group})
    >>> found.gaps.filter(found.gaps["criterion"] == "equal opportunity")["gap"].to_list()
    [1.0]
    """
    columns = ClassificationColumns(
        truth=truth,
        predicted=predicted if y_pred is None else y_pred,
        score=score if y_score is None else y_score,
        positive=text_of(positive),
        by=[by] if isinstance(by, str) else by,
        missing=missing,
        threshold=threshold,
        labels=labels,
    )
    data = with_decimal_commas(data, decimal_comma)
    evidence = ClassificationEvidence.read(*read_arrays(data, columns))
    return fairness_report(evidence, rate, min_size, confidence)


def fairness_report(
    evidence: ClassificationEvidence,
    rate: str = "ACC",
    min_size: int = MIN_SIZE,
    confidence: float = 0.95,
) -> FairnessReport:
    """Compare the slices of each system."""
    if rate not in CRITERIA.values():
        raise UsageError(f"`rate={rate}` is not one of {', '.join(CRITERIA.values())}")
    if not 0 < confidence < 1:
        raise UsageError(f"a confidence is between 0 and 1, not {confidence}")
    gaps: list[dict[str, Any]] = []
    worst: list[dict[str, Any]] = []
    notes: list[str] = []
    for system in evidence.systems:
        slices = _slice_rates(evidence, system)
        small = [each for each in slices if each.size < min_size]
        if small:
            named = ", ".join(f"{each.name} ({each.size})" for each in small)
            notes.append(f"{system}: slices with fewer than {min_size} items are left out: {named}")
        kept = [each for each in slices if each.size >= min_size]
        whole = SliceRates.of("all", evidence.views(system)[Confusion]())
        for column in dict.fromkeys(slice_column(each.name) for each in kept):
            own = [each for each in kept if slice_column(each.name) == column]
            rows = gap_rows(own, confidence)
            gaps += [{"system": system, "by": column, **row} for row in rows]
            notes += _rough_notes(system, column, own)
        worst += [{"system": system, **row} for row in worst_slices(kept, whole, rate)]
    notes += [
        "p: equal rates in all slices (Fisher's exact test of two, chi-squared of more); [low,"
        f" high]: {100 * confidence:g}% interval of the gap (Newcombe), over all pairs of slices",
        f"worst: {rate} of a slice against all other items, Fisher's exact test, Holm's correction"
        " over the slices searched",
        "equalized odds: the smaller p of TPR and FPR, doubled (Bonferroni)",
    ]
    if not gaps:
        raise NeedsInput(
            f"there are fewer than two slices of at least {min_size} items; name another column"
            " with `by`, or lower `min_size`"
        )
    schema: dict[str, Any] = dict.fromkeys(("system", "slice"), pl.String) | {"items": pl.Int64}
    schema |= dict.fromkeys((rate, "others", "difference", "p", "corrected"), pl.Float64)
    return FairnessReport(pl.DataFrame(gaps), pl.DataFrame(worst, schema), tuple(notes))


def _rough_notes(system: str, column: str, slices: Sequence[SliceRates]) -> list[str]:
    """Return a note on criteria whose chi-squared test has fewer than five expected items."""
    rough = []
    for criterion, rate in CRITERIA.items():
        counts = np.asarray([each.rates[rate] for each in slices if each.rates[rate][1]])
        hits, items = counts.sum(axis=0) if len(counts) > 2 else (0, 1)
        if 0 < min(hits, items - hits) * counts[:, 1].min() / items < LEAST_EXPECTED:
            rough.append(criterion)
    return [
        f"{system}: p of {', '.join(rough)} between slices of {column} is rough, and may disagree"
        f" with the interval: chi-squared of fewer than {LEAST_EXPECTED} expected items in a slice"
    ][: bool(rough)]


def _slice_rates(evidence: ClassificationEvidence, system: str) -> list[SliceRates]:
    """Return the rates of all slices of a system."""
    if Confusion not in evidence.views(system):
        raise NeedsInput(f"fairness needs {NEEDS[Confusion]}")
    whole = evidence.views(system)[Confusion]()
    if whole.positive is None:
        raise NeedsInput("fairness is about one class of two: name it with `positive`")
    if "weight" in evidence.members[system].table.frame.columns:
        raise UsageError("fairness counts items; leave the weights out")
    if not evidence.slices(system):
        raise NeedsInput("fairness compares slices: name their column with `by`")
    return [
        SliceRates.of(name, evidence.views(system, name)[Confusion]())
        for name in evidence.slices(system)
    ]


def gap_rows(slices: Sequence[SliceRates], confidence: float) -> list[dict[str, Any]]:
    """Return a row for each criterion: the widest gap between two of the slices."""
    rows = {}
    for criterion, rate in CRITERIA.items():
        known = [each for each in slices if each.rates[rate][1]]
        if len(known) > 1:
            rows[criterion] = {"criterion": criterion, **_gap(known, rate, confidence)}
    if all(any(row["rate"] == rate for row in rows.values()) for rate in EQUALIZED_ODDS):
        both = [row for row in rows.values() if row["rate"] in EQUALIZED_ODDS]
        wider = max(both, key=lambda row: row["gap"])
        p = min(1.0, 2 * min(row["p"] for row in both))
        odds = {
            **wider,
            "criterion": "equalized odds",
            "rate": f"TPR, FPR ({wider['rate']})",
            "p": p,
        }
        rows["equalized odds"] = odds
    return list(rows.values())


def _gap(slices: Sequence[SliceRates], rate: str, confidence: float) -> dict[str, Any]:
    low, *_, high = sorted(slices, key=lambda each: (each.share(rate), each.name))
    pairs = len(list(combinations(slices, 2)))
    level = 1 - (1 - confidence) / pairs
    ends = newcombe_interval(high.rates[rate], low.rates[rate], level)
    return {
        "gap": high.share(rate) - low.share(rate),
        "low": ends[0],
        "high": ends[1],
        "p": homogeneity_p([each.rates[rate] for each in slices]),
        "rate": rate,
        "highest": high.name,
        "high_rate": high.share(rate),
        "lowest": low.name,
        "low_rate": low.share(rate),
    }


def newcombe_interval(
    one: tuple[int, int], two: tuple[int, int], confidence: float
) -> tuple[float, float]:
    """Return Newcombe's interval of the difference of two shares, from Wilson's of each."""
    shares = np.asarray([one[0] / one[1], two[0] / two[1]])
    successes, trials = (np.asarray(each, dtype=float) for each in zip(one, two, strict=True))
    ends = wilson_ends(successes, trials, confidence)
    below, above = difference_reach(*np.stack((shares, *ends), axis=1).tolist())
    difference = float(shares[0] - shares[1])
    return difference - below, difference + above


def homogeneity_p(counts: Sequence[tuple[int, int]]) -> float:
    """Return the p-value that all shares are equal: exact for two, chi-squared for more."""
    from scipy.stats import chi2_contingency, fisher_exact

    table = [[count, of - count] for count, of in counts]
    if len(table) == 2:
        return float(fisher_exact(table).pvalue)
    if not all(sum(column) for column in zip(*table, strict=True)):
        return 1.0
    return float(chi2_contingency(table, correction=False).pvalue)


def worst_slices(
    slices: Sequence[SliceRates], whole: SliceRates, rate: str
) -> list[dict[str, Any]]:
    """Return the slices worse than all other items, the smallest corrected p-value first."""
    rows: list[dict[str, Any]] = []
    for each in slices:
        (count, of), (total, items) = each.rates[rate], whole.rates[rate]
        rest = (total - count, items - of)
        if not of or not rest[1]:
            continue
        rows.append(
            {
                "slice": each.name,
                "items": each.size,
                rate: count / of,
                "others": rest[0] / rest[1],
                "difference": count / of - rest[0] / rest[1],
                "p": homogeneity_p([(count, of), rest]),
            }
        )
    corrected = adjust_p_values(np.asarray([row["p"] for row in rows], dtype=float), "holm")
    for row, p in zip(rows, corrected, strict=True):
        row["corrected"] = float(p)
    worse = [row for row in rows if rate not in WORSE or row["difference"] * WORSE[rate] > 0]
    return sorted(worse, key=lambda row: (row["corrected"], row["p"], row["difference"]))

"""The overview of a 2 × 2 confusion matrix: every rate in its place, in either orientation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from assay.core.errors import UsageError
from assay.core.names import measure
from assay.core.printable import Printable
from assay.engine.local import evaluate
from assay.evidence.labels import positive_class
from assay.evidence.views.confusion import Confusion, Rows
from assay.tasks.classification.unknown_negatives import (
    NOT_GIVEN,
    known_part,
    needs_negatives,
)

GRID = (
    ("", "P", "N", "of the row", ""),
    ("T", "TP", "FP", "PPV", "FDR"),
    ("F", "FN", "TN", "FOR", "NPV"),
    ("of the column", "TPR", "FPR", "ACC", ""),
    ("", "FNR", "TNR", "", "ERR"),
)
"""Where each rate stands with predictions in rows: right of the counts those of a row, which sum
to 1 there, below them those of a column; accuracy and error belong to the diagonals."""
RATES = {
    "PPV": "TP / T",
    "FDR": "FP / T",
    "FOR": "FN / F",
    "NPV": "TN / F",
    "TPR": "TP / P",
    "FNR": "FN / P",
    "FPR": "FP / N",
    "TNR": "TN / N",
    "ACC": "(TP + TN) / (P + N)",
    "ERR": "(FP + FN) / (P + N)",
    "prevalence": "P / (P + N)",
    "F": "2 PPV · TPR / (PPV + TPR)",
}
OTHER_NAMES = {
    "PPV": "precision",
    "TPR": "sensitivity, recall, hit rate",
    "FPR": "fall-out",
    "FNR": "miss rate",
    "TNR": "specificity",
    "ERR": "misclassification rate",
}


@dataclass(frozen=True, repr=False, eq=False)
class MatrixOverview(Printable):
    """The counts and rates of one yes-or-no question, arranged as a matrix with margins."""

    overview: pl.DataFrame
    """The grid as text: counts in the middle, rates in the margins."""
    rates: pl.DataFrame
    """A row for each rate: its name, value, formula and other names."""
    prevalences: pl.DataFrame | None
    """PPV, NPV and accuracy where another share of the items is positive."""
    notes: tuple[str, ...] = ()


def overview(
    matrix: Confusion,
    rows: Rows = "predicted",
    *,
    prevalence: Sequence[float] = (),
    digits: int = 3,
) -> MatrixOverview:
    """Arrange the counts and rates of a 2 × 2 matrix, with predicted or actual classes in rows.

    ``prevalence`` lists other shares of positive items: what the same sensitivity and specificity
    would give there. Collapse a matrix of more classes first: ``matrix.collapse("woman")``.

    >>> import assay
    >>> matrix = assay.confusion([[20, 180], [10, 1820]], rows="predicted", labels=["yes", "no"])
    >>> assay.overview(matrix).overview.rows()[1]
    ('false (F = 1830)', 'FN = 10', 'TN = 1820', 'FOR = 0.005', 'NPV = 0.995')
    """
    if rows not in ("actual", "predicted"):
        raise UsageError(f"`rows` is {rows!r}; actual or predicted is expected")
    _require_two_classes(matrix)
    bad = [each for each in prevalence if not 0 <= each <= 1]
    if bad:
        raise UsageError(f"`prevalence` is {bad[0]:g}; a number from 0 to 1 is expected")
    positive = matrix.positive or positive_class(matrix.labels) or matrix.labels[0]
    one = matrix.collapse(positive)
    counts = {"TP": one.tp[0], "FP": one.fp[0], "FN": one.fn[0], "TN": one.tn[0]}
    names = [*RATES]
    values = {name: float(measure(name, "classification")(one)[0]) for name in names}
    frame = pl.DataFrame(
        {
            "rate": names,
            "value": [values[name] for name in names],
            "formula": [RATES[name] for name in names],
            "other names": [OTHER_NAMES.get(name, "") for name in names],
        }
    )
    texts = {name: f"{name} = {_count(value)}" for name, value in counts.items()}
    texts |= {name: f"{name} = {_number(value, digits)}" for name, value in values.items()}
    texts |= _sums(counts, positive)
    items = sum(counts.values())
    return MatrixOverview(
        _grid(texts, rows),
        frame,
        _other_prevalences(one, prevalence) if len(prevalence) else None,
        (
            f"positive: '{positive}' (`positive` names another); {_count(items)} items, prevalence"
            f" {_number(values['prevalence'], digits)}; F = {_number(values['F'], digits)}",
            "each pair of rates of a row or a column sums to 1, as ACC and ERR do",
            *_undefined_rates(one, values),
        ),
    )


def _require_two_classes(matrix: Confusion) -> None:
    """Raise an error for what is no single matrix of two classes."""
    if not isinstance(matrix, Confusion):
        raise UsageError(
            f"an overview is of a confusion matrix, not of a {type(matrix).__name__}: give"
            ' assay.confusion(matrix, rows="predicted", labels=["yes", "no"])'
        )
    if len(matrix.labels) != 2 or len(matrix.names) != 1:
        raise UsageError(
            f"the matrix has {len(matrix.labels)} classes; an overview is of two: collapse it to"
            f" one class against the rest, such as `collapse={matrix.labels[0]}` (in Python"
            f" matrix.collapse('{matrix.labels[0]}'))"
        )


def _undefined_rates(one: Confusion, values: dict[str, float]) -> list[str]:
    """Return why rates are undefined, and what F from counts would be."""
    known, reasons = known_part(one), dict[str, list[str]]()
    for name in (name for name, value in values.items() if np.isnan(value)):
        asked = measure(name, "classification")
        if one.lacks_negatives and needs_negatives(asked):
            why = NOT_GIVEN
        else:
            why = str(evaluate(known, [asked], "")[0].reasons[0])
        reasons.setdefault(why, []).append(name)
    notes = [f"undefined: {', '.join(names)}: {why}" for why, names in reasons.items()]
    counted = float(measure("F(form=count)", "classification")(known)[0])
    if np.isnan(values["F"]) and not np.isnan(counted):
        notes.append(f"F from counts, 2 TP / (2 TP + FP + FN), is {counted:g}: F(form=count)")
    return notes


def _sums(counts: dict[str, float], positive: str) -> dict[str, str]:
    tp, fp, fn, tn = counts.values()
    return {
        "P": f"positive: {positive} (P = {_count(tp + fn)})",
        "N": f"negative (N = {_count(fp + tn)})",
        "T": f"true (T = {_count(tp + fp)})",
        "F": f"false (F = {_count(fn + tn)})",
    }


def _count(value: float) -> str:
    return "–" if np.isnan(value) else f"{value:g}"


def _number(value: float, digits: int) -> str:
    return "–" if np.isnan(value) else f"{value:.{digits}f}"


def _grid(texts: dict[str, str], rows: Rows) -> pl.DataFrame:
    """Return the grid of texts, turned where actual classes are in its rows."""
    placed = GRID if rows == "predicted" else tuple(zip(*GRID, strict=True))
    other = "actual" if rows == "predicted" else "predicted"
    swapped = {"of the row": "of the column", "of the column": "of the row"}
    if rows == "actual":
        texts = texts | swapped
    (_, *head), *body = [[texts.get(cell, cell) for cell in row] for row in placed]
    names = [f"{rows} ↓ {other} →", *head[:-1], " "]
    return pl.DataFrame({name: [row[n] for row in body] for n, name in enumerate(names)})


def _other_prevalences(one: Confusion, prevalence: Sequence[float]) -> pl.DataFrame:
    """Return PPV, NPV and accuracy at each prevalence, at the same sensitivity and specificity."""
    rates = {
        name: [float(measure(f"{name}(prevalence={each})", "classification")(one)[0])
               for each in prevalence]
        for name in ("PPV", "NPV")
    }  # fmt: skip
    found, cleared = (float(measure(name, "classification")(one)[0]) for name in ("TPR", "TNR"))
    accuracy = [each * found + (1 - each) * cleared for each in prevalence]
    columns = {"prevalence": list(map(float, prevalence)), **rates, "ACC": accuracy}
    return pl.DataFrame(columns, dict.fromkeys(columns, pl.Float64))

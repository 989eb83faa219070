"""Methods given as counts, compared pair by pair: differences of their rates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl

from assay.core.errors import DataError, UsageError, unknown_name
from assay.core.phrases import quantity
from assay.core.printable import Printable
from assay.evidence.views.confusion import Confusion
from assay.statistics.corrections import adjust_p_values
from assay.tasks.classification.fairness import homogeneity_p, newcombe_interval
from assay.tasks.classification.method_counts import read_methods
from assay.tasks.classification.unknown_negatives import NOT_GIVEN, known_part

SHARES = {
    "TPR": ("tp", "fn"),
    "TNR": ("tn", "fp"),
    "FPR": ("fp", "tn"),
    "FNR": ("fn", "tp"),
    "PPV": ("tp", "fp"),
    "NPV": ("tn", "fn"),
}
"""The counts of each rate: how often it holds, and how often not. ACC is of all four."""
RATES = ("TPR", "TNR", "PPV", "NPV", "ACC")
PAIR_SCHEMA = {
    **dict.fromkeys(("rate", "first", "second"), pl.String),
    **dict.fromkeys(("difference", "low", "high", "p", "corrected"), pl.Float64),
}


@dataclass(frozen=True, repr=False, eq=False)
class MethodComparison(Printable):
    """The rates of each method, and the differences of each pair."""

    rates: pl.DataFrame
    """A row for each method."""
    pairs: pl.DataFrame
    """A row for each rate and pair: the difference, its interval, p and the corrected p."""
    notes: tuple[str, ...] = ()


def compare_methods(
    data: Any, rates: str | Sequence[str] = RATES, *, confidence: float = 0.95
) -> MethodComparison:
    """Compare methods of which only counts are known, as tested on different items.

    ``data`` is a table with the columns method, tp, fp, fn and tn, or a dict of name to confusion
    matrix. Each difference has Newcombe's interval and Fisher's exact test; p-values are corrected
    by Holm over the pairs of a rate. Methods tested on the same items differ more clearly than
    their counts can show: give the items to ``assay.compare`` where you have them.

    >>> import assay
    >>> data = {"method": ["A", "D"], "tp": [95, 60], "fp": [30, 5], "fn": [5, 40], "tn": [70, 95]}
    >>> assay.compare_methods(data, "TPR").pairs["difference"].round(2).to_list()
    [-0.35]
    """
    asked = rates.replace(",", " ").split() if isinstance(rates, str) else list(rates)
    if stranger := [name for name in asked if name not in (*SHARES, "ACC")]:
        raise unknown_name("rate", stranger[0], [*SHARES, "ACC"])
    if not 0 < confidence < 1:
        raise UsageError(f"`confidence` is {confidence:g}; a number between 0 and 1 is expected")
    given = isinstance(data, Mapping) and all(isinstance(v, Confusion) for v in data.values())
    methods: Mapping[str, Confusion] = data if given else read_methods(data)
    if len(methods) < 2:
        raise UsageError(f"{quantity(len(methods), 'method')} given; two or more can be compared")
    counts = {name: {rate: _counts(each, rate) for rate in asked} for name, each in methods.items()}
    rows = [
        {"method": name, **{rate: hit / of if of else np.nan for rate, (hit, of) in each.items()}}
        for name, each in counts.items()
    ]
    pairs = [row for rate in asked for row in _pairs(counts, rate, confidence)]
    notes = (
        f"[low, high]: Newcombe's {100 * confidence:g}% interval of second − first; p: Fisher's"
        " exact test; corrected: holm, over the pairs of each rate",
        "the methods count as tested on different items",
        *(
            f"{rate} of {name} is undefined: "
            + (NOT_GIVEN if _is_unknown(methods[name], rate) else "no item counts in it")
            for name, each in counts.items()
            for rate, (_, of) in each.items()
            if not of
        ),
    )
    return MethodComparison(pl.DataFrame(rows), pl.DataFrame(pairs, PAIR_SCHEMA), notes)


def _counts(matrix: Confusion, rate: str) -> tuple[int, int]:
    one = matrix.by("class")
    if _is_unknown(matrix, rate):
        return 0, 0
    if (known_part(matrix).matrix % 1 != 0).any():
        raise DataError("a count is not a whole number; rates are compared by numbers of items")
    if rate == "ACC":
        return int(one.tp[0] + one.tn[0]), int(one.items[0])
    held, other = (int(getattr(one, name)[0]) for name in SHARES[rate])
    return held, held + other


def _is_unknown(matrix: Confusion, rate: str) -> bool:
    """Return whether a rate needs true negatives that are not given."""
    return matrix.lacks_negatives and "tn" in SHARES.get(rate, ("tn",))


def _pairs(
    counts: Mapping[str, Mapping[str, tuple[int, int]]], rate: str, confidence: float
) -> list[dict[str, Any]]:
    """Return a row for each pair of methods that have the rate."""
    rows = []
    known = [name for name, each in counts.items() if each[rate][1]]
    for first, second in combinations(known, 2):
        one, two = counts[first][rate], counts[second][rate]
        low, high = newcombe_interval(two, one, confidence)
        row = {"rate": rate, "first": first, "second": second}
        difference = two[0] / two[1] - one[0] / one[1]
        rows.append(row | {"difference": difference, "low": low, "high": high,
                           "p": homogeneity_p([one, two])})  # fmt: skip
    corrected = adjust_p_values(np.asarray([row["p"] for row in rows], dtype=float), "holm")
    return [row | {"corrected": float(p)} for row, p in zip(rows, corrected, strict=True)]

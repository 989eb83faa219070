"""Proper scoring rules: the logarithmic loss, and the Brier score with its three parts."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Literal, TypeAlias

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.core.curves import Columns
from assay.core.definition import Ratio, define
from assay.core.facts import Settings
from assay.core.parameters import Count, Positive, Share
from assay.evidence.views.probabilities import Probabilities
from assay.measures.probabilities.calibration import Groups, group_forecasts
from assay.measures.trace_tables import running_mean

_AT_ONCE = 1 << 20
CLIP = 1e-15
"""The least distance of a probability to 0 and 1; it does not depend on the type of the numbers."""


def clip_probabilities(probability: Floats, clip: float) -> Floats:
    """Return the probabilities kept within [clip, 1 − clip], as double precision."""
    return np.clip(np.asarray(probability, dtype=np.float64), clip, 1 - clip)


define_loss = partial(
    define, better="lower", bounds=(0, np.inf), unit="item", undefined="the item has no weight"
)


@define_loss(
    "LogLoss",
    aggregate="micro",
    aliases=["log_loss", "mn_log_loss", "NLL"],
    variants=["LogLoss(clip=0.01)"],
    label="log-loss",
    standard=True,
)
def log_loss(forecasts: Probabilities, clip: Share = CLIP) -> Ratio:
    """The negative logarithm of the probability given to the true class, averaged over the items.

    Probabilities are kept within [clip, 1 − clip], so that a certain mistake costs much but not
    everything. Logarithms are natural.

    >>> measure("LogLoss")(forecasts("ab", [[0.8, 0.2], [0.4, 0.6]]).by("item")).round(3)
    array([0.223, 0.511])
    """
    return forecasts.average(-np.log(clip_probabilities(forecasts.of_truth(), clip)))


@define_loss(
    "LogLossSum", aggregate="sum", aliases=["log_loss_sum"], label="log-loss over items and classes"
)
def log_loss_sum(forecasts: Probabilities, clip: Share = CLIP) -> Floats:
    """The sum over items and classes of −c log y − (1 − c) log(1 − y), c = 1 for the true class.

    >>> measure("LogLossSum")(forecasts("ab", [[0.8, 0.2], [0.4, 0.6]]).by("item")).round(3)
    array([0.446, 1.022])
    """
    kept = clip_probabilities(forecasts.probability, clip)
    rows = np.arange(len(forecasts.truth))
    true = kept[rows, forecasts.truth]
    others = np.log1p(-kept).sum(axis=1) - np.log1p(-true)
    return forecasts.weight[0] * (-np.log(true) - others)


@define_loss(
    "CE",
    aggregate="micro",
    aliases=["cross_entropy"],
    variants=["CE(base=2)"],
    label="cross-entropy",
)
def cross_entropy(
    forecasts: Probabilities, base: Positive = float(np.e), clip: Share = CLIP
) -> Ratio:
    """H(p, q) = −Σ p log q, of the true distribution p and the forecast q, averaged over items.

    Where p is certain this is the log-loss; ``base=2`` counts in bits.

    >>> measure("CE(base=2)")(forecasts("ab", [[0.5, 0.5], [0.75, 0.25]]).by("item"))
    array([1., 2.])
    """
    return forecasts.average(_surprise(forecasts, clip) / np.log(base))


def _surprise(forecasts: Probabilities, clip: float) -> Floats:
    if forecasts.expected is None:
        return -np.log(clip_probabilities(forecasts.of_truth(), clip))
    return -(forecasts.expected * np.log(clip_probabilities(forecasts.probability, clip))).sum(
        axis=1
    )


@cross_entropy.trace
def cross_trace(forecasts: Probabilities, s: Settings) -> Columns:
    """Return for each item its actual class, its probability, and −log of it."""
    return _item_table(forecasts, "surprise", _surprise(forecasts, s.clip) / np.log(s.base))


def _item_table(forecasts: Probabilities, name: str, terms: Floats) -> Columns:
    """Return the term of each item, and their mean so far."""
    return {
        "item": forecasts.by("item").units,
        "true class": [forecasts.classes[code] for code in forecasts.truth],
        "probability": forecasts.of_truth(),
        name: terms,
        "mean so far": running_mean(terms, forecasts.weight[0]),
    }


@log_loss.trace
def log_loss_trace(forecasts: Probabilities, s: Settings) -> Columns:
    """Return for each item its actual class, its probability, and the loss."""
    loss = -np.log(clip_probabilities(forecasts.of_truth(), s.clip))
    return _item_table(forecasts, "loss", loss)


@log_loss_sum.trace
def log_loss_sum_trace(forecasts: Probabilities, s: Settings) -> Columns:
    """Return for each item the loss of its actual class, that of the others, and the sum so far."""
    losses = log_loss_sum(forecasts, clip=s.clip)
    own = -forecasts.weight[0] * np.log(clip_probabilities(forecasts.of_truth(), s.clip))
    return {
        "item": forecasts.by("item").units,
        "true class": [forecasts.classes[code] for code in forecasts.truth],
        "probability": forecasts.of_truth(),
        "loss of the class": own,
        "loss of the others": losses - own,
        "loss": losses,
        "sum so far": np.cumsum(losses),
    }


NO_ITEMS = "there are no items"
Term: TypeAlias = Callable[[Groups], Floats]


@define(
    "Brier",
    better="lower",
    bounds=(0, 2),
    unit="item",
    aggregate="micro",
    aliases=["brier", "brier_score", "brier_score_loss", "brier_class"],
    undefined="the item has no weight",
    variants=["Brier(scale=sum)", "Brier(scale=half)"],
    label="Brier score",
    standard=True,
)
def brier(forecasts: Probabilities, scale: Literal["auto", "sum", "half"] = "auto") -> Ratio:
    """The mean squared distance of the predicted probabilities from the actual class.

    With two classes it is that of the positive class, (p − y)²; with more, the sum over classes.
    ``scale=sum`` and ``scale=half`` say always the sum, or always half of it.

    >>> measure("Brier")(forecasts("ab", [[0.8, 0.2], [0.4, 0.6]]).by("item")).round(2)
    array([0.04, 0.16])
    """
    return forecasts.average(_distance(forecasts, scale))


def _distance(forecasts: Probabilities, scale: Literal["auto", "sum", "half"]) -> Floats:
    halved = scale == "half" or (scale == "auto" and forecasts.binary)
    every = np.empty(len(forecasts.probability), dtype=forecasts.probability.dtype)
    for start in range(0, len(every), _AT_ONCE):  # Millions of items take memory.
        items = slice(start, start + _AT_ONCE)
        rows, distance = forecasts.probability[items], every[items]
        np.einsum("ij,ij->i", rows, rows, out=distance)
        distance -= 2 * forecasts.of_truth(items)
        distance += 1
        np.maximum(distance, 0, out=distance)
        if halved:
            distance /= 2
    return every


ONE_CLASS = "only one class occurs in the truth"
define_skill = partial(define, bounds=(-np.inf, 1), undefined=ONE_CLASS)
"""Declare the share of a loss that forecasts avoid, compared with always predicting base rates."""


@define_skill(
    "D2_LogLoss",
    aliases=["d2_log_loss_score", "McFadden"],
    variants=["D2_LogLoss(clip=0.01)"],
    label="D² of the log-loss",
)
def explained_log_loss(forecasts: Probabilities, clip: Share = CLIP) -> Floats:
    """1 − log-loss / log-loss of always predicting the base rates.

    1 is perfect, 0 no better than the base rates. For a model fitted by maximum likelihood it is
    McFadden's pseudo-R².

    >>> measure("D2_LogLoss")(forecasts("ab", [[0.8, 0.2], [0.4, 0.6]])).round(3)
    array([0.471])
    """
    shares = _base_rates(forecasts)
    logs = np.log(np.where(shares > 0, shares, 1))
    loss = -np.log(clip_probabilities(forecasts.of_truth(), clip))
    return _skill(forecasts, loss, -(shares * logs).sum(axis=0))


@define_skill("D2_Brier", aliases=["d2_brier_score", "BSS"], label="Brier skill score")
def brier_skill(forecasts: Probabilities) -> Floats:
    """1 − Brier score / Brier score of always predicting the base rates.

    1 is perfect, 0 no better than the base rates, below 0 worse.

    >>> measure("D2_Brier")(forecasts("ab", [[0.8, 0.2], [0.4, 0.6]])).round(2)
    array([0.6])
    """
    shares = _base_rates(forecasts)
    return _skill(forecasts, _distance(forecasts, "sum"), (shares * (1 - shares)).sum(axis=0))


def _base_rates(forecasts: Probabilities) -> Floats:
    """Return class × unit: the share of each class among the items, by weight."""
    own = forecasts.truth[:, None] == np.arange(len(forecasts.classes))
    return ratio((forecasts.weight @ own).T, forecasts.weight.sum(axis=1))


def _skill(forecasts: Probabilities, loss: Floats, of_base_rates: Floats) -> Floats:
    mean = ratio(forecasts.weight @ loss, forecasts.weight.sum(axis=1))
    return 1 - ratio(mean, of_base_rates)


@brier.trace
def brier_trace(forecasts: Probabilities, s: Settings) -> Columns:
    """Return for each item its actual class, its probability, and the squared distance."""
    return _item_table(forecasts, "squared distance", _distance(forecasts, s.scale))


@define(
    "Brier_reliability",
    better="lower",
    bounds=(0, 2),
    aliases=["reliability"],
    undefined=NO_ITEMS,
    variants=["Brier_reliability(bins=5)"],
)
def reliability(forecasts: Probabilities, bins: Count | None = None) -> Floats:
    """How far forecasts are from the observed share among equal forecasts; 0 if calibrated.

    Brier score = reliability − resolution + uncertainty. Forecasts are alike if equal, or with
    ``bins`` if in the same of that many bins (then the parts add up only nearly).

    >>> measure("Brier_reliability")(forecasts("abab", [[0.5, 0.5]] * 4)).round(3)
    array([0.])
    """
    return _part(forecasts, bins, lambda group: (group.mean - group.share) ** 2)


@define(
    "Brier_resolution",
    bounds=(0, 2),
    aliases=["resolution"],
    undefined=NO_ITEMS,
    variants=["Brier_resolution(bins=5)"],
)
def resolution(forecasts: Probabilities, bins: Count | None = None) -> Floats:
    """How much the observed share varies between different forecasts; higher is sharper.

    >>> measure("Brier_resolution")(forecasts("aabb", [[1, 0]] * 2 + [[0, 1]] * 2))
    array([0.25])
    """
    return _part(forecasts, bins, lambda group: (group.share - group.base[:, None]) ** 2)


@define("Brier_uncertainty", better="neither", aliases=["uncertainty"], undefined=NO_ITEMS)
def uncertainty(forecasts: Probabilities) -> Floats:
    """The Brier score of always predicting the base rates.

    >>> measure("Brier_uncertainty")(forecasts("aabb", [[1, 0]] * 2 + [[0, 1]] * 2))
    array([0.25])
    """
    return _part(forecasts, None, lambda group: (group.base * (1 - group.base))[:, None])


def _part(forecasts: Probabilities, bins: int | None, term: Term) -> Floats:
    """Return a term of each group of forecasts, averaged by weight; summed over classes if many."""
    chosen = [1] if forecasts.binary else range(len(forecasts.classes))
    total = np.zeros(len(forecasts.weight))
    for place in chosen:
        group = group_forecasts(
            forecasts.probability[:, place], forecasts.truth == place, forecasts.weight, bins
        )
        total = total + group.average(term(group))
    return total

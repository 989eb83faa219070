"""What a confusion matrix means, in words: rates, rare classes, accuracy from other classes."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from assay.core.arrays import ratio
from assay.core.names import measure
from assay.core.phrases import are, percent
from assay.engine.local import evaluate
from assay.evidence.views.confusion import Confusion
from assay.measures.decisions.rates import (
    false_positive_rate,
    negative_likelihood_ratio,
    negative_predictive_value,
    positive_predictive_value,
    predicted_prevalence,
    prevalence,
    true_negative_rate,
    true_positive_rate,
)
from assay.reports.text.table_text import number


@dataclass(frozen=True)
class RateLimits:
    """From where on a rate is called high, and a prevalence or a bias noteworthy."""

    high: float = 0.9
    """Sensitivity, specificity or a predictive value of at least this is high."""
    bias: float = 1.5
    """As many times more (or fewer) yes than there are positive items is a bias."""
    bias_gap: float = 0.2
    """A bias is reported only if the false rates differ by this much, too."""
    rare: float = 0.1
    """A prevalence below this, or above 1 less this, is warned of."""
    npv_alone: float = 0.95
    """Without a high sensitivity, an NPV of at least this can still rule out,"""
    least: float = 0.66
    """if the sensitivity is at least this: two of three positive items are found,"""
    odds: float = 0.5
    """and a negative prediction multiplies the odds of a positive by at most this (LR−)."""
    missed: float = 0.5
    """A rare class whose recall is below this share of the accuracy is pointed out."""

    def describe(self) -> str:
        """The cut-offs in one line."""
        return (
            f"cut-offs: high ≥ {self.high:g}, bias ≥ {self.bias:g} times and a gap of"
            f" {self.bias_gap:g}, prevalence {self.rare:g} to {1 - self.rare:g}, NPV alone rules"
            f" out from {self.npv_alone:g} with TPR ≥ {self.least:g} and LR− ≤ {self.odds:g}"
        )


@dataclass(frozen=True, repr=False)
class Interpretation:
    """Verdicts in a word, sentences that say why, and warnings."""

    verdicts: tuple[str, ...]
    sentences: tuple[str, ...]
    warnings: tuple[str, ...] = ()
    cut_offs: RateLimits = field(default_factory=RateLimits)

    def __repr__(self) -> str:
        return self.text

    @property
    def text(self) -> str:
        """All of it, a line each."""
        return "\n".join([*self.sentences, *self.warnings, self.cut_offs.describe()])


def interpret_matrix(confusion: Confusion, cut_offs: RateLimits | None = None) -> Interpretation:
    """What the decisions on the positive class are good for, from their rates.

    A test *rules in* if specificity and positive predictive value are high: a yes can be believed.
    It *rules out* if sensitivity is high, or NPV is high and far better than that of always
    predicting negative: a no can be believed. A high NPV alone only says that positives are rare.
    Of several classes, those whose accuracy comes from the others, and rare ones that are missed.

    >>> import assay
    >>> matrix = assay.confusion([[60, 5], [40, 95]], rows="predicted", labels=["yes", "no"])
    >>> assay.interpret_matrix(matrix).verdicts
    ('rules in',)
    """
    limits = cut_offs or RateLimits()
    if len(confusion.labels) > 2 and confusion.positive is None:
        found = [*carried_by_negatives(confusion), *missed_classes(confusion, limits)]
        words = tuple(found) or ("No class stands out.",)
        return Interpretation(("several classes",), words, (), limits)
    rates = positive_class_rates(confusion)
    statements = [
        *_worse_than_chance(rates, confusion),
        *_rules_in(rates, limits),
        *_rules_out(rates, limits),
    ]
    if not statements:
        # A test that rules in is rarely positive, one that rules out rarely negative: not a bias.
        why = "It neither rules in nor rules out: neither its yes nor its no is certain enough."
        statements = [("neither", why), *_bias(rates, limits)]
    verdicts = tuple(verdict for verdict, _ in statements)
    sentences = [sentence for _, sentence in statements]
    if "rules out" not in verdicts:
        sentences += _only_rare(rates, limits)
    return Interpretation(verdicts, tuple(sentences), tuple(_warnings(rates, limits)), limits)


RATES = (
    *(true_positive_rate, true_negative_rate, false_positive_rate),
    *(prevalence, predicted_prevalence, negative_likelihood_ratio),
    *(positive_predictive_value, negative_predictive_value),
)
"""The measures that a reading looks at."""
Rates = dict[str, float]
Statements = list[tuple[str, str]]
"""A verdict with the sentence that says why; empty if it does not apply."""


def positive_class_rates(confusion: Confusion) -> Rates:
    """Return the rates that a reading looks at, of the positive class."""
    view = confusion.by("class")
    seen = Confusion(view.names[:1], view.labels, view.matrix[:1], view.positive)
    found = evaluate(seen, [measure(each) for each in RATES], "")
    return {each.measure: each.value for each in found}


def _worse_than_chance(rates: Rates, confusion: Confusion) -> Statements:
    if not rates["TPR"] < rates["FPR"]:
        return []
    negated = positive_class_rates(confusion.by("class").negate())
    why = (
        "It is worse than chance: it predicts positive more often for negative items"
        f" ({_percent(rates['FPR'])}) than for positive ones ({_percent(rates['TPR'])}). Negated it"
        f" would have TPR {_percent(negated['TPR'])} and FPR {_percent(negated['FPR'])}; were the"
        " classes swapped?"
    )
    return [("worse than chance", why)]


def _rules_in(rates: Rates, limits: RateLimits) -> Statements:
    if not (rates["TNR"] >= limits.high and rates["PPV"] >= limits.high):
        return []
    why = (
        f"It rules in: specificity ({_percent(rates['TNR'])}) and PPV"
        f" ({_percent(rates['PPV'])}) are high, so a yes can be believed."
    )
    return [("rules in", why)]


def _rules_out(rates: Rates, limits: RateLimits) -> Statements:
    values = {"sensitivity": rates["TPR"], "NPV": rates["NPV"]}
    enough = rates["TPR"] >= limits.least and rates["LR-"] <= limits.odds
    by_npv = rates["NPV"] >= limits.npv_alone and enough
    # If nearly everything is predicted positive, a high sensitivity costs nothing.
    useful = rates["TPR"] > rates["FPR"] and not rates["FPR"] >= 0.5
    high = [f"{k} ({_percent(v)})" for k, v in values.items() if v >= limits.high]
    if not (rates["TPR"] >= limits.high or by_npv) or not high or not useful:
        return []
    less = [f"{k} ({_percent(v)}) is not high" for k, v in values.items() if not v >= limits.high]
    verb = "are" if len(high) > 1 else "is"
    end = f"; but {less[0]}." if less else "."
    why = f"It rules out: {' and '.join(high)} {verb} high, so a no can be believed{end}"
    return [("rules out", why)]


def _only_rare(rates: Rates, limits: RateLimits) -> list[str]:
    """Say beside a high NPV what always predicting negative would reach."""
    always = 1 - rates["prevalence"]
    if not rates["NPV"] >= limits.high or rates["TPR"] >= limits.high or not always < 1:
        return []
    return [
        f"A no is right in {_percent(rates['NPV'])} of the cases (NPV); always predicting negative"
        f" is right in {_percent(always)}. With a sensitivity of {_percent(rates['TPR'])} it does"
        " not rule out."
    ]


def _bias(rates: Rates, limits: RateLimits) -> Statements:
    predicted, actual = rates["predicted_prevalence"], rates["prevalence"]
    if not 0 < actual < 1:
        return []
    misses, alarms = 1 - rates["TPR"], rates["FPR"]
    if predicted / actual >= limits.bias and alarms - misses >= limits.bias_gap:
        word = "yes"
    elif predicted / actual <= 1 / limits.bias and misses - alarms >= limits.bias_gap:
        word = "no"
    else:
        return []
    shares = f"{_percent(predicted)} of the items were predicted positive, {_percent(actual)} are"
    return [(f"biased to {word}", f"It is biased to {word}: {shares}.")]


def _warnings(rates: Rates, limits: RateLimits) -> list[str]:
    share = rates["prevalence"]
    if share < limits.rare:
        return [
            f"Only {_percent(share)} of the items are positive: accuracy and NPV are high for"
            " a classifier that always predicts negative, and PPV falls with the prevalence."
        ]
    if share > 1 - limits.rare:
        return [
            f"{_percent(share)} of the items are positive: accuracy and PPV are high for a"
            " classifier that always predicts positive, and NPV falls with the share of negatives."
        ]
    return []


def _percent(value: float) -> str:
    return "–" if np.isnan(value) else f"{number(100 * value, 1)} %"


MOST_CLASSES_NAMED = 5
"""So many classes are named; the others are counted."""
GAP = 0.15
"""Accuracy this far above both precision and recall comes from the negatives,"""
MOST_SHARE = 0.5
"""where the class has at most this share of the items."""


def carried_by_negatives(confusion: Confusion) -> list[str]:
    """Return a sentence for each class whose accuracy is high only because of the negatives.

    Items of other classes that are rightly rejected count as correct. Where the class is not the
    majority they make its accuracy high, however few of its own items are found.
    """
    counts = confusion.matrix[0]
    items = float(counts.sum())
    if len(confusion.labels) < 3 or not items:
        return []
    right, support, said = counts.diagonal(), counts.sum(axis=1), counts.sum(axis=0)
    rejected = items - support - said + right
    accuracy = (rejected + right) / items
    found, correct = ratio(right, support), ratio(right, said)
    specificity = ratio(rejected, items - support)
    carried = np.fmax(found, correct) + GAP <= accuracy
    carried &= support / items <= MOST_SHARE
    order = np.argsort(-(accuracy - np.fmax(found, correct)), kind="stable")
    places = [int(place) for place in order if carried[place]]
    lines = []
    for place in places[:MOST_CLASSES_NAMED]:
        own = _own_items(float(support[place]), float(found[place]))
        held = f", and {percent(correct[place])} of its predictions hold" if said[place] else ""
        lines.append(
            f"{confusion.labels[place]}: accuracy {percent(accuracy[place])} because"
            f" {rejected[place]:g} {'items' if rejected[place] != 1 else 'item'} of other classes"
            f" {are(rejected[place])} rejected (specificity"
            f" {percent(specificity[place])}); {own}{held}"
        )
    if len(places) > MOST_CLASSES_NAMED:
        lines.append(f"and {len(places) - MOST_CLASSES_NAMED} more classes")
    return lines


def _own_items(support: float, found: float) -> str:
    """Return how many of the items of a class are found; their number may be a sum of weights."""
    if not support:
        return "no item belongs to it"
    if support == 1 and found in (0, 1):
        return f"its only item is {'' if found else 'not '}found"
    return f"of its own {support:g} items {percent(found)} are found"


def missed_classes(confusion: Confusion, cut_offs: RateLimits | None = None) -> list[str]:
    """Return a sentence on each rare class whose recall is far below the accuracy, worst first."""
    limits = cut_offs or RateLimits()
    counts = confusion.matrix[0]
    hits, items = np.diagonal(counts), counts.sum(axis=1)
    recall, accuracy = ratio(hits, items), float(ratio(hits.sum(), counts.sum()))
    rare = (items > 0) & (items < limits.rare * counts.sum())
    missed = np.flatnonzero(rare & (recall < limits.missed * accuracy))
    order = missed[np.argsort(recall[missed], kind="stable")].tolist()
    sentences = [
        f"Class '{confusion.labels[n]}' has {items[n]:,g} of {counts.sum():,g} items and recall"
        f" {number(float(recall[n]), 2)} ({hits[n]:,g} of {items[n]:,g}), beside an accuracy of"
        f" {number(accuracy, 2)}: accuracy says little about a class this rare."
        for n in order[:MOST_CLASSES_NAMED]
    ]
    if len(order) > MOST_CLASSES_NAMED:
        sentences.append(
            f"{len(order) - MOST_CLASSES_NAMED} more rare classes have a recall as low."
        )
    return sentences

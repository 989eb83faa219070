"""The rates of each class, and whose accuracy comes only from the items of other classes."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import ratio
from assay.core.phrases import percent
from assay.evidence.views.confusion import Confusion
from assay.reports.text.table_text import Rows, number

MOST_CLASSES = 30
"""Larger matrices do not fit a terminal: the most frequent confusions are listed instead."""
GAP = 0.15
"""Accuracy this far above both precision and recall comes from the negatives,"""
MOST_SHARE = 0.5
"""where the class has at most this share of the items."""
MOST_NAMED = 5


def count_text(value: float) -> str:
    """Return a count as text; whole ones without a point, and – for one that is not known."""
    if np.isnan(value):
        return "–"
    return f"{value:.0f}" if float(value).is_integer() else f"{value:.4g}"


def class_rows(confusion: Confusion, digits: int = 4) -> Rows:
    """Return the rates and the support of each class, or of the worst of many, and their means.

    ACC is that of the class against the rest, prevalence its share of all items.
    """
    table = confusion.per_class()
    rates, support = table[:, 1:-1].to_numpy().T, table["support"].to_numpy()
    order = np.argsort(rates[2], kind="stable")[:MOST_CLASSES].tolist()
    lines = [table.columns]
    for place in sorted(order) if len(support) <= MOST_CLASSES else order:
        shown = [number(float(each), digits) for each in rates[:, place]]
        lines.append([confusion.labels[place], *shown, count_text(support[place])])
    for name, sizes in (("mean", np.ones(len(support))), ("weighted mean", support)):
        used = np.where(np.isnan(rates), 0, sizes)
        means = ratio((np.nan_to_num(rates) * used).sum(axis=1), used.sum(axis=1))
        shown = [number(float(each), digits) for each in means]
        lines.append([name, *shown, count_text(support.sum())])
    return lines


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
    for place in places[:MOST_NAMED]:
        own = f"of its own {support[place]:g} items {percent(found[place])} are found"
        own = own if support[place] else "no item belongs to it"
        held = f", and {percent(correct[place])} of its predictions hold" if said[place] else ""
        lines.append(
            f"{confusion.labels[place]}: accuracy {percent(accuracy[place])} because"
            f" {rejected[place]:g} items of other classes are rejected (specificity"
            f" {percent(specificity[place])}); {own}{held}"
        )
    if len(places) > MOST_NAMED:
        lines.append(f"and {len(places) - MOST_NAMED} more classes")
    return lines

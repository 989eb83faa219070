"""What can be said of class labels before anything is counted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from assay.evidence.label_order import label_order, label_values

MISSING_WORDS = ("nan", "na", "n/a", "null", "none")
"""What programs write where there is nothing; it may be a name all the same."""
POSITIVE_WORDS = ("1", "yes", "true", "positive", "pos", "y", "t", "p", "+", "+1")


def positive_class(labels: Sequence[str]) -> str | None:
    """The class a yes-or-no question is about; None where there are more than two classes."""
    if not 1 <= len(labels) <= 2:
        return None
    ordered = label_order(labels)
    return next((each for each in ordered if each.casefold() in POSITIVE_WORDS), ordered[-1])


def label_warnings(truth: Iterable[str], predicted: Iterable[str]) -> list[str]:
    """Warnings on labels that differ by case or blanks only, are not shared, or mean nothing."""
    true, said = set(truth), set(predicted)
    warnings = [
        f"the labels {' and '.join(map(repr, group))} differ only by case or blanks:"
        " they are counted as different classes"
        for group in _similar_labels(true | said)
    ]
    warnings += [
        f"the labels {' and '.join(map(repr, group))} are the same number:"
        " they are counted as different classes"
        for group in _same_number(label_order(true | said))
    ]
    if true and said and not true & said:
        doubt = "; is this a score? Then name it with `score`" if _are_fractions(said) else ""
        warnings.append(
            f"no predicted class occurs in the truth: {_first_labels(said)} against"
            f" {_first_labels(true)}{doubt}"
        )
    warnings += [
        f"the label '{each}' reads like a gap; it is counted as a class"
        for each in sorted(true | said)
        if each.casefold() in MISSING_WORDS
    ]
    return warnings


def similar_labels_hint(labels: Iterable[str]) -> str:
    """Return which labels are probably one class; empty if none is."""
    groups = _similar_labels({*labels})
    return "".join(
        f"; {' and '.join(map(repr, group))} differ only by case or spaces" for group in groups
    )


def _are_fractions(labels: set[str]) -> bool:
    """Whether most labels are numbers with a point, as no class is called."""
    return sum(re.fullmatch(r"-?\d*\.\d+", each) is not None for each in labels) > len(labels) / 2


def _similar_labels(labels: set[str]) -> list[list[str]]:
    groups: dict[str, list[str]] = {}
    for label in sorted(labels, key=str.encode):
        groups.setdefault("".join(label.split()).casefold(), []).append(label)
    return [group for group in groups.values() if len(group) > 1]


def _same_number(labels: Sequence[str]) -> list[list[str]]:
    """Return the labels that are the same number in different writing, such as 1 and 01."""
    values = label_values(labels)
    groups: dict[float, list[str]] = {}
    for value, label in zip([] if values is None else values.to_list(), labels, strict=False):
        groups.setdefault(value, []).append(label)
    return [group for group in groups.values() if len(group) > 1]


def _first_labels(labels: set[str]) -> str:
    return ", ".join(sorted(labels, key=str.encode)[:5])

"""What can be said of class labels before anything is counted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

POSITIVE_WORDS = ("1", "yes", "true", "positive", "pos", "y", "t", "p", "+", "+1")


def positive_class(labels: Sequence[str]) -> str | None:
    """The class a yes-or-no question is about; None where there are more than two classes."""
    if not 1 <= len(labels) <= 2:
        return None
    ordered = sorted(labels, key=str.encode)
    return next((each for each in ordered if each.casefold() in POSITIVE_WORDS), ordered[-1])


def doubtful_labels(truth: Iterable[str], predicted: Iterable[str]) -> list[str]:
    """Warnings on labels that differ by case or blanks only, or that are not shared."""
    true, said = set(truth), set(predicted)
    warnings = [
        f"the labels {' and '.join(map(repr, group))} differ only by case or blanks:"
        " they are counted as different classes"
        for group in _alike(true | said)
    ]
    if true and said and not true & said:
        warnings.append(
            f"no predicted class occurs in the truth: {_some(said)} against {_some(true)}"
        )
    return warnings


def _alike(labels: set[str]) -> list[list[str]]:
    groups: dict[str, list[str]] = {}
    for label in sorted(labels, key=str.encode):
        groups.setdefault("".join(label.split()).casefold(), []).append(label)
    return [group for group in groups.values() if len(group) > 1]


def _some(labels: set[str]) -> str:
    return ", ".join(sorted(labels, key=str.encode)[:5])

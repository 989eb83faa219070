"""Labels of classes, clusters and ratings: their order, the positive one and doubtful ones.

Every table of labels takes the order from here.
Ordinal measures depend on it: weighted kappa counts how many labels apart two answers are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
import polars as pl

from assay.core.arrays import Floats
from assay.core.errors import AlignmentError, DataError, UsageError, did_you_mean
from assay.core.tables import Decisions, Table, ids_as_text

Labels: TypeAlias = str | Sequence[str] | None
"""All labels in their order, as a list or as ``low,middle,high``; None for the usual order."""
NOTHING = "(nothing)"
"""The label of an item for which nothing was predicted. It comes last."""
MISSING_WORDS = ("nan", "na", "n/a", "null", "none")
"""What programs write where there is nothing; it may be a name all the same."""
TRUTH_VALUES = {"1": "true", "0": "false", "true": "1", "false": "0"}
POSITIVE_WORDS = ("1", "yes", "true", "positive", "pos", "y", "t", "p", "+", "+1")
NEGATIVE_WORDS = ("0", "no", "false", "negative", "neg", "n", "f", "-", "-1")


def label_order(labels: Iterable[str], declared: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the declared labels in their order, then the others in the usual order.

    The usual order is by value if all labels are numbers (1, 2, 10; then by text: 01, 1),
    otherwise bytewise.
    """
    found = {*labels} - {*declared}
    others = sorted(found - {NOTHING})  # by code points, which is bytewise
    values = label_values(others)
    if values is not None:
        others = [others[n] for n in np.argsort(values, kind="stable").tolist()]
    return (*declared, *others, *(found & {NOTHING}))


def label_values(labels: Sequence[str]) -> Floats | None:
    """Return the labels as numbers; None if one is not a finite number."""
    values = pl.Series(list(labels), dtype=pl.String).cast(pl.Float64, strict=False).to_numpy()
    return values if np.isfinite(values).all() else None


def listed_labels(labels: Labels) -> tuple[str, ...]:
    """Return the labels that a caller lists, as text; nothing for None."""
    if labels is None:
        return ()
    given = labels.split(",") if isinstance(labels, str) else list(labels)
    listed = tuple(each.strip() for each in ids_as_text(pl.Series(given, strict=False)).to_list())
    repeated = [each for place, each in enumerate(listed) if each in listed[:place]]
    if repeated or not all(listed):
        wrong = f"'{repeated[0]}' occurs twice" if repeated else "one is empty"
        raise UsageError(f"`labels` names every label once, in order; {wrong} in {labels}")
    return listed


def known_class(label: str, labels: Iterable[str]) -> str:
    """Return a class as the labels write it: 1 is true and true is 1, if only that one occurs."""
    other = TRUTH_VALUES.get(label)
    return other if other in (known := {*labels}) and label not in known else label


def column_order(*columns: pl.Series) -> tuple[str, ...]:
    """Return the order of the categories of Enum columns; nothing if no column is an Enum.

    Categories that do not occur are left out: an Enum sets the order, not the classes.
    """
    order: tuple[str, ...] = ()
    for column in columns:
        if isinstance(column.dtype, pl.Enum):
            order = merge_orders(order, tuple(column.dtype.categories.to_list()))
    if not order:
        return ()
    found = {label for column in columns for label in ids_as_text(column.unique()).to_list()}
    return tuple(label for label in order if label in found)


def merge_orders(
    one: tuple[str, ...], two: tuple[str, ...], values: Mapping[str, float] | None = None
) -> tuple[str, ...]:
    """Return the labels of both in an order that agrees with both.

    Where both leave it open, the smaller of the ``values`` comes first, else the usual order holds.
    """
    usual = label_order((*one, *two))
    if not values and (label_order(one), label_order(two)) == (one, two):
        return usual
    rank = {label: (values or {}).get(label, float(n)) for n, label in enumerate(usual)}
    left, merged = [list(one), list(two)], []
    while any(left):
        heads = {labels[0] for labels in left if labels}
        free = [label for label in heads if not any(label in labels[1:] for labels in left)]
        if not free:
            raise AlignmentError(
                f"there are two orders of the labels, {', '.join(one)} and {', '.join(two)}:"
                " set one for both with `labels`"
            )
        first = min(free, key=lambda label: (rank[label], label.encode()))
        merged.append(first)
        left = [labels[1:] if labels[:1] == [first] else labels for labels in left]
    return tuple(merged)


def refuse_unlisted(table: Table, columns: Sequence[str], labels: Sequence[str]) -> None:
    """Refuse labels of the table that are not listed: name them all, and where the first is."""
    known = list(dict.fromkeys((*labels, NOTHING)))
    casts = {name: table.frame[name].cast(pl.Enum(known), strict=False) for name in columns}
    rows = {name: each.is_null().arg_true() for name, each in casts.items() if each.null_count()}
    wrong = {name: int(found[0]) for name, found in rows.items()}
    if not wrong:
        return
    column = min(wrong, key=lambda name: wrong[name])
    what = {"truth": "true class", "predicted": "predicted class"}.get(column, column)
    first = table.frame[column][wrong[column]]
    others = {each for name in wrong for each in table.frame[name].gather(rows[name]).unique()}
    also = label_order(others - {first})
    more = f" (nor are {', '.join(also[:10])}{' …' * (len(also) > 10)})" if also else ""
    raise DataError(
        f"{table.source.place(wrong[column])}: the {what} '{first}' is not among the labels"
        f" {', '.join(labels)}{more}; list every label with `labels`, or fix the data."
        + did_you_mean(first, labels)
    )


def positive_class(labels: Sequence[str]) -> str | None:
    """Return the class that a yes-or-no question is about; None of more than two classes.

    Of two numbers it is the greater one: that is what scores of 1 and 2 are about, as of 0 and 1.
    """
    if not 1 <= len(labels) <= 2:
        return None
    ordered = label_order(labels)
    if label_values(ordered) is not None:
        return ordered[-1]
    return next((each for each in ordered if each.casefold() in POSITIVE_WORDS), ordered[-1])


class SettledLabels(NamedTuple):
    """The labels of decisions in their order, the positive one, and what a user should know."""

    labels: tuple[str, ...]
    positive: str | None
    notes: tuple[str, ...]


def settle_labels(
    decisions: Decisions, classes: Sequence[str], order: Sequence[str], positive: str | None
) -> SettledLabels:
    """Return the labels that occur or have probabilities (``classes``), and the positive one."""
    frame, source = decisions.frame, decisions.source
    true = frame["truth"].unique().to_list()
    predicted = frame["predicted"].unique().to_list() if "predicted" in frame.columns else []
    labels = label_order([*true, *predicted, *classes], order)
    if positive is not None:
        positive = known_class(positive, labels)
        if positive not in labels:
            raise unknown_class(labels, positive, f"{source.name}: the positive class")
    positive = positive or positive_class(labels)
    notes = label_warnings(true, predicted or classes)
    if "score" in frame.columns and positive is None:
        notes.append(
            "the score is left out: there are more than two classes and none is positive"
            + similar_labels_hint(labels)
        )
    return SettledLabels(labels, positive, tuple(notes))


def unknown_class(labels: Sequence[str], name: str, what: str) -> DataError:
    """Return the error about a class that does not occur, naming the nearest."""
    shown = ", ".join(labels[:10]) + (" …" if len(labels) > 10 else "")
    return DataError(f"{what} '{name}' does not occur among {shown}." + did_you_mean(name, labels))


def label_warnings(truth: Iterable[str], predicted: Iterable[str]) -> list[str]:
    """Warnings on labels that differ by case or blanks only, are not shared, or mean nothing."""
    true, said = set(truth), set(predicted)
    warnings = similar_label_notes(true | said)
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
    return warnings + joined_label_notes(true | said)


def joined_label_notes(labels: Iterable[str]) -> list[str]:
    """Return a note if labels such as news;sport look like several labels of one item."""
    known = {*labels}
    parts = {each: {part.strip() for part in each.split(";")} for each in known if ";" in each}
    single = known - parts.keys()
    joined = [
        each
        for each, own in parts.items()
        if own & single or any(own & more for other, more in parts.items() if other != each)
    ]
    if not joined:
        return []
    return [
        f"'{min(joined)}' is counted as one class; if it is a set of labels, say so with `sets`"
    ]


def similar_label_notes(labels: Iterable[str], kind: str = "classes") -> list[str]:
    """Return notes on labels that are probably one: they differ by case, blanks or writing."""
    known = {*labels}
    causes = {
        "differ only by case or blanks": _similar_labels(known),
        "are the same number": _same_number(label_order(known)),
    }
    return [
        f"the labels {' and '.join(map(repr, group))} {cause}: they are counted as different {kind}"
        for cause, groups in causes.items()
        for group in groups
    ]


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
    for value, label in zip([] if values is None else values.tolist(), labels, strict=False):
        groups.setdefault(value, []).append(label)
    return [group for group in groups.values() if len(group) > 1]


def _first_labels(labels: set[str]) -> str:
    return ", ".join(sorted(labels, key=str.encode)[:5])

"""Whether test data are fit to test what was trained: leaks, gaps, and what memory alone gives."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from assay.core.arrays import Floats
from assay.core.phrases import quantity
from assay.core.printable import Printable
from assay.selection.splits.distributions import distribution_difference
from assay.selection.splits.memorizing import memorize
from assay.selection.splits.near_duplicates import near_numbers, near_texts
from assay.selection.splits.split_data import (
    SplitColumns,
    SplitData,
    finite_values,
    read_data,
)
from assay.selection.splits.split_times import read_times
from assay.statistics.corrections import adjust_p_values

ALPHA = 0.01
"""The level of all tests of distributions together: a clean split is rarely suspected."""
EXAMPLES = 3
LEAK, DIFFERENCE, NOTE = "leak", "difference", "note"
"""A leak makes the test easier than reality; a difference makes it another test; a note says what
was not looked at."""
SCHEMA = {"kind": pl.String, "check": pl.String, "rows": pl.Int64, "finding": pl.String}


@dataclass(frozen=True, repr=False, eq=False)
class SplitCheck(Printable):
    """The findings about training and test data."""

    findings: pl.DataFrame
    """A row for each finding: kind (leak or difference), check, rows, finding."""
    memorizing: pl.DataFrame
    """How learners that only memorize do on the test data."""
    notes: tuple[str, ...]

    @property
    def leaks(self) -> pl.DataFrame:
        """The findings that make the test easier than reality."""
        return self.findings.filter(kind=LEAK)


@dataclass(frozen=True)
class _Finding:
    kind: str
    check: str
    rows: int
    text: str


def check_split(
    train: Any,
    test: Any,
    *,
    item: str | None = None,
    label: str | None = None,
    group: str | None = None,
    time: str | None = None,
) -> SplitCheck:
    """Check whether test data are apart from the training data and of the same kind.

    ``item``, ``label``, ``group`` and ``time`` name columns; all others are features. Looked for
    are items, groups and rows in both files, near-duplicates, test rows earlier than training rows,
    scaling that was fitted on both files together, classes and ranges that training lacks, and
    distributions that differ. Learners that only memorize give the value below which a result
    means nothing.
    """
    data = read_data(train, test, SplitColumns(item, label, group, time))
    checks = (
        _shared_values,
        _repeated_rows,
        _near_duplicates,
        _times,
        _scaling,
        _types,
        _missing_values,
        _distributions,
    )
    found = [finding for check in checks for finding in check(data)]
    rows = [(each.kind, each.check, each.rows, each.text) for each in found if each.kind != NOTE]
    table = pl.DataFrame(rows, schema=SCHEMA, orient="row")
    learned = (
        pl.DataFrame()
        if label is None
        else memorize(
            data.matrix(data.train), data.matrix(data.test), data.train[label], data.test[label]
        )
    )
    sizes = f"{quantity(data.train.height, 'row')} to train, {quantity(data.test.height, 'row')}"
    notes = [f"{sizes} to test; {quantity(len(data.features), 'feature')}"]
    notes += [each.text for each in found if each.kind == NOTE]
    if not rows:
        notes.append("nothing suspicious was found")
    if label is None:
        notes.append("name the label column to see how a memorizing learner does")
    elif learned.height:
        notes.append("a result that is not better than these means nothing")
    return SplitCheck(table, learned, tuple(notes))


def _examples(values: Sequence[Any]) -> str:
    shown = ", ".join(str(value) for value in values[:EXAMPLES])
    return f"{shown}{', …' if len(values) > EXAMPLES else ''}"


def _shared_values(data: SplitData) -> Iterator[_Finding]:
    """Yield items and groups that are in both files."""
    for purpose in ("item", "group"):
        name = data.columns.named.get(purpose)
        if name is None:
            continue
        one, two = (frame[name].cast(pl.String) for frame in (data.train, data.test))
        inside = two.is_in(one.implode())
        if inside.any():
            shared = two.filter(inside).unique(maintain_order=True).to_list()
            text = f"{quantity(len(shared), purpose)} in both files: {_examples(shared)}"
            yield _Finding(LEAK, f"{purpose}s in both", int(inside.sum()), text)


def _repeated_rows(data: SplitData) -> Iterator[_Finding]:
    """Yield test rows whose features all equal those of a training row.

    Only rows that are unique in their own file are compared. Rows whose features all recur agree by
    chance: if more than 5 % of them do within a file, none are compared.
    """
    if not data.features:
        return
    keys = [data.row_keys(frame) for frame in (data.train, data.test)]
    skipped = [key.is_duplicated() for key in keys]
    count = sum(int(each.sum()) for each in skipped)
    if count > 0.05 * sum(map(len, keys)) and not any(map(data.is_distinct, data.features)):
        yield _Finding(
            NOTE, "", 0, "rows agree by chance, so that repeated ones are not looked for"
        )
        return
    if count:
        text = "more than once in their own file and not looked for in the other"
        yield _Finding(NOTE, "", 0, f"{quantity(count, 'row')} {text}")
    known = keys[0].filter(~skipped[0])
    rows = (keys[1].is_in(known.implode()) & ~skipped[1]).arg_true().to_list()
    if rows:
        text = f"the features of test rows {_examples([row + 1 for row in rows])} are in training"
        yield _Finding(LEAK, "repeated rows", len(rows), text)


def _near_duplicates(data: SplitData) -> Iterator[_Finding]:
    pairs = near_numbers(data.matrix(data.train), data.matrix(data.test)) if data.numbers else []
    if pairs:
        said = _examples([f"{test + 1} and training row {train + 1}" for test, train in pairs])
        yield _Finding(LEAK, "near-duplicates", len(pairs), f"close numbers: test row {said}")
    for name in data.texts:
        texts = [frame[name].fill_null("").to_list() for frame in (data.train, data.test)]
        pairs = near_texts(*texts)
        if pairs:
            said = _examples([f"{test + 1} and training row {train + 1}" for test, train in pairs])
            text = f"similar texts in {name}: test row {said}"
            yield _Finding(LEAK, "near-duplicates", len(pairs), text)


def _times(data: SplitData) -> Iterator[_Finding]:
    name = data.columns.time
    if name is None:
        return
    train, test = (read_times(frame[name], name) for frame in (data.train, data.test))
    last = train.max()
    early = (test <= last).fill_null(value=False)
    if early.any():
        text = f"{quantity(int(early.sum()), 'test row')} not later than the last training row"
        yield _Finding(LEAK, "times", int(early.sum()), f"{text} ({last!s})")


def _scaling(data: SplitData) -> Iterator[_Finding]:
    """Yield features that are standardized over both files together, but not over training."""
    for name in data.numbers:
        train, test = (
            finite_values(frame[name]).drop_nulls().to_numpy() for frame in (data.train, data.test)
        )
        if len(train) < 3 or len(test) < 3:
            continue
        both = np.concatenate([train, test])
        for what, fits in (("mean 0 and deviation 1", _is_standard), ("0 to 1", _is_unit_range)):
            if fits(both) and not fits(train):
                text = f"{name} has {what} over both files together, not over training"
                yield _Finding(LEAK, "scaling", len(both), text)


def _is_standard(values: Floats) -> bool:
    return abs(values.mean()) < 1e-6 and any(
        abs(values.std(ddof=ddof) - 1) < 1e-6 for ddof in (0, 1)
    )


def _is_unit_range(values: Floats) -> bool:
    """Return whether values reach exactly from 0 to 1 and are not themselves 0-1 data."""
    return bool(values.min() == 0 and values.max() == 1 and len(np.unique(values)) > 10)


def _types(data: SplitData) -> Iterator[_Finding]:
    """Yield features that are numbers in one file only, and those that no check reads."""
    for name in data.mixed:
        kinds = ("numbers", "text") if data.train[name].dtype.is_numeric() else ("text", "numbers")
        text = f"{name}: {kinds[0]} in the training data, {kinds[1]} in the test data"
        yield _Finding(DIFFERENCE, "type differs", data.test.height, text)
    if data.unchecked:
        text = f"compared as part of whole rows only: {', '.join(data.unchecked)}"
        yield _Finding(NOTE, "", 0, text)


def _missing_values(data: SplitData) -> Iterator[_Finding]:
    """Yield classes and categories that training lacks, and values far outside its range."""
    label = data.columns.label
    classes = [] if label is None or _is_continuous(data.train[label]) else [label]
    for name in (*classes, *data.words):
        one, two = (frame[name].cast(pl.String).drop_nulls() for frame in (data.train, data.test))
        new = two.filter(~two.is_in(one.implode()))
        if len(new):
            shown = _examples(new.unique(maintain_order=True).to_list())
            text = f"{name}: only in the test data: {shown}"
            yield _Finding(DIFFERENCE, "missing in training", len(new), text)
        if name == label and (lost := one.filter(~one.is_in(two.implode())).unique()).len():
            text = f"{name}: no test row has {_examples(lost.sort().to_list())}"
            yield _Finding(DIFFERENCE, "missing in test", 0, text)
    for name in data.numbers:
        one, two = (finite_values(frame[name]) for frame in (data.train, data.test))
        low, high = one.arg_min(), one.arg_max()
        if low is None or high is None:
            continue
        outside = ((two < one[low]) | (two > one[high])).fill_null(value=False)
        expected = 2 * len(two) / (len(one) + 1)
        if outside.sum() > expected + 6 * math.sqrt(expected) + 3:
            limits = " to ".join(f"{number:.4g}" for number in one.to_numpy()[[low, high]])
            text = f"{name}: outside of {limits}, the range of the training data"
            yield _Finding(DIFFERENCE, "range", int(outside.sum()), text)


def _is_continuous(column: pl.Series) -> bool:
    return column.dtype.is_float() or (column.dtype.is_numeric() and column.n_unique() > 20)


def _distributions(data: SplitData) -> Iterator[_Finding]:
    """Yield features and labels whose distribution differs, with Holm's correction."""
    label = data.columns.label
    names = [*data.numbers, *data.words, *([] if label is None else [label])]
    tests = {name: distribution_difference(data.train[name], data.test[name]) for name in names}
    adjusted = adjust_p_values(np.array([p for p, _ in tests.values()]), "holm")
    found = [
        (*tests[name], name) for name, p in zip(tests, adjusted.tolist(), strict=True) if p <= ALPHA
    ]
    for p, how, name in sorted(found):
        text = f"{name} is distributed otherwise in the test data ({how}, p = {p:.2g})"
        yield _Finding(DIFFERENCE, "distribution", data.test.height, text)

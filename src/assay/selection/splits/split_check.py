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
from assay.selection.splits.split_data import SplitColumns, SplitData, read_data
from assay.selection.splits.split_times import read_times

ALPHA = 0.01
"""The level of all tests of distributions together: a clean split is rarely suspected."""
EXAMPLES = 3
LEAK, DIFFERENCE = "leak", "difference"
"""A leak makes the test easier than reality; a difference makes it another test."""
SCHEMA = {"kind": pl.String, "check": pl.String, "rows": pl.Int64, "finding": pl.String}


@dataclass(frozen=True, repr=False)
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
        _missing_values,
        _distributions,
    )
    found = [finding for check in checks for finding in check(data)]
    rows = [(each.kind, each.check, each.rows, each.text) for each in found]
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
    if not found:
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

    Rows of few values agree by chance, so that only rows which are unique in both files count.
    """
    if not data.features:
        return
    keys = [frame.select(data.features).hash_rows(seed=1) for frame in (data.train, data.test)]
    if sum(key.is_duplicated().sum() for key in keys) > 0.05 * sum(map(len, keys)):
        return
    rows = keys[1].is_in(keys[0].implode()).arg_true().to_list()
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
            frame[name].drop_nulls().drop_nans().to_numpy().astype(np.float64)
            for frame in (data.train, data.test)
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
        one, two = (frame[name].cast(pl.Float64) for frame in (data.train, data.test))
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
    known = sorted((p, name, how) for name, (p, how) in tests.items() if not math.isnan(p))
    for rank, (p, name, how) in enumerate(known):
        if p * (len(known) - rank) > ALPHA:
            return
        text = f"{name} is distributed otherwise in the test data ({how}, p = {p:.2g})"
        yield _Finding(DIFFERENCE, "distribution", data.test.height, text)

"""Every learning task with every kind of bad table: an error with its place, or a note."""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.cli.terminal import call

import assay
from assay.core.errors import AssayError

pytest.importorskip("sklearn")
SIZE = 40
DRAW = np.random.default_rng(0)
X = DRAW.normal(size=(SIZE, 3))
CLASSES = np.where(DRAW.random(SIZE) < 0.5, "a", "b")
COLUMNS = {
    **dict(zip("xyz", X.T, strict=True)),
    "class": CLASSES,
    "number": X @ [1, 2, 3] + DRAW.normal(size=SIZE),
    "outlier": np.where(np.arange(SIZE) % 8, "no", "yes"),
}
TASKS: dict[str, tuple[str | None, dict[str, Any]]] = {
    "missing": ("class", {"shares": [0, 0.2], "learners": "integrate,impute-mean"}),
    "semisupervised": ("class", {"shares": [0.2], "rounds": 2, "learners": "induction"}),
    "density": (None, {"models": "histogram,kernel,normal"}),
    "outliers": ("outlier", {"contamination": [0], "detectors": "neighbors,covariance"}),
    "reduction": ("class", {"methods": "pca,isomap"}),
    "som": ("class", {"rows": 2, "columns": 2, "epochs": 1}),
    "clusters": ("class", {"counts": [1, 2, 3], "rounds": 2}),
    "preparation": ("class", {"folds": 3}),
    "regression": ("number", {"iterations": 5}),
}
"""The target and quick options of each task."""
Make = Callable[[pl.DataFrame, str], pl.DataFrame]
ROW = pl.int_range(pl.len())


def at(rows: Any, value: Any, column: str) -> pl.Expr:
    """Return the column with a value in some rows."""
    return pl.when(rows).then(value).otherwise(pl.col(column)).alias(column)


def same(column: str) -> pl.Expr:
    """Return the column with its first value everywhere."""
    return pl.col(column).first().repeat_by(pl.len()).explode().alias(column)


TABLES: dict[str, Make] = {
    "feature missing everywhere": lambda t, y: t.with_columns(y=pl.lit(None, pl.Float64)),
    "feature missing in places": lambda t, y: t.with_columns(
        at(pl.lit(True) & (ROW < 3), None, "y")
    ),
    "feature infinite": lambda t, y: t.with_columns(at(ROW == 4, math.inf, "y")),
    "feature huge": lambda t, y: t.with_columns(pl.col("y") * 1e200),
    "feature constant": lambda t, y: t.with_columns(y=pl.lit(1.0)),
    "all features constant": lambda t, y: t.with_columns(
        x=pl.lit(1.0), y=pl.lit(2.0), z=pl.lit(3.0)
    ),
    "duplicates": lambda t, y: pl.concat([t.unique(y or "x", keep="first").head(2)] * 15),
    "word among numbers": lambda t, y: t.with_columns(at(ROW == 4, pl.lit("abc"), "y")),
    "text feature": lambda t, y: t.with_columns(y=pl.format("t{}", ROW % 4)),
    "no feature": lambda t, y: t.select(y),
    "word in the target": lambda t, y: t.with_columns(at(ROW == 4, pl.lit("abc"), y)),
    "one class": lambda t, y: t.with_columns(same(y)),
    "no label": lambda t, y: t.with_columns(pl.lit(None, pl.String).alias(y)),
    "NaN in the truth": lambda t, y: t.with_columns(at(ROW == 4, None, y)),
    "no rows": lambda t, y: t.head(0),
    "one row": lambda t, y: t.head(1),
    "three rows": lambda t, y: t.head(3),
}
OF_THE_TARGET = ("no feature", "word in the target", "one class", "no label", "NaN in the truth")
ONE_CLASS = r"t\.csv: every (class|outlier) is \w+: two classes or more are needed"
EQUAL = r"t\.csv: all items are equal \((1|40) items?\): there is nothing to learn"
FEW = r"t\.csv: with test.share 0\.3, none of 1 item is left to train on"
EXPECTED: dict[str, dict[str, str]] = {
    "feature missing everywhere": {"": r"t\.csv: the feature y is missing in all 40 rows"},
    "feature missing in places": {
        "": r"t\.csv:2: the feature y is missing \(3 rows in all\)",
        "missing": "note: 2.5% of the values are missing in the data",
    },
    "feature infinite": {"": r"t\.csv:6: the feature y is infinite; a finite number"},
    "feature huge": {"": r"t\.csv:2: the feature y is -?\S+e\+\d+; a finite number up to 1e\+100"},
    "feature constant": {"": "note: 1 feature with the same value in every row: y"},
    "all features constant": {
        "": EQUAL,
        "missing": "note: 3 features with the same value in every row",
        "regression": "note: 3 features with the same value in every row",
    },
    "duplicates": {
        "": "note: .",
        "clusters": "counts is 1, 2, 3: whole numbers from 1 to 2 are possible",
    },
    "word among numbers": {
        "": r"note: t\.csv:6: 'abc' in y is not a number \(1 word among 39 numbers\), so each",
        "density": r"t\.csv:6: 'abc' in y is not a number .*; choose columns of numbers",
    },
    "text feature": {"": "note: .", "density": r"t\.csv: y is text; choose columns of numbers"},
    "no feature": {"": r"t\.csv: there is no feature; name columns with features"},
    "word in the target": {
        "": "note: .",
        "semisupervised": r"t\.csv: the class abc has one item: two or more are needed",
        "outliers": "there are 3 classes: name that of the outliers with positive",
        "regression": r"t\.csv:6: 'abc' in number is not a number .*: correct it, or remove",
    },
    "one class": {"": ONE_CLASS, "regression": "note: ."},
    "no label": {
        "": r"t\.csv: the target \w+ is missing in all 40 rows: there is nothing to learn"
    },
    "NaN in the truth": {
        "": r"t\.csv:6: the (class|number|outlier) is missing \(1 row in all\)",
        "semisupervised": "note: 1 item without a label: learned from, not evaluated",
    },
    "no rows": {"": r"t\.csv: there are no rows"},
    "one row": {"": ONE_CLASS, "density": EQUAL, "regression": FEW},
    "three rows": {
        "": "note: .",
        "semisupervised": "the class . has one item",
        "reduction": "neighbors is 5: a whole number from 1 to below half the 3 items",
        "clusters": "counts is 1, 2, 3: whole numbers from 1 to 1 are possible",
        "preparation": r"t\.csv: the learner cannot be trained on 2 items",
        "outliers": r"at least 5 normal items to train on",
    },
}
"""What is said by table and task; "" for the tasks that are not named."""
CASES = [
    (task, table)
    for task in TASKS
    for table in TABLES
    if TASKS[task][0] is not None or table not in OF_THE_TARGET
]


def write(task: str, table: str) -> pl.DataFrame:
    """Return the table of a task, and write it to t.csv."""
    target = TASKS[task][0]
    whole = pl.DataFrame(COLUMNS).select(*"xyz", *([target] if target else []))
    made = TABLES[table](whole, target or "")
    made.write_csv("t.csv")
    return made


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def words(task: str, further: dict[str, Any] | None = None) -> list[str]:
    """Return the options of a task as words of the command line."""
    target, options = TASKS[task]
    options = options | (further or {})
    listed = [] if target is None else ["--target", target]
    for name, value in options.items():
        text = ",".join(map(str, value)) if isinstance(value, list) else str(value)
        listed += ["--" + name.replace("_", "-"), text]
    return [*listed, "--resamples", "20"]


def same_words(text: str) -> str:
    """Return a message with names of parameters as in Python and as on the command line alike."""
    return " ".join(text.replace("`", "").replace("--", "").split())


@pytest.mark.parametrize(("task", "table"), CASES)
def test_a_bad_table_is_reported(task: str, table: str) -> None:
    target, options = TASKS[task]
    write(task, table)
    expected = EXPECTED[table].get(task, EXPECTED[table][""])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            found = getattr(assay.learn, task)(
                "t.csv", target, interval=assay.Bootstrap(resamples=20), **options
            )
            said = "".join(f" note: {each}" for each in found.notes)
        except AssayError as failure:
            said = str(failure)
        assert re.search(expected, same_words(said)), said
        done = call("learn", task, "t.csv", *words(task))
    if expected.startswith("note: "):
        assert done.code == 0, done.err
        assert re.search(expected[6:], same_words(done.out)), done.out
    else:
        assert (done.code, done.out) in ((1, ""), (2, ""))
        assert re.search(expected, same_words(done.err)), done.err
    assert "Traceback" not in done.err


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize(("text", "said"), [("", "the file is empty"), ("x,y,class\n", "no rows")])
def test_a_file_without_items_is_reported(task: str, text: str, said: str) -> None:
    Path("t.csv").write_text(text)
    target = [] if TASKS[task][0] is None else ["--target", "class"]
    done = call("learn", task, "t.csv", *target)
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("assay: t.csv: ")
    assert said in done.err


OPTIONS = {
    "clusters": ({"counts": [2, 50]}, "from 1 to 31 are possible for 40 items"),
    "reduction": ({"neighbors": 20}, "a whole number from 1 to below half the 40 items"),
    "preparation": ({"folds": 50}, "50 folds need at least 50 items or groups, found 40"),
    "outliers": ({"contamination": [0.99]}, "too few outliers for any share of"),
    "som": ({"test_share": 0.999}, "none of 40 items is left to train on, or none to test"),
    "regression": ({"rate": -1}, "above 0"),
}
"""An option that the items do not allow, and what is said, by task."""


@pytest.mark.parametrize("task", OPTIONS)
def test_an_option_that_the_items_do_not_allow_is_refused(task: str) -> None:
    write(task, "feature constant")
    option, said = OPTIONS[task]
    target, others = TASKS[task]
    with pytest.raises(AssayError, match=said):
        getattr(assay.learn, task)("t.csv", target, **others | option)
    done = call("learn", task, "t.csv", *words(task, option))
    assert done.code in (1, 2)
    assert said in same_words(done.err)

"""Labels that most models contradict, and how far the numbers move if these labels are wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from assay.core.errors import DataError, UsageError, missing_column, no_rows
from assay.core.printable import Printable
from assay.core.tables import ids_as_text
from assay.evidence.labels import positive_class
from assay.formats.arrays import text_of
from assay.formats.containers import to_frame
from assay.tasks.classification.classification import ClassificationEvidence
from assay.tasks.classification.classification_columns import ClassificationColumns
from assay.tasks.evidence import Measures
from assay.tasks.inputs.array_columns import read_arrays, split_arguments
from assay.tasks.table_evidence import Columns

LEAST_MODELS = 3
MOST_LISTED = 50


@dataclass(frozen=True, repr=False, eq=False)
class SuspectLabels(Printable):
    """Items whose label may be wrong, and what that would change."""

    items: pl.DataFrame
    """A row for each suspect: its label, the label of the models, and how many of them agree."""
    values: pl.DataFrame
    """A row for each model and measure: as labeled, and if the suspects are labeled wrongly."""
    notes: tuple[str, ...] = ()


def suspects(
    data: Any,
    y_pred: Any = None,
    measures: Measures = None,
    *,
    truth: str = "truth",
    predicted: Columns = None,
    item: str | None = None,
    positive: Any = None,
    share: float = 0.5,
) -> SuspectLabels:
    """Find items whose true label most models contradict, and how far the numbers depend on them.

    ``data`` is a table, of which ``predicted`` names the columns of three or more models, or an
    array of labels, beside a dict or a frame of the predictions of each model. An item is suspect
    if more than ``share`` of the models predict the same other label. Each model is then evaluated
    with the suspect labels replaced by that one, where only the *other* models vote, so that no
    model corrects the truth in its own favor.

    >>> import assay
    >>> data = {"truth": ["a", "b", "a"], "m1": ["a", "b", "b"], "m2": ["a", "b", "b"],
    ...         "m3": ["a", "a", "b"]}
    >>> assay.suspects(data, predicted=["m1", "m2", "m3"]).items["item"].to_list()
    ['3']
    """
    predictions, measures = split_arguments(data, y_pred, measures)
    answers = predicted if predictions is None else predictions
    frame, columns, names = _read_models(
        data, ClassificationColumns(truth=truth, predicted=answers, item=item)
    )
    if not 0.5 <= share < 1:
        raise UsageError(f"`share` is {share:g}; a number from 0.5 to below 1 is expected")
    truth, item = columns.truth, columns.item
    frame = frame.with_columns(ids_as_text(frame[name]) for name in (truth, *names))
    labels = frame[truth]
    votes = {name: frame[name].to_list() for name in names}
    found = _vote(labels.to_list(), votes, share)
    ids = [str(n) for n in range(1, frame.height + 1)]
    if item:
        ids = frame[item].cast(pl.String).fill_null("").to_list()
    rows = [
        {"item": ids[n], "label": labels[n], "models_say": said, "models": count, "of": len(names)}
        for n, (said, count) in found.items()
    ]
    rows.sort(key=lambda row: -int(str(row["models"])))
    wanted = text_of(positive)
    if wanted is None:
        wanted = positive_class(tuple(sorted(set(labels.drop_nulls().to_list()))))
    values = [
        row
        for name in names
        for row in _values(frame, truth, name, _vote_without(labels.to_list(), votes, name, share),
                           measures or "ACC", wanted)
    ]  # fmt: skip
    listed = pl.DataFrame(rows[:MOST_LISTED], SCHEMA)
    return SuspectLabels(listed, pl.DataFrame(values), _notes(len(rows), frame.height, share))


def _read_models(
    data: Any, columns: ClassificationColumns
) -> tuple[pl.DataFrame, ClassificationColumns, list[str]]:
    """Return the table, its columns, and the models, whose columns have their names."""
    table, columns = read_arrays(data, columns)
    frame, source = to_frame(table, "the predictions")
    named = columns.predicted or ()
    named = [named] if isinstance(named, str) else named
    if isinstance(named, Mapping):
        for name in {*frame.columns}.difference(map(str, named.values())).intersection(named):
            raise UsageError(f"a model cannot be called '{name}', as another column is; rename it")
        frame = frame.rename({str(column): name for name, column in named.items()})
    names, item = list(named), columns.item
    if len(names) < LEAST_MODELS:
        raise UsageError(
            f"`predicted` names {len(names)} columns; three models or more are needed, so that"
            " others vote on the label that a model is measured by"
        )
    for name in (columns.truth, *names, *([item] if item else [])):
        if name not in frame.columns:
            raise missing_column(source.name, name, frame.columns)
    if frame.is_empty():
        raise no_rows(source.name)
    if len(empty := frame[columns.truth].is_null().arg_true()):
        place = source.place(int(empty[0]))
        raise DataError(f"{place}: the item has no label in '{columns.truth}'")
    return frame, columns, names


SCHEMA = {
    "item": pl.String,
    "label": pl.String,
    "models_say": pl.String,
    "models": pl.Int64,
    "of": pl.Int64,
}


def _notes(count: int, items: int, share: float) -> tuple[str, ...]:
    more = f"; the first {MOST_LISTED} are listed" if count > MOST_LISTED else ""
    return (
        f"{count} of {items} labels are contradicted by more than {share:.0%} of the models, which"
        f" agree on another one{more}",
        "if_wrong: with these labels replaced by the vote of the other models; look at the items"
        " before you change a label: models can share an error",
    )


def _vote(
    labels: Sequence[str | None], votes: dict[str, list[Any]], share: float
) -> dict[int, tuple[str, int]]:
    """Return the label that most models predict and their number, where it is not the given one."""
    found = {}
    for row, cells in enumerate(zip(*votes.values(), strict=True)):
        counted = Counter(cell for cell in cells if cell is not None)
        if not counted:
            continue
        said, count = max(counted.items(), key=lambda pair: (pair[1], pair[0]))
        if said != labels[row] and count > share * len(votes):
            found[row] = (said, count)
    return found


def _vote_without(
    labels: Sequence[str | None], votes: dict[str, list[Any]], name: str, share: float
) -> dict[int, tuple[str, int]]:
    return _vote(labels, {each: column for each, column in votes.items() if each != name}, share)


def _values(
    frame: pl.DataFrame,
    truth: str,
    name: str,
    changed: dict[int, tuple[str, int]],
    measures: Measures,
    positive: str | None,
) -> list[dict[str, Any]]:
    """Return each measure of a model, with the labels as given and with those that are changed."""
    given = frame[truth].to_list()
    other = [changed[row][0] if row in changed else label for row, label in enumerate(given)]
    columns = ClassificationColumns(predicted=name, positive=positive)
    scores = [
        ClassificationEvidence.read(
            pl.DataFrame({"truth": labels, name: frame[name]}), columns
        ).scores(measures, interval=None)
        for labels in (given, other)
    ]
    return [
        {
            "model": name,
            "measure": now.measure,
            "as_labeled": now.value,
            "if_wrong": then.value,
            "difference": then.value - now.value,
            "labels_changed": len(changed),
        }
        for now, then in zip(*(each.results for each in scores), strict=True)
    ]

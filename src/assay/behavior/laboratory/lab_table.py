"""The trials of a laboratory experiment: participant, system, task, order and outcomes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from assay.core.errors import DataError, UsageError, missing_column
from assay.core.phrases import decimal_comma_hint, list_phrase, quantity
from assay.core.tables import Source, ids_as_text
from assay.formats.containers import to_frame

SUS = "SUS"
ITEMS = 10


@dataclass(frozen=True)
class LabColumns:
    """The columns of a table of trials."""

    participant: str = "participant"
    system: str = "system"
    task: str = "task"
    order: str = "order"


@dataclass(frozen=True)
class Trials:
    """One row for each trial, in the order of participants and trials."""

    frame: pl.DataFrame
    """participant, system, task (if there is one), order (if there is one), and the outcomes."""
    outcomes: tuple[str, ...]
    source: Source
    notes: tuple[str, ...] = ()

    def codes(self, column: str) -> np.ndarray:
        """Return the number of each row's value, in the order of names."""
        return self.frame[column].rank("dense").to_numpy().astype(np.int64) - 1


def read_trials(
    data: Any, columns: LabColumns, outcomes: Sequence[str], sus: str | Sequence[str] | None
) -> Trials:
    """Read the trials, and score the questionnaire if its columns are named."""
    frame, source = to_frame(data, "the trials")
    if not frame.height:
        raise DataError(f"{source.name}: there are no trials to analyze")
    chosen = [_ids(frame, source, columns.participant, "participant")]
    chosen.append(_ids(frame, source, columns.system, "system"))
    notes = []
    if columns.task in frame.columns:
        chosen.append(_ids(frame, source, columns.task, "task"))
    elif columns.task != "task":
        raise missing_column(source.name, columns.task, frame.columns, "for `task`")
    else:
        notes.append("there is no column 'task': the model has no effect of tasks")
    if columns.order in frame.columns:
        chosen.append(_order(frame, source, columns.order))
    else:
        notes.append("there is no column 'order': the model has no effect of the order")
    chosen += [_outcome(frame, source, name) for name in outcomes]
    notes += [note for name in outcomes for note in _note_negative(frame, source, name)]
    named = list(outcomes)
    if sus is not None:
        chosen.append(score_sus(frame, source, sus))
        named.append(SUS)
    if not named:
        raise UsageError("name the `outcomes`, such as seconds, or the `sus` columns")
    table = pl.DataFrame(chosen)
    notes += [*_check_order(table, source), *_check_trials(table, source)]
    keys = [name for name in ("participant", "order", "system", "task") if name in table.columns]
    return Trials(table.sort(keys), tuple(named), source, tuple(notes))


def _ids(frame: pl.DataFrame, source: Source, name: str, option: str) -> pl.Series:
    if name not in frame.columns:
        raise missing_column(source.name, name, frame.columns, f"for `{option}`")
    column = ids_as_text(frame[name]).alias(option)
    empty = (column.is_null() | (column.str.strip_chars() == "")).arg_true()
    if len(empty):
        row = int(empty[0])
        who = "" if option == "participant" else _who(frame, row)
        raise DataError(
            f"{source.place(row)}: there is no {option}{who}; every trial needs one, or leave the"
            " row out"
        )
    return column


def _who(frame: pl.DataFrame, row: int) -> str:
    return (
        f" of participant '{frame['participant'][row]}'" if "participant" in frame.columns else ""
    )


def _numbers(frame: pl.DataFrame, source: Source, name: str) -> pl.Series:
    given = frame[name]
    cast = given.cast(pl.Float64, strict=False).fill_nan(None)
    bad = cast.is_null().arg_true()
    if len(bad):
        row = int(bad[0])
        what = (
            f"there is no {name}" if given[row] is None else f"the {name} '{given[row]}' is not a"
        )
        rest = "" if given[row] is None else " number" + decimal_comma_hint(given[row])
        raise DataError(f"{source.place(row)}: {what}{rest}")
    infinite = cast.is_infinite().arg_true()
    if len(infinite):
        place = source.place(int(infinite[0]))
        raise DataError(f"{place}: the {name} is infinite; write a finite number")
    return cast


def _outcome(frame: pl.DataFrame, source: Source, name: str) -> pl.Series:
    if name not in frame.columns:
        raise missing_column(source.name, name, frame.columns, "for `outcomes`")
    given = frame[name]
    return given.cast(pl.Float64) if given.dtype == pl.Boolean else _numbers(frame, source, name)


def _note_negative(frame: pl.DataFrame, source: Source, name: str) -> list[str]:
    """Return a note of negative values: times, counts and ratings have none."""
    if frame[name].dtype == pl.Boolean:
        return []
    values = _numbers(frame, source, name)
    bad = (values < 0).arg_true()
    if not len(bad):
        return []
    row = int(bad[0])
    return [
        f"{source.place(row)}: {quantity(len(bad), 'value')} of {name} below 0, the first"
        f" {values[row]:g}, used as given; a time or a count is not negative"
    ]


def _order(frame: pl.DataFrame, source: Source, name: str) -> pl.Series:
    """Return the places of trials: whole numbers from 0 or 1 on."""
    order = _numbers(frame, source, name).alias("order")
    bad = ((order < 0) | (order % 1 != 0)).arg_true()
    if len(bad):
        row = int(bad[0])
        raise DataError(
            f"{source.place(row)}: the {name} {order[row]:g} is not a place; trials are counted 1,"
            " 2, 3, …"
        )
    return order


def _check_order(table: pl.DataFrame, source: Source) -> list[str]:
    """Refuse two systems in the same place, and return a note if that is so in different tasks."""
    if "order" not in table.columns:
        return []
    rows = table.with_row_index("row")
    keys = [name for name in ("participant", "task", "order") if name in table.columns]
    for chosen in (keys, ["participant", "order"]):
        first = pl.col("system").first().over(chosen)
        shared = rows.with_columns(first=first).filter(pl.col("system") != pl.col("first"))
        if not shared.height:
            continue
        here = shared.row(0, named=True)
        text = (
            f"{source.place(here['row'])}: participant '{here['participant']}' has"
            f" '{here['system']}' and '{here['first']}' in place {here['order']:g}"
        )
        if chosen == keys:
            raise DataError(f"{text}; number the trials of a participant 1, 2, 3, …")
        return [f"{text}, in different tasks; check the order unless it starts again in each task"]
    return []


def score_sus(frame: pl.DataFrame, source: Source, columns: str | Sequence[str]) -> pl.Series:
    """Return the System Usability Scale from ten answers of 1 to 5: 0 to 100.

    Odd items count the answer minus 1, even ones 5 minus the answer; the sum is multiplied by 2.5.
    """
    names = _item_columns(frame, source, columns)
    total = pl.Series(np.zeros(frame.height))
    for number, name in enumerate(names, 1):
        answer = _numbers(frame, source, name)
        bad = (~answer.is_in([1.0, 2.0, 3.0, 4.0, 5.0])).arg_true()
        if len(bad):
            row = int(bad[0])
            raise DataError(
                f"{source.place(row)}: the answer {name} is {answer[row]:g}; answers are whole"
                " numbers from 1 to 5"
            )
        total = total + (answer - 1 if number % 2 else 5 - answer)
    return (total * 2.5).alias(SUS)


def _item_columns(frame: pl.DataFrame, source: Source, columns: str | Sequence[str]) -> list[str]:
    """Return the ten columns of the answers; ``q*`` takes those that begin with q."""
    given = columns.split(",") if isinstance(columns, str) else list(columns)
    names = []
    for each in (name.strip() for name in given):
        start = each.removesuffix("*")
        names += [c for c in frame.columns if c.startswith(start)] if each.endswith("*") else [each]
    for name in names:
        if name not in frame.columns:
            raise missing_column(source.name, name, frame.columns, "for `sus`")
    if len(names) != ITEMS:
        raise UsageError(
            f"{source.name}: `sus` names {len(names)} columns ({list_phrase(names)}); SUS has 10"
            " items"
        )
    return names


def _check_trials(table: pl.DataFrame, source: Source) -> list[str]:
    """Refuse duplicate trials, and return a note on participants with fewer trials than others."""
    if table["system"].n_unique() < 2:
        raise DataError(f"{source.name}: there is one system; an experiment compares two or more")
    if table["participant"].n_unique() < 2:
        raise DataError(f"{source.name}: there is one participant; at least two are needed")
    keys = [name for name in ("participant", "system", "task") if name in table.columns]
    if "task" in table.columns:
        twice = table.select(keys).is_duplicated().arg_true()
        if len(twice):
            row = int(twice[1])
            named = ", ".join(f"{key} '{table[key][row]}'" for key in keys)
            raise DataError(f"{source.place(row)}: the trial of {named} occurs twice")
    counts = table.group_by("participant").len().sort("participant")
    most = max(counts["len"].to_list())
    fewer = counts.filter(pl.col("len") < most)["participant"].to_list()
    if not fewer:
        return []
    return [
        f"{quantity(len(fewer), 'participant')} with fewer than {most} trials:"
        f" {list_phrase(fewer, 5)}"
    ]


def check_plan(trials: Trials, plan: Any) -> list[str]:
    """Return notes on planned trials without a result; refuse trials that were not planned."""
    given = plan.plan if hasattr(plan, "plan") else plan
    frame, source = to_frame(given, "the plan")
    keys = [k for k in ("participant", "system", "task") if k in trials.frame.columns]
    for key in keys:
        if key not in frame.columns:
            raise missing_column(source.name, key, frame.columns, error=DataError)
    planned = frame.select([ids_as_text(frame[key]) for key in keys]).unique()
    done = trials.frame.select(keys)
    extra = done.join(planned, on=keys, how="anti")
    if extra.height:
        named = ", ".join(f"{key} '{value}'" for key, value in extra.row(0, named=True).items())
        raise DataError(
            f"{trials.source.name}: the trial of {named} is not in the plan {source.name}"
        )
    notes = _moved_trials(trials, frame, keys)
    absent = planned.join(done, on=keys, how="anti").sort(keys)
    if not absent.height:
        return notes
    named = ", ".join(f"{key} '{value}'" for key, value in absent.row(0, named=True).items())
    return [*notes, f"{quantity(absent.height, 'planned trial')} without a result, such as {named}"]


def _moved_trials(trials: Trials, plan: pl.DataFrame, keys: Sequence[str]) -> list[str]:
    """Return a note of trials in another place than the plan has."""
    if "order" not in trials.frame.columns or "order" not in plan.columns:
        return []
    planned = plan.select(
        *(ids_as_text(plan[key]) for key in keys),
        planned=plan["order"].cast(pl.Float64, strict=False),
    )
    both = trials.frame.join(planned, on=keys, how="inner", maintain_order="left")
    moved = both.filter(pl.col("order") != pl.col("planned"))
    if not moved.height:
        return []
    here = moved.row(0, named=True)
    named = ", ".join(f"{key} '{here[key]}'" for key in keys)
    return [
        f"{quantity(moved.height, 'trial')} in another place than planned, such as {named}: place"
        f" {here['order']:g}, planned {here['planned']:g}"
    ]

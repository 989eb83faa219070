"""``assay.tune``: try values on validation data, choose, and report the choice on test data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from assay.core.printable import Printable
from assay.core.progress import with_progress
from assay.engine.scores import Scores
from assay.selection.tuning.nested import NestedEstimate, nested_by_folds, nested_by_units
from assay.selection.tuning.nested_folds import NestedFolds, refuse_folds
from assay.selection.tuning.search import Search, choose, run_trials, standard_error
from assay.selection.tuning.space import Values
from assay.selection.tuning.spec import read_spec
from assay.selection.tuning.trials import Trial
from assay.tasks.evidence import Progress

NESTED_FOLDS = 5
"""How many folds of queries a nested estimate has by default."""


@dataclass(frozen=True, repr=False, eq=False)
class Tuning(Printable):
    """The trials of a search, the choice, and what it reaches on test data."""

    trials: pl.DataFrame
    """A row for each trial: number, the parameters, value, standard error, failure."""
    best: Values
    """The values with the best mean on the validation data."""
    chosen: Values
    """The simplest values within one standard error of the best."""
    measure: str
    """The measure by which the choice was made."""
    test: Scores | None
    """The scores of the choice on the test data."""
    nested: NestedEstimate | None = None
    """The value of the choice on validation data that took no part in it."""
    notes: tuple[str, ...] = ()


@with_progress
def tune(
    spec: Any,
    folder: str | Path | None = None,
    *,
    cache: str | Path | None = None,
    workers: int = 1,
    progress: Progress = lambda text: None,
) -> Tuning:
    """Tune parameters on validation data, and report the choice on test data.

    ``spec`` is a TOML file or a dict with ``parameters`` and one of ``command`` (an argument list
    that writes a run), ``callable`` (a function that returns one) or ``estimator`` (with ``X`` and
    ``y``). A command in a spec is run: take specs only from people whose programs you would run.
    The trials are kept in ``folder``; called again, the search goes on where it ended. Runs are
    kept in ``cache``, which searches may share. Proposals come in batches, so that the number of
    ``workers`` does not change a trial.
    """
    search, store, folds = read_spec(spec, folder, cache)
    done = run_trials(search, store, workers, progress)
    best, chosen, notes = choose(done, search)
    nested, said = _nested(search, done, chosen, folds, progress)
    progress("test data")
    tested = search.objective.test(search.budget.add(chosen.parameters))
    notes += [*_search_notes(search, done), *said]
    notes += _test_notes(tested, chosen, search, nested)
    if tested is not None and store is not None:
        looks = store.look_at_test(chosen.parameters)
        notes.append(f"the test data has been looked at {looks} time{'s' * (looks > 1)}")
    return Tuning(
        _table(done, search),
        best.parameters,
        chosen.parameters,
        search.parsed.name,
        tested,
        nested,
        tuple(notes),
    )


def _nested(
    search: Search, done: Sequence[Trial], chosen: Trial, folds: NestedFolds, progress: Progress
) -> tuple[NestedEstimate | None, list[str]]:
    """Return the nested estimate where it is wanted, and what it says in words."""
    if isinstance(folds, list):
        found = nested_by_folds(search, chosen, folds, progress)
        return found, [found.describe(search.measure)]
    if search.task != "retrieval" or folds == 0:
        return None, []
    problem = refuse_folds(folds or NESTED_FOLDS, len(chosen.defined))
    if problem:
        return None, [] if folds is None else [f"no nested value: {problem}"]
    found = nested_by_units(done, chosen, search, folds or NESTED_FOLDS)
    said = [found.describe(search.measure)]
    if search.method == "optuna" or search.budget.name:
        said.append(
            "which values were tried depended on all validation queries, so the nested value is"
            " still somewhat too good"
        )
    return found, said


def _search_notes(search: Search, trials: Sequence[Trial]) -> list[str]:
    size = search.space.grid_size if search.method == "grid" else 0
    notes = []
    if search.trials < size:
        notes.append(f"{search.trials} of {size} combinations of the grid are tried")
    pruned = sum(each.pruned for each in trials)
    if pruned:
        name, values = search.budget.name, search.budget.values
        notes.append(
            f"{pruned} of {len(trials)} trials were pruned: only the best third of each batch goes"
            f" on from {name} = {values[0]} towards {values[-1]}; they cannot be chosen"
        )
    return notes


def _test_notes(
    tested: Scores | None, chosen: Trial, search: Search, nested: NestedEstimate | None
) -> list[str]:
    if tested is None:
        fitting = len(chosen.defined) // 2 if search.task == "retrieval" else NESTED_FOLDS
        wanted = nested is None and fitting > 1
        folds = min(fitting, NESTED_FOLDS)
        advice = f"; `nested = {folds}` gives a value without that" if wanted else ""
        return [
            "no test data is named: the value on the validation data is too good, since the choice"
            f" was made on it{advice}"
        ]
    same = [each for each in tested.results if each.measure == search.parsed.name]
    if not same:
        return []
    gap = chosen.value - same[0].value
    return [
        f"{search.measure} of the choice: {chosen.value:.4f} on the validation data, on which it"
        f" was chosen, {same[0].value:.4f} on the test data; difference {gap:+.4f}"
    ]


def _table(trials: Sequence[Trial], search: Search) -> pl.DataFrame:
    columns: dict[str, Any] = {"trial": [each.number for each in trials]}
    for parameter in search.space.parameters:
        columns[parameter.name] = [each.parameters[parameter.name] for each in trials]
    columns["value"] = [each.value for each in trials]
    columns["error"] = [standard_error(each) for each in trials]
    columns["seconds"] = [each.seconds for each in trials]
    if search.budget.name:
        last = [len(each.stages) - (each.failure is None) for each in trials]
        columns["budget"] = pl.Series([search.budget.values[stage] for stage in last])
        columns["pruned"] = [each.pruned for each in trials]
    columns["failure"] = pl.Series([each.failure for each in trials], dtype=pl.String)
    return pl.DataFrame(columns, strict=False)

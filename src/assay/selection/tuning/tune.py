"""``assay.tune``: try values on validation data, choose, and report the choice on test data."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from assay.core.errors import DataError, UsageError
from assay.core.printable import Printable
from assay.engine.scores import Scores
from assay.selection.tuning.objectives import (
    CallableObjective,
    CommandObjective,
    EstimatorObjective,
    Objective,
    read_evaluation,
)
from assay.selection.tuning.proposals import count_trials
from assay.selection.tuning.run_command import check_command
from assay.selection.tuning.search import Progress, Search, choose, run_trials, standard_error
from assay.selection.tuning.space import Space, Values, read_space
from assay.selection.tuning.trials import Trial, TrialStore, digest_of

KEYS = (
    *("command", "callable", "estimator", "parameters", "inputs", "evaluation", "timeout"),
    *("method", "trials", "batch", "seed", "simpler", "X", "y", "cv", "groups", "X_test", "y_test"),
)


@dataclass(frozen=True, repr=False)
class Tuning(Printable):
    """The trials of a search, the choice, and what it reaches on test data."""

    trials: pl.DataFrame
    """A row for each trial: number, the parameters, value, standard error, failure."""
    best: Values
    """The values with the best mean on the validation data."""
    chosen: Values
    """The simplest values within one standard error of the best."""
    test: Scores | None
    """The scores of the choice on the test data."""
    notes: tuple[str, ...] = ()


def tune(
    spec: Any,
    folder: str | Path | None = None,
    *,
    workers: int = 1,
    progress: Progress = lambda text: None,
) -> Tuning:
    """Tune parameters on validation data, and report the choice on test data.

    ``spec`` is a TOML file or a dict with ``parameters`` and one of ``command`` (an argument list
    that writes a run), ``callable`` (a function that returns one) or ``estimator`` (with ``X`` and
    ``y``). A command in a spec is run: take specs only from people whose programs you would run.
    The trials are kept in ``folder``; called again, the search goes on where it ended. Proposals
    come in batches, so that the number of ``workers`` does not change a trial.
    """
    search, store = _read_spec(spec, folder)
    done = run_trials(search, store, workers, progress)
    best, chosen, notes = choose(done, search)
    table = _table(done, search.space)
    progress("test data")
    tested = search.objective.test(chosen.parameters)
    said = [*notes, *_test_notes(tested, best, chosen, search)]
    if tested is not None and store is not None:
        looks = store.look_at_test(chosen.parameters)
        said.append(f"the test data has been looked at {looks} time{'s' * (looks > 1)}")
    return Tuning(table, best.parameters, chosen.parameters, tested, tuple(said))


def _read_spec(spec: Any, folder: str | Path | None) -> tuple[Search, TrialStore | None]:
    place = Path.cwd()
    if isinstance(spec, str | Path):
        place = Path(spec).resolve().parent
        spec = _read_toml(Path(spec))
    for word in spec:
        if word not in KEYS:
            raise UsageError(f"the spec has '{word}'; there are {', '.join(KEYS)}")
    space = read_space(spec.get("parameters", {}), spec.get("simpler", ()))
    objective, measure, files = _read_objective(spec, space, place)
    method = spec.get("method", "random")
    search = Search(
        objective,
        space,
        measure,
        "retrieval" if not isinstance(objective, EstimatorObjective) else _task(spec["estimator"]),
        method,
        count_trials(method, space, spec.get("trials")),
        spec.get("batch", 8),
        spec.get("seed", 1),
    )
    if search.batch < 1:
        raise UsageError(f"batch is {search.batch}: at least 1 is needed")
    if folder is None:
        return search, None
    if isinstance(objective, EstimatorObjective):
        raise UsageError("trials of an estimator are not kept: leave out `folder`")
    return search, TrialStore(Path(folder), digest_of(_described(spec), files))


def _task(estimator: Any) -> str:
    from sklearn.base import is_classifier

    return "classification" if is_classifier(estimator) else "regression"


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        raise UsageError(f"{path}: there is no such file; check the path") from None
    except OSError as failure:
        raise UsageError(f"{path}: {failure.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as failure:
        raise DataError(f"{path}: {failure}") from None


def _described(spec: Mapping[str, Any]) -> dict[str, Any]:
    """Return what decides about the values of trials."""
    names = ("command", "parameters", "inputs", "evaluation", "method", "batch", "seed", "timeout")
    return {name: spec[name] for name in names if name in spec}


def _read_objective(
    spec: Mapping[str, Any], space: Space, place: Path
) -> tuple[Objective, str, list[Path]]:
    """Return what is tuned, its measure, and the files whose content it depends on."""
    kinds = [name for name in ("command", "callable", "estimator") if name in spec]
    if len(kinds) != 1:
        raise UsageError("the spec names one of command, callable and estimator")
    if kinds == ["estimator"]:
        return _estimator_objective(spec)
    evaluation = read_evaluation(spec.get("evaluation", {}), place)
    files = [Path(evaluation.qrels)] if isinstance(evaluation.qrels, str) else []
    if kinds == ["callable"]:
        return CallableObjective(spec["callable"], evaluation), evaluation.measure, files
    inputs = {name: str((place / path).resolve()) for name, path in spec.get("inputs", {}).items()}
    check_command(spec["command"], [each.name for each in space.parameters], inputs)
    files += [Path(path) for path in inputs.values()]
    command = [_program(word, place) for word in spec["command"]]
    files += [Path(word) for word in command if Path(word).is_absolute() and Path(word).is_file()]
    for path in files:
        if not path.is_file():
            raise UsageError(f"{path}: there is no such file; check the spec")
    timeout = float(spec.get("timeout", 600))
    objective = CommandObjective(tuple(command), inputs, timeout, evaluation)
    return objective, evaluation.measure, files


def _program(word: str, place: Path) -> str:
    """Return a word of the command; a file beside the spec has its full path."""
    beside = place / word
    return str(beside.resolve()) if "{" not in word and "/" in word and beside.is_file() else word


def _estimator_objective(spec: Mapping[str, Any]) -> tuple[Objective, str, list[Path]]:
    evaluation = spec.get("evaluation", {})
    if "measure" not in evaluation or "X" not in spec or "y" not in spec:
        raise UsageError("an estimator needs X, y and the measure: evaluation={'measure': …}")
    tested = (spec["X_test"], spec["y_test"]) if "X_test" in spec else None
    measures = evaluation.get("test_measure", evaluation["measure"])
    objective = EstimatorObjective(
        spec["estimator"],
        spec["X"],
        spec["y"],
        evaluation["measure"],
        (measures,) if isinstance(measures, str) else tuple(measures),
        spec.get("cv", 5),
        spec.get("groups"),
        tested,
    )
    return objective, evaluation["measure"], []


def _test_notes(tested: Scores | None, best: Trial, chosen: Trial, search: Search) -> list[str]:
    if tested is None:
        return [
            "no test data is named: the value on the validation data is too good, since the choice"
            " was made on it"
        ]
    same = [each for each in tested.results if each.measure == search.measure]
    if not same:
        return []
    gap = chosen.value - same[0].value
    return [
        f"{search.measure} of the choice: {chosen.value:.4f} on the validation data, on which it"
        f" was chosen, {same[0].value:.4f} on the test data; difference {gap:+.4f}"
    ]


def _table(trials: Sequence[Trial], space: Space) -> pl.DataFrame:
    columns: dict[str, Any] = {"trial": [each.number for each in trials]}
    for parameter in space.parameters:
        columns[parameter.name] = [each.parameters[parameter.name] for each in trials]
    columns["value"] = [each.value for each in trials]
    columns["error"] = [standard_error(each) for each in trials]
    columns["seconds"] = [each.seconds for each in trials]
    columns["failure"] = pl.Series([each.failure for each in trials], dtype=pl.String)
    return pl.DataFrame(columns, strict=False)

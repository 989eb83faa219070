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
from assay.selection.tuning.search import Search, choose, run_trials, standard_error
from assay.selection.tuning.space import Space, Values, read_space, require_type
from assay.selection.tuning.trials import Trial, TrialStore, digest_of
from assay.tasks.evidence import Progress

KEYS = (
    *("command", "callable", "estimator", "parameters", "inputs", "evaluation", "timeout"),
    *("method", "trials", "batch", "seed", "simpler", "X", "y", "cv", "groups", "X_test", "y_test"),
)


_TYPES: dict[str, tuple[Any, str]] = {
    **dict.fromkeys(("trials", "batch", "seed"), (int, "a whole number")),
    **dict.fromkeys(("inputs", "evaluation"), (Mapping, "a table")),
    "timeout": (int | float, "a number of seconds"),
    "method": (str, "a text"),
}
"""What some keys hold."""
MOST_SECONDS = 1e6


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
    said = [*notes, *_grid_notes(search), *_test_notes(tested, best, chosen, search)]
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
    for name, (kind, expected) in _TYPES.items():
        if name in spec:
            require_type(name, spec[name], kind, expected)
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
    _check_search(search)
    if folder is None:
        return search, None
    if not isinstance(objective, CommandObjective):
        kind = "an estimator" if isinstance(objective, EstimatorObjective) else "a callable"
        raise UsageError(
            f"trials of {kind} are not kept, since its code may change: leave out `folder`"
        )
    for name in ("qrels", "splits"):
        require_type(f"evaluation.{name}", spec["evaluation"].get(name, ""), str | Path, "a file")
    return search, TrialStore(Path(folder), digest_of(_described(spec), files))


def _check_search(search: Search) -> None:
    """Refuse settings of a search, and measures whose mean over units is not their value."""
    if search.batch < 1:
        raise UsageError(f"batch is {search.batch}: at least 1 is needed")
    if search.seed < 0:
        raise UsageError(f"seed is {search.seed}: a whole number from 0 is expected")
    found = search.parsed
    if found.definition.better == "neither":
        raise UsageError(f"{found.name} has no better direction: tune by another measure")
    aggregate = found.average or found.definition.aggregate
    if search.task == "retrieval" and aggregate not in ("mean", "macro"):
        raise UsageError(
            f"{found.name} is not a mean over queries ({aggregate}), by which trials are compared:"
            " tune by another measure"
        )


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
    given = [spec["evaluation"].get(name) for name in ("qrels", "splits")]
    files = [place / path for path in given if isinstance(path, str | Path)]
    if kinds == ["callable"]:
        return CallableObjective(spec["callable"], evaluation), evaluation.measure, files
    for name, path in spec.get("inputs", {}).items():
        require_type(f"inputs.{name}", path, str | Path, "a file")
    inputs = {name: str((place / path).resolve()) for name, path in spec.get("inputs", {}).items()}
    check_command(spec["command"], [each.name for each in space.parameters], inputs)
    files += [Path(path) for path in inputs.values()]
    command = [_program(word, place) for word in spec["command"]]
    files += [Path(word) for word in command if Path(word).is_absolute() and Path(word).is_file()]
    for path in files:
        if not path.is_file():
            raise UsageError(f"{path}: there is no such file; check the spec")
    timeout = float(spec.get("timeout", 600))
    if not 0 < timeout < MOST_SECONDS:
        raise UsageError(f"timeout is {timeout:g}: seconds above 0 are expected")
    objective = CommandObjective(tuple(command), inputs, timeout, evaluation)
    return objective, evaluation.measure, files


def _program(word: str, place: Path) -> str:
    """Return a word of the command; a file beside the spec has its full path."""
    beside = place / word
    return str(beside.absolute()) if "{" not in word and "/" in word and beside.is_file() else word


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


def _grid_notes(search: Search) -> list[str]:
    size = search.space.grid_size if search.method == "grid" else 0
    return [f"{search.trials} of {size} combinations of the grid are tried"] * (
        search.trials < size
    )


def _test_notes(tested: Scores | None, best: Trial, chosen: Trial, search: Search) -> list[str]:
    if tested is None:
        return [
            "no test data is named: the value on the validation data is too good, since the choice"
            " was made on it"
        ]
    same = [each for each in tested.results if each.measure == search.parsed.name]
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

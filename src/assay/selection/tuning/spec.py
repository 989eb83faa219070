"""The spec of a search: read from TOML or a dict, and checked."""

from __future__ import annotations

import shutil
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from assay.core.errors import DataError, UsageError
from assay.core.output_files import refuse_unwritable
from assay.core.output_folders import make_folder
from assay.selection.tuning.budget import TrialBudget, read_budget
from assay.selection.tuning.nested_folds import NestedFolds, read_nested
from assay.selection.tuning.objectives import (
    CallableObjective,
    CommandObjective,
    EstimatorObjective,
    Objective,
    read_evaluation,
)
from assay.selection.tuning.proposals import count_trials
from assay.selection.tuning.run_cache import RunCache
from assay.selection.tuning.run_command import check_command
from assay.selection.tuning.search import Search
from assay.selection.tuning.space import Space, read_space, require_type
from assay.selection.tuning.trials import TrialStore, digest_of

KEYS = (
    *("command", "callable", "estimator", "parameters", "inputs", "evaluation", "timeout"),
    *("method", "trials", "batch", "seed", "simpler", "X", "y", "cv", "groups", "X_test", "y_test"),
    *("nested", "budget"),
)
_TYPES: dict[str, tuple[Any, str]] = {
    **dict.fromkeys(("trials", "batch", "seed"), (int, "a whole number")),
    **dict.fromkeys(("inputs", "evaluation"), (Mapping, "a table")),
    "timeout": (int | float, "a number of seconds"),
    "method": (str, "a text"),
}
"""What some keys hold."""
MOST_SECONDS = 1e6


def read_spec(
    spec: Any, folder: str | Path | None, cache: str | Path | None
) -> tuple[Search, TrialStore | None, NestedFolds]:
    """Return the search, where its trials are kept, and its nested folds."""
    place = Path.cwd()
    if isinstance(spec, str | Path):
        place = Path(spec).resolve().parent
        spec = _read_toml(Path(spec))
    require_type("the spec", spec, Mapping, "a TOML file or a dict")
    for word in spec:
        if word not in KEYS:
            raise UsageError(f"the spec has '{word}'; there are {', '.join(KEYS)}")
    for name, (kind, expected) in _TYPES.items():
        if name in spec:
            require_type(name, spec[name], kind, expected)
    space = read_space(spec.get("parameters", {}), spec.get("simpler", ()))
    budget = read_budget(spec.get("budget"), [each.name for each in space.parameters])
    objective, measure, files = _read_objective(spec, space, budget, place)
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
        budget,
    )
    _check_search(search)
    nested = read_nested(spec.get("nested"), objective)
    if folder is None and cache is None:
        return search, None, nested
    return *_keep(search, spec, files, folder, cache), nested


def _keep(
    search: Search,
    spec: Mapping[str, Any],
    files: Sequence[Path],
    folder: str | Path | None,
    cache: str | Path | None,
) -> tuple[Search, TrialStore | None]:
    """Return the search with its cache of runs, and where its trials are kept."""
    objective = search.objective
    if not isinstance(objective, CommandObjective):
        kind = "an estimator" if isinstance(objective, EstimatorObjective) else "a callable"
        raise UsageError(
            f"trials of {kind} are not kept, since its code may change: leave out `folder` and"
            " `cache`"
        )
    for name in ("qrels", "splits"):
        require_type(f"evaluation.{name}", spec["evaluation"].get(name, ""), str | Path, "a file")
    if cache is not None:
        make_folder(Path(cache))
        refuse_unwritable(Path(cache, "new.run"))
        inputs = (*map(Path, objective.inputs.values()), *_programs(objective.command))
        runs = RunCache(Path(cache), tuple(inputs))
        search = replace(search, objective=replace(objective, cache=runs))
    if folder is None:
        return search, None
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
    return {name: spec[name] for name in (*names, "budget") if name in spec}


def _read_objective(
    spec: Mapping[str, Any], space: Space, budget: TrialBudget, place: Path
) -> tuple[Objective, str, list[Path]]:
    """Return what is tuned, its measure, and the files whose content it depends on."""
    kinds = [name for name in ("command", "callable", "estimator") if name in spec]
    if len(kinds) != 1:
        raise UsageError("the spec names one of command, callable and estimator")
    if kinds == ["estimator"]:
        return _estimator_objective(spec, budget)
    evaluation = read_evaluation(spec.get("evaluation", {}), place)
    given = [spec["evaluation"].get(name) for name in ("qrels", "splits")]
    files = [place / path for path in given if isinstance(path, str | Path)]
    if kinds == ["callable"]:
        if not callable(spec["callable"]):
            raise UsageError("callable is a function of the parameters that returns a run")
        return CallableObjective(spec["callable"], evaluation), evaluation.measure, files
    for name, path in spec.get("inputs", {}).items():
        require_type(f"inputs.{name}", path, str | Path, "a file")
    inputs = {name: str((place / path).resolve()) for name, path in spec.get("inputs", {}).items()}
    names = [each.name for each in space.parameters] + [budget.name] * bool(budget.name)
    check_command(spec["command"], names, inputs)
    files += [Path(path) for path in inputs.values()]
    command = [_program(word, place) for word in spec["command"]]
    files += _programs(command)
    for path in files:
        if not path.is_file():
            raise UsageError(f"{path}: there is no such file; check the spec")
    timeout = float(spec.get("timeout", 600))
    if not 0 < timeout < MOST_SECONDS:
        raise UsageError(f"timeout is {timeout:g}: seconds above 0 are expected")
    objective = CommandObjective(tuple(command), inputs, timeout, evaluation)
    return objective, evaluation.measure, files


def _programs(command: Sequence[str]) -> list[Path]:
    """Return the files of a command: its program, found by its name too, and its arguments."""
    found = [shutil.which(command[0]), *(word for word in command if Path(word).is_absolute())]
    paths = [Path(each).resolve() for each in found if each is not None]
    return [each for each in dict.fromkeys(paths) if each.is_file()]


def _program(word: str, place: Path) -> str:
    """Return a word of the command; a file beside the spec has its full path."""
    beside = place / word
    named = "{" not in word and "/" in word and beside.is_file()
    return str(beside) if named else word  # links stay: one may lead to an environment


def _estimator_objective(
    spec: Mapping[str, Any], budget: TrialBudget
) -> tuple[Objective, str, list[Path]]:
    evaluation = spec.get("evaluation", {})
    if "measure" not in evaluation or "X" not in spec or "y" not in spec:
        raise UsageError("an estimator needs X, y and the measure: evaluation={'measure': …}")
    if ("X_test" in spec) is not ("y_test" in spec):
        raise UsageError("X_test and y_test are given together")
    if not all(hasattr(spec["estimator"], name) for name in ("fit", "predict", "get_params")):
        raise UsageError("estimator is an estimator of scikit-learn, with fit and predict")
    tested = (spec["X_test"], spec["y_test"]) if "X_test" in spec else None
    measures = evaluation.get("test_measure", evaluation["measure"])
    cv = spec.get("cv", 5)
    objective = EstimatorObjective(
        spec["estimator"],
        spec["X"],
        spec["y"],
        evaluation["measure"],
        (measures,) if isinstance(measures, str) else tuple(measures),
        list(cv) if isinstance(cv, Iterator) else cv,
        spec.get("groups"),
        tested,
    )
    objective.check_budget(budget)
    return objective, evaluation["measure"], []

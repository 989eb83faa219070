"""What is tuned: a command or a callable that ranks, or an estimator of scikit-learn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from assay.core.errors import DataError, UsageError
from assay.core.scratch_files import scratch_folder
from assay.engine.scores import Scores
from assay.formats.containers import to_judgments
from assay.formats.splits import Splits
from assay.selection.cross_validation.cross_validate import FOLDS, cross_validate
from assay.selection.cross_validation.folds import Fold, read_folds
from assay.selection.estimators import evaluate
from assay.selection.tuning.budget import TrialBudget
from assay.selection.tuning.run_cache import RunCache
from assay.selection.tuning.run_command import OUTPUT, fill, run_command
from assay.selection.tuning.space import Values, require_type
from assay.tasks.retrieval.retrieval import retrieval


class Objective(Protocol):
    """Evaluates values of the parameters on validation and on test data."""

    def validate(self, values: Values) -> dict[str, float]:
        """Return the measure of each unit of the validation data."""

    def test(self, values: Values) -> Scores | None:
        """Return the scores on the test data; None if there is none."""


@dataclass(frozen=True)
class RankerEvaluation:
    """The judgments, the split of the queries, and the measures of a ranker."""

    qrels: Any
    splits: Any
    validation: str
    test: str | None
    measure: str
    test_measures: tuple[str, ...]

    def unit_values(self, run: Any) -> dict[str, float]:
        """Return the measure of each validation query."""
        scores = self._scores(run, self.validation, [self.measure], with_interval=False)
        (result,) = scores.results
        return dict(zip(result.units, result.values.tolist(), strict=True))

    def count_queries(self) -> int:
        """Return how many validation queries are judged."""
        judged = to_judgments(self.qrels).frame["query"].unique()
        if self.splits is None:
            return len(judged)
        return int(judged.is_in(Splits.select(self.splits, self.validation)).sum())

    def test_scores(self, run: Any) -> Scores | None:
        """Return the scores on the test queries."""
        if self.test is None:
            return None
        return self._scores(run, self.test, list(self.test_measures), with_interval=True)

    def _scores(self, run: Any, split: str, measures: list[str], *, with_interval: bool) -> Scores:
        options: dict[str, Any] = {} if with_interval else {"interval": None}
        splits = {"split": split, "splits": self.splits} if self.splits is not None else {}
        return retrieval(self.qrels, {"tuned": run}, measures, **splits, **options)


@dataclass(frozen=True)
class CommandObjective:
    """A command that writes a run; each trial has a fresh folder, removed afterwards."""

    command: tuple[str, ...]
    inputs: Mapping[str, str]
    timeout: float
    evaluation: RankerEvaluation
    cache: RunCache | None = None

    def validate(self, values: Values) -> dict[str, float]:
        """Return the measure of each validation query."""
        return self._with_run(values, self.evaluation.unit_values)

    def test(self, values: Values) -> Scores | None:
        """Return the scores on the test queries."""
        return self._with_run(values, self.evaluation.test_scores)

    def _with_run(self, values: Values, use: Callable[[Any], Any]) -> Any:
        with scratch_folder({}) as folder:
            filled = {**self.inputs, **values}

            def make() -> Path:
                """Run the command and return its output."""
                return run_command(self.command, filled, folder, self.timeout)

            if self.cache is None:
                return use(str(make()))
            words = fill(self.command, {**filled, OUTPUT: f"{{{OUTPUT}}}"})
            return use(str(self.cache.run(words, make)))


@dataclass(frozen=True)
class CallableObjective:
    """A function of the parameters that returns a run."""

    function: Callable[..., Any]
    evaluation: RankerEvaluation

    def validate(self, values: Values) -> dict[str, float]:
        """Return the measure of each validation query."""
        return self.evaluation.unit_values(self.function(**values))

    def test(self, values: Values) -> Scores | None:
        """Return the scores on the test queries."""
        return self.evaluation.test_scores(self.function(**values))


@dataclass(frozen=True)
class EstimatorObjective:
    """An estimator whose parameters are validated by folds of the training items."""

    estimator: Any
    X: Any
    y: Any
    measure: str
    test_measures: tuple[str, ...]
    cv: Any = 5
    groups: Any = None
    tested: tuple[Any, Any] | None = None
    """Features and targets of the test items."""

    def validate(self, values: Values) -> dict[str, float]:
        """Return the measure of each fold."""
        own, folds = self._take_folds(values)
        cv = self.cv if folds is None else self._first_folds(folds)
        scores = cross_validate(
            self._with(own), self.X, self.y, self.measure, cv=cv, groups=self.groups, interval=None
        )
        result = next(each for each in scores.results if each.unit_kind == "fold")
        return dict(zip(result.units, result.values.tolist(), strict=True))

    def test(self, values: Values) -> Scores | None:
        """Return the scores on the test items of a model trained on all training items."""
        if self.tested is None:
            return None
        try:
            model = self._with(self._take_folds(values)[0]).fit(self.X, np.asarray(self.y))
        except (TypeError, ValueError) as failure:
            raise DataError(f"the estimator cannot be trained: {failure}") from failure
        return evaluate(model, *self.tested, list(self.test_measures))

    def check_budget(self, budget: TrialBudget) -> None:
        """Refuse a budget of folds that there are not."""
        for stage in range(budget.stages):
            _, count = self._take_folds(budget.add({}, stage))
            if count is not None:
                self._first_folds(count)

    def read_folds(self, cv: Any, name: str) -> list[Fold]:
        """Return folds of the items; ``name`` is what they are called in messages."""
        from sklearn.base import is_classifier

        classifier = bool(is_classifier(self.estimator))
        target = np.asarray(self.y)
        return read_folds(cv, self.X, target, self.groups, classifier=classifier, name=name)

    def _take_folds(self, values: Values) -> tuple[Values, float | None]:
        """Return the parameters of the estimator, and the budget of folds among the values."""
        if FOLDS not in values or FOLDS in self.estimator.get_params():
            return values, None
        return {name: each for name, each in values.items() if name != FOLDS}, values[FOLDS]

    def _first_folds(self, count: float) -> list[tuple[Any, Any]]:
        """Return the rows of the first folds, for a budget of folds."""
        folds = self.read_folds(self.cv, "cv")
        if not 1 <= count <= len(folds) or count != int(count):
            raise UsageError(
                f"budget.{FOLDS} has {count}: whole numbers up to the number of folds"
                f" ({len(folds)}) are expected"
            )
        return [(fold.train, fold.test) for fold in folds[: int(count)]]

    def _with(self, values: Values) -> Any:
        from sklearn.base import clone

        try:
            return clone(self.estimator).set_params(**values)
        except ValueError as failure:
            raise UsageError(f"the estimator does not take these parameters: {failure}") from None


def read_evaluation(given: Mapping[str, Any], folder: Path) -> RankerEvaluation:
    """Read the section on evaluation of a spec; paths are relative to the spec."""
    known = ("qrels", "splits", "validation", "test", "measure", "test_measure")
    for word in given:
        if word not in known:
            raise UsageError(f"evaluation has '{word}'; there are {', '.join(known)}")
    for word in ("qrels", "measure"):
        if word not in given:
            raise UsageError(f"evaluation needs {word}")
    for word in ("measure", "validation", "test"):
        require_type(f"evaluation.{word}", given.get(word, ""), str, "a text")
    tested = given.get("test_measure", given["measure"])
    listed = (tested,) if isinstance(tested, str) else tested
    require_type("evaluation.test_measure", listed, list | tuple, "a list of measures")
    splits, validation = given.get("splits"), given.get("validation", "dev")
    if given.get("test") == validation:
        raise UsageError(
            f"evaluation has '{validation}' as validation and as test: the choice would be reported"
            " on the data that it was made on"
        )
    if splits is None and "test" in given:
        raise UsageError("evaluation has a test split but no splits: give the file of assay split")
    read = None if splits is None else Splits.read(_place(splits, folder))
    return RankerEvaluation(
        _place(given["qrels"], folder),
        read,
        validation,
        given.get("test"),
        given["measure"],
        tuple(listed),
    )


def _place(given: Any, folder: Path) -> Any:
    return str(folder / given) if isinstance(given, str | Path) else given

"""Reference learners by name, each with the parameter that sets its capacity."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.core.errors import MissingExtra, UsageError, unknown_name
from assay.selection.learning.training_data import TrainingData


@dataclass(frozen=True)
class Learner:
    """A learner, and the parameter by which it becomes more flexible."""

    about: str
    build: Callable[[Any, str], Any]
    """Takes a value of the parameter and the task; returns an estimator."""
    tasks: Sequence[str]
    parameter: str = ""
    values: Sequence[float] = ()
    """Values from the simplest to the most flexible."""
    whole: bool = True
    """Whether the values are whole numbers."""


def _polynomial(degree: int, _task: str) -> Any:
    from sklearn.linear_model import LinearRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import PolynomialFeatures, StandardScaler

    powers = PolynomialFeatures(int(degree), include_bias=False)
    return make_pipeline(StandardScaler(), powers, StandardScaler(), LinearRegression())


def _tree(depth: int, task: str) -> Any:
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    kind = DecisionTreeRegressor if task == "regression" else DecisionTreeClassifier
    return kind(max_depth=int(depth), random_state=0)


def _neighbors(count: int, task: str) -> Any:
    from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    kind = KNeighborsRegressor if task == "regression" else KNeighborsClassifier
    return make_pipeline(StandardScaler(), kind(int(count)))


def _ridge(alpha: float, _task: str) -> Any:
    from sklearn.linear_model import Ridge
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return make_pipeline(StandardScaler(), Ridge(alpha))


def _logistic(strength: float, _task: str) -> Any:
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return make_pipeline(StandardScaler(), LogisticRegression(C=strength, max_iter=1000))


def _bayes(_value: Any, _task: str) -> Any:
    from sklearn.naive_bayes import GaussianNB

    return GaussianNB()


BOTH = ("classification", "regression")
LEARNERS = {
    "polynomial": Learner(
        "least squares on powers of the features", _polynomial, BOTH[1:], "degree", range(1, 13)
    ),
    "tree": Learner("decision tree", _tree, BOTH, "depth", range(1, 13)),
    "neighbors": Learner(
        "nearest neighbors", _neighbors, BOTH, "k", (50, 35, 25, 18, 12, 9, 7, 5, 3, 2, 1)
    ),
    "ridge": Learner(
        "ridge regression",
        _ridge,
        BOTH[1:],
        "alpha",
        (1000, 300, 100, 30, 10, 3, 1, 0.3, 0.1),
        whole=False,
    ),
    "logistic": Learner(
        "logistic regression",
        _logistic,
        BOTH[:1],
        "C",
        (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10),
        whole=False,
    ),
    "bayes": Learner("Gaussian naive Bayes", _bayes, BOTH[:1]),
}
"""The learners by name."""


def find_learner(name: str, task: str) -> Learner:
    """Return a learner by its name, if it does the task."""
    if name not in LEARNERS:
        raise unknown_name("learner", name, LEARNERS)
    found = LEARNERS[name]
    if task not in found.tasks:
        able = [each for each, other in LEARNERS.items() if task in other.tasks]
        raise UsageError(f"the learner {name} does no {task}; {', '.join(able)} do")
    return found


def make_estimator(learner: Any, task: str) -> Any:
    """Return the estimator of a name such as ``polynomial:3``, or a scikit-learn estimator."""
    require_sklearn()
    if not isinstance(learner, str):
        return learner
    name, _, value = learner.partition(":")
    found = find_learner(name, task)
    if not found.parameter:
        return found.build(None, task)
    if not value:
        raise UsageError(f"which {found.parameter}? Write {name}:{found.values[2]:g}, for example")
    return found.build(parse_value(found, value), task)


def parse_value(learner: Learner, text: str) -> float:
    """Return the value of a learner's parameter."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 < value < 1e12 or (learner.whole and value != int(value)):
        wanted = "a whole number" if learner.whole else "a number"
        raise UsageError(f"the {learner.parameter} is '{text}': {wanted} above 0 is expected")
    return value


def fit_predict(estimator: Any, train: TrainingData, features: npt.NDArray[Any]) -> Any:
    """Train a copy of an estimator, and return what it predicts."""
    from sklearn.base import clone

    if train.task == "classification" and len(np.unique(train.target)) < 2:
        return np.full(len(features), train.target[0])
    try:
        return clone(estimator).fit(train.features, train.target).predict(features)
    except (ValueError, TypeError) as failure:
        raise UsageError(f"the learner cannot be trained: {failure}") from None


def require_sklearn() -> None:
    """Raise an error that names the extra, where scikit-learn is missing."""
    try:
        import sklearn  # noqa: F401
    except ImportError:
        raise MissingExtra("scikit-learn", "learning") from None

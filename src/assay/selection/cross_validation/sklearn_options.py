"""Options of scikit-learn's ``cross_validate``, so that a script needs another import alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assay.core.errors import UsageError, did_you_mean

WITHOUT_EFFECT = (
    "n_jobs",
    "verbose",
    "pre_dispatch",
    "return_train_score",
    "return_estimator",
    "return_indices",
    "error_score",
)
"""Options that change neither folds nor values here; a failing estimator is always an error."""
ELSEWHERE = {
    "params": "`groups` and `sample_weight`",
    "fit_params": "`groups` and `sample_weight`",
}


def read_options(given: Mapping[str, Any], known: tuple[str, ...]) -> list[str]:
    """Return a note of options that have no effect; refuse those that are unknown."""
    for name in given:
        if name in ELSEWHERE:
            raise UsageError(f"`{name}` of scikit-learn is {ELSEWHERE[name]} here")
        if name not in WITHOUT_EFFECT:
            raise UsageError(f"there is no option `{name}`." + did_you_mean(name, known))
    if not given:
        return []
    return [f"options of scikit-learn without effect here: {', '.join(given)}"]

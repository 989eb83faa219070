"""Click models: fit them to a log, compare them, estimate relevance from clicks.

>>> import assay
>>> log = {"session": [1, 1, 2, 2], "query": ["q"] * 4, "rank": [1, 2, 1, 2],
...        "doc": ["a", "b", "b", "a"], "click": [0, 1, 1, 0]}
>>> model = assay.clicks.fit(log, "pbm", starts=1)
>>> model.pairs["doc"].to_list()
['a', 'b']
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assay.behavior.clicks.click_judgments import ClickJudgments as ClickJudgments
    from assay.behavior.clicks.click_judgments import click_judgments as judgments
    from assay.behavior.clicks.fit_clicks import fit_clicks as fit
    from assay.behavior.clicks.fitted_model import ClickModel as ClickModel
    from assay.behavior.clicks.model_comparison import ModelComparison as ModelComparison
    from assay.behavior.clicks.model_comparison import compare_click_models as compare

_PLACES = {
    "ClickJudgments": "clicks.click_judgments:ClickJudgments",
    "ClickModel": "clicks.fitted_model:ClickModel",
    "ModelComparison": "clicks.model_comparison:ModelComparison",
    "CounterfactualValue": "counterfactual.counterfactual_value:CounterfactualValue",
    "compare": "clicks.model_comparison:compare_click_models",
    "counterfactual": "counterfactual.counterfactual_value:counterfactual",
    "fit": "clicks.fit_clicks:fit_clicks",
    "judgments": "clicks.click_judgments:click_judgments",
}
"""The public names, imported on first use."""
__all__ = [
    "ClickJudgments",
    "ClickModel",
    "CounterfactualValue",
    "ModelComparison",
    "compare",
    "counterfactual",
    "fit",
    "judgments",
]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used."""
    if name not in _PLACES:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    module, _, member = _PLACES[name].partition(":")
    return getattr(importlib.import_module(f"assay.behavior.{module}"), member)


def __dir__() -> list[str]:
    """List the public names, for completion."""
    return sorted({*globals(), *__all__})

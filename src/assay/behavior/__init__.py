"""What users do: logs, click models, experiments and counterfactual estimates.

>>> import assay
>>> log = {"session": [1, 1], "query": ["q"] * 2, "rank": [1, 3], "doc": [4, 5], "click": [0, 1]}
>>> assay.behavior.check(log).findings["problem"].to_list()
['gap in the ranks']
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assay.behavior.logs.log_check import LogCheck as LogCheck
    from assay.behavior.logs.log_check import check_log as check

_PLACES = {
    "LogCheck": "logs.log_check:LogCheck",
    "check": "logs.log_check:check_log",
}
"""The public names, imported on first use."""
__all__ = ["LogCheck", "check"]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used."""
    if name not in _PLACES:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    module, _, member = _PLACES[name].partition(":")
    return getattr(importlib.import_module(f"{__name__}.{module}"), member)

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
    from assay.behavior.clicks.simulate_clicks import simulate_clicks as simulate
    from assay.behavior.logs.click_log import read_clicks as read
    from assay.behavior.logs.log_check import LogCheck as LogCheck
    from assay.behavior.logs.log_check import check_log as check
    from assay.behavior.logs.log_summary import LogSummary as LogSummary
    from assay.behavior.logs.log_summary import summarize_log as summary
    from assay.behavior.logs.query_sample import sample_queries as sample

_PLACES = {
    "LogCheck": "logs.log_check:LogCheck",
    "LogSummary": "logs.log_summary:LogSummary",
    "check": "logs.log_check:check_log",
    "read": "logs.click_log:read_clicks",
    "sample": "logs.query_sample:sample_queries",
    "simulate": "clicks.simulate_clicks:simulate_clicks",
    "summary": "logs.log_summary:summarize_log",
}
"""The public names, imported on first use."""
__all__ = ["LogCheck", "LogSummary", "check", "read", "sample", "simulate", "summary"]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used."""
    if name not in _PLACES:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    module, _, member = _PLACES[name].partition(":")
    return getattr(importlib.import_module(f"{__name__}.{module}"), member)


def __dir__() -> list[str]:
    """List the public names, for completion."""
    return sorted({*globals(), *__all__})

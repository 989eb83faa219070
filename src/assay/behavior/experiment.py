"""Online experiments: plan an A/B test, assign users to arms, analyze the result.

>>> import assay
>>> data = {"user": ["a", "b", "c", "d"], "arm": ["old", "old", "new", "new"], "x": [1, 2, 3, 5]}
>>> result = assay.experiment.analyze(data, "mean(x)", control="old")
>>> result.results["difference"].item()
2.5
"""

from __future__ import annotations

from assay.behavior.experiments.analysis import analyze_experiment
from assay.behavior.experiments.assignment import assign_users
from assay.behavior.experiments.experiment_plan import plan_experiment
from assay.behavior.experiments.experiment_result import ExperimentResult as ExperimentResult
from assay.behavior.experiments.search_outcomes import search_outcomes as search_outcomes
from assay.behavior.online_comparison import OnlineComparison as OnlineComparison
from assay.behavior.online_comparison import combine_evidence as combine
from assay.core.arguments import explains_arguments

__all__ = [
    "ExperimentResult",
    "OnlineComparison",
    "analyze",
    "assign",
    "combine",
    "plan",
    "search_outcomes",
]

analyze = explains_arguments(analyze_experiment)
assign = explains_arguments(assign_users)
plan = explains_arguments(plan_experiment)

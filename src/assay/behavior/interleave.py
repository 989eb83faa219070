"""Interleaving: make lists from several runs, analyze the clicks, plan the experiment.

>>> import assay
>>> runs = {"old": {"q": {"a": 2.0, "b": 1.0}}, "new": {"q": {"b": 2.0, "c": 1.0}}}
>>> assay.interleave.make(runs, "team-draft", depth=2).systems
('old', 'new')
"""

from __future__ import annotations

from assay.behavior.interleaving.analysis import InterleavingResult as InterleavingResult
from assay.behavior.interleaving.analysis import analyze_lists
from assay.behavior.interleaving.make_lists import InterleavedLists as InterleavedLists
from assay.behavior.interleaving.make_lists import make_lists
from assay.behavior.interleaving.planning import plan_interleaving
from assay.core.arguments import explains_arguments

__all__ = ["InterleavedLists", "InterleavingResult", "analyze", "make", "plan"]

analyze = explains_arguments(analyze_lists)
make = explains_arguments(make_lists)
plan = explains_arguments(plan_interleaving)

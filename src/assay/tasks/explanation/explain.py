"""Explanation of one number of scores, whatever the task."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assay.core.errors import UsageError, unknown_name
from assay.engine.scores import Scores
from assay.tasks.comparison.comparison_result import Comparison
from assay.tasks.evidence import TaskEvidence
from assay.tasks.explanation.ranking_explanations import Explanation, explain_query
from assay.tasks.explanation.table_explanations import explain_system
from assay.tasks.retrieval.retrieval_evidence import RetrievalEvidence


def explain(
    scores: Any,
    measure: Any,
    query: str | int | None = None,
    *,
    system: str | Sequence[str] | None = None,
    every_rank: bool = False,
) -> Explanation:
    """Show how one number of the scores, or of the evidence of a task, is computed.

    ``query`` is for rankings, document by document; ``every_rank`` shows all ranks of more than
    50. ``system`` names the one to explain, or some; by default all are shown side by side.

    >>> import assay
    >>> scores = assay.retrieval({"q1": {"a": 1}}, {"q1": {"b": 2.0, "a": 1.0}}, "RR")
    >>> assay.explain(scores, "RR", "q1").value
    0.5
    """
    evidence = scores.origin if isinstance(scores, Scores) else scores
    if isinstance(scores, Comparison):
        raise UsageError(
            "a comparison has no items: give the scores that were compared, as in"
            f' explain(scores, "{measure}", …)'
        )
    if not isinstance(evidence, TaskEvidence):
        raise UsageError(
            "only scores that were computed here, not loaded or read from a table, can be"
            " explained: their items are not kept; evaluate again, as in"
            f' explain(assay.retrieval(qrels, runs, "{measure}"), "{measure}", "q1")'
        )
    names = _choose_systems(evidence, system)
    if not isinstance(evidence, RetrievalEvidence):
        if query is not None:
            raise UsageError(f"{evidence.task} has no queries; leave `query` out")
        found = {name: explain_system(evidence, measure, name) for name in names}
        return Explanation.of_systems("", found)
    if query is None:
        raise UsageError('a ranking is explained query by query: explain(scores, "AP", "q1")')
    asked = str(query)
    found = {name: explain_query(evidence, name, measure, asked, every_rank) for name in names}
    return Explanation.of_systems(f"query {asked}", found)


def _choose_systems(evidence: TaskEvidence, system: str | Sequence[str] | None) -> list[str]:
    """Return the systems to explain: those that are named, or all."""
    names = [system] if isinstance(system, str) else [*(system or evidence.systems)]
    for name in names:
        if name not in evidence.systems:
            raise unknown_name("system", str(name), evidence.systems)
    return names

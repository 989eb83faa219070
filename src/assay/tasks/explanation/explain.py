"""Explanation of one number of scores, whatever the task."""

from __future__ import annotations

from typing import Any

from assay.core.errors import UsageError
from assay.core.phrases import list_phrase
from assay.engine.scores import Scores
from assay.tasks.evidence import TaskEvidence
from assay.tasks.explanation.ranking_explanations import Explanation, explain_query
from assay.tasks.explanation.table_explanations import explain_system
from assay.tasks.retrieval.retrieval_evidence import RetrievalEvidence


def explain(
    scores: Any,
    measure: str,
    query: str | None = None,
    *,
    system: str | None = None,
    every_rank: bool = False,
) -> Explanation:
    """Show how one number of the scores, or of the evidence of a task, is computed.

    ``query`` is for rankings, document by document; ``every_rank`` shows all ranks of more than
    50. ``system`` is the one to explain, where there are several.

    >>> import assay
    >>> scores = assay.retrieval({"q1": {"a": 1}}, {"q1": {"b": 2.0, "a": 1.0}}, "RR")
    >>> assay.explain(scores, "RR", "q1").value
    0.5
    """
    evidence = scores.origin if isinstance(scores, Scores) else scores
    if not isinstance(evidence, TaskEvidence):
        raise UsageError(
            "only scores that were computed here, not loaded or read from a table, can be"
            " explained: their items are not kept; evaluate again"
        )
    name = _choose_system(evidence, system)
    if not isinstance(evidence, RetrievalEvidence):
        if query is not None:
            raise UsageError(f"{evidence.task} has no queries; leave `query` out")
        return explain_system(evidence, measure, name)
    if query is None:
        raise UsageError('a ranking is explained query by query: explain(scores, "AP", "q1")')
    return explain_query(evidence, name, measure, str(query), every_rank)


def _choose_system(evidence: TaskEvidence, system: str | None) -> str:
    """Return the system to explain: the one that is named, or the only one."""
    known = evidence.systems
    if system in known or (system is None and len(known) == 1):
        return system or known[0]
    what = "there are several systems" if system is None else f"there is no system '{system}'"
    raise UsageError(f'{what}; choose one, such as system="{known[0]}": {list_phrase(known)}')

"""Whom adaptive methods ask for judgments: a file of judgments, or a judge."""

from __future__ import annotations

from typing import Any

from assay.benchmark.pools.adaptive_pools import ADAPTIVE, Judge
from assay.core.errors import UsageError
from assay.core.phrases import quantity
from assay.core.tables import Judgments
from assay.formats.containers import to_judgments


class AskedJudge:
    """Asks an oracle or a judge, and counts what the oracle does not know."""

    def __init__(self, known: dict[tuple[str, str], float] | None, judge: Judge | None) -> None:
        self._known, self._judge, self._unknown, self._count = known, judge, 0, 0

    def __call__(self, query: str, doc: str) -> float:
        """Return the grade of a document; 0 where the oracle does not know it."""
        self._count += 1
        if self._judge is not None:
            return float(self._judge(query, doc))
        grade = (self._known or {}).get((query, doc))
        self._unknown += grade is None
        return 0.0 if grade is None else grade

    @property
    def notes(self) -> list[str]:
        """How many documents the oracle does not know."""
        if not self._unknown:
            return []
        return [
            f"{quantity(self._unknown, 'document')} of {self._count} unjudged by the oracle:"
            " taken as not relevant"
        ]


def choose_judge(method: str, oracle: Any, judge: Judge | None) -> AskedJudge:
    """Return whom a method asks; refuse one that is not asked, and a method without one."""
    if method not in ADAPTIVE:
        if oracle is not None or judge is not None:
            raise UsageError(f"{method} asks nobody; {', '.join(ADAPTIVE)} do")
        return AskedJudge(None, None)
    if (oracle is None) == (judge is None):
        raise UsageError(
            f"{method} asks for each judgment: give judgments as `oracle=…`, or a judge"
        )
    if judge is not None:
        return AskedJudge(None, judge)
    rows = to_judgments(oracle).frame.select("query", "doc", "grade").iter_rows()
    return AskedJudge({(query, doc): grade for query, doc, grade in rows}, None)


def require_oracle(oracle: Any) -> Judgments:
    """Return the judgments of an oracle; refuse to go on without one."""
    if oracle is None:
        raise UsageError("judged_only leaves out what the `oracle=…` does not know: name it")
    return to_judgments(oracle)

"""The data behind the comparison of two systems query by query, as the page carries it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, TypeAlias

import numpy as np
import polars as pl

from assay.benchmark.collections.read_files import read_texts
from assay.core.arrays import Floats
from assay.core.names import Measure
from assay.engine.result import natural_key
from assay.engine.scores import Scores
from assay.evidence.alignment.run_order import list_documents
from assay.reports.pages.page import measure_trace, shorten_table
from assay.tasks.retrieval.retrieval_evidence import RetrievalEvidence

MOST_QUERIES = 200
"""The number of queries that keep their rankings: those that change most between systems."""
UNIT_KINDS = ("query", "item")
"""A list belongs to a query, or to an item whose labels are ranked."""
DEPTH = 20
MAX_TEXT_LENGTH = 240
"""The length of the text of a document that is kept."""


def query_data(evidence: RetrievalEvidence, scores: Scores, rel: float) -> dict[str, Any]:
    """Return the values of all queries, and the rankings of the most changed ones."""
    systems, first = scores.systems, scores.formula(scores.measures[0])
    ranked = [systems.index(one.system) for one in scores.best_first(scores.measures[0])]
    by_query = [each for each in scores.results if each.unit_kind in UNIT_KINDS]
    queries = sorted({unit for each in by_query for unit in each.units}, key=natural_key)
    measures = [each for each in scores.measures if scores.of(each)[0].unit_kind in UNIT_KINDS]
    values = [_values(scores, measure, queries) for measure in measures]
    kept = most_changed_queries(values[0][ranked], queries)
    judgments, conventions = evidence.judgments, evidence.settings.conventions
    lists = [list_documents(judgments, run, conventions, kept) for run in evidence.runs.values()]
    rankings, docs = _rankings(lists, kept)
    texts = evidence.documents or {}
    if not isinstance(texts, Mapping):
        texts = read_texts(texts, set(docs))
    return {
        "measures": measures,
        "better": [scores.of(each)[0].better for each in measures],
        "systems": systems,
        # The page opens with two systems as given, and of more with the second best and the best.
        "pair": [0, 1] if len(ranked) == 2 else [ranked[min(1, len(ranked) - 1)], ranked[0]],
        "rel": rel,
        "queries": queries,
        "values": values,
        "topics": {query: evidence.topics[query] for query in queries if query in evidence.topics},
        "rankings": rankings,
        "ranks": _ranks(lists, rankings, docs),
        "traces": _traces(evidence, first, kept),
        "files": [judgments.source.name, *evidence.sources.values()],
        "docs": docs,
        "texts": {doc: _cut_text(texts[doc]) for doc in docs if doc in texts},
    }


def most_changed_queries(
    values: Floats, queries: Sequence[str], most: int = MOST_QUERIES
) -> list[str]:
    """The queries that change most between two systems, of every pair of systems in turn.

    ``values`` has the systems best first in its rows. With one system: those that it does worst.
    """
    if len(queries) <= most:
        return list(queries)
    known = np.where(np.isnan(values), 0.0, values)
    pairs = sorted(combinations(range(len(known)), 2), key=sum)
    changes = [np.abs(known[one] - known[other]) for one, other in pairs] or [-known[0]]
    orders = [np.argsort(-change, kind="stable").tolist() for change in changes]
    chosen: dict[int, None] = {}
    for turn in zip(*orders, strict=True):
        chosen |= dict.fromkeys(turn)
        if len(chosen) >= most:
            break
    return [queries[place] for place in list(chosen)[:most]]


def _values(scores: Scores, measure: str, queries: Sequence[str]) -> Floats:
    """Systems × queries; NaN where there is no value."""
    place = {query: number for number, query in enumerate(queries)}
    by_system = {each.system: each for each in scores.of(measure)}
    rows = np.full((len(scores.systems), len(queries)), np.nan)
    for row, system in enumerate(scores.systems):
        one = by_system[system]
        if one.unit_kind in UNIT_KINDS:
            rows[row, [place[unit] for unit in one.units]] = one.values
    return rows


Rankings: TypeAlias = dict[str, dict[int, list[list[Any]]]]
"""Query to system to documents with grades; documents as places in the list of their names."""


def _rankings(lists: Sequence[pl.DataFrame], kept: Sequence[str]) -> tuple[Rankings, list[str]]:
    """The first documents of each list, and the names of all that are shown."""
    found: Rankings = {query: {} for query in kept}
    docs: dict[str, int] = {}
    for number, whole in enumerate(lists):
        top = whole.filter(pl.col("place") <= DEPTH).select("query", "doc", "grade")
        for query, doc, grade in top.iter_rows():
            place = docs.setdefault(doc, len(docs))
            shown = int(grade) if grade is not None and grade % 1 == 0 else grade
            found[query].setdefault(number, []).append([place, shown])
    return found, list(docs)


def _ranks(
    lists: Sequence[pl.DataFrame], rankings: Rankings, docs: Sequence[str]
) -> dict[str, dict[str, Any]]:
    """For each query the documents that any system shows, and their ranks in all whole lists.

    The rank is 0 where a list does not have the document at all.
    """
    if len(lists) < 2:
        return {}
    found: dict[str, dict[str, Any]] = {
        query: {"docs": sorted({doc for own in shown.values() for doc, _ in own}), "of": []}
        for query, shown in rankings.items()
    }
    wanted = pl.DataFrame(
        [(query, docs[doc]) for query, each in found.items() for doc in each["docs"]],
        schema={"query": pl.String, "doc": pl.String},
        orient="row",
    )
    for whole in lists:
        placed = wanted.join(whole, on=["query", "doc"], how="left", maintain_order="left")
        ranks = iter(placed["place"].fill_null(0).to_list())
        for each in found.values():
            each["of"].append([next(ranks) for _ in each["docs"]])
    return found


def _cut_text(text: str) -> str:
    return text if len(text) <= MAX_TEXT_LENGTH else f"{text[: MAX_TEXT_LENGTH - 1].rstrip()}…"


MOST_TRACES = 1200
"""A page has no more traces of rankings than these; it says so, and how to see any other."""


def _traces(evidence: RetrievalEvidence, asked: Measure, kept: Sequence[str]) -> dict[str, Any]:
    """Return the traces of a measure: its columns, and rows by query and number of the system."""
    traced = kept[: max(1, MOST_TRACES // max(len(evidence.runs), 1))]
    found: dict[str, dict[int, list[list[Any]]]] = {}
    columns: list[str] = []
    for number, system in enumerate(evidence.systems):
        rankings = evidence.rankings(system)
        place = {query: n for n, query in enumerate(rankings.queries)}
        for query in traced:
            table: pl.DataFrame | None = pl.DataFrame()
            if query in place:
                one = rankings.take(np.asarray([place[query]]))
                table = measure_trace(one, asked)
            if table is None:
                return {}
            columns = table.columns
            rows = shorten_table(table).rows()
            found.setdefault(query, {})[number] = [
                [_round_cell(cell) for cell in row] for row in rows
            ]
    return {"columns": columns, "rows": found} if found else {}


def _round_cell(cell: Any) -> Any:
    if not isinstance(cell, float):
        return cell
    return round(cell, 4) if math.isfinite(cell) else None

"""Data-quality warnings about a run, from counts of its evaluation, without another reading.

Only where these are suspicious the beginning of the run is read again. ``check`` lists everything
that can be found in the files.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl

from assay.core.arrays import Ints
from assay.core.conventions import Conventions
from assay.core.names import Measure
from assay.core.phrases import list_phrase
from assay.core.tables import Judgments, Run
from assay.engine.result import Result
from assay.evidence.alignment.judged_documents import JudgedDocuments, similar_judged_id
from assay.evidence.alignment.run_order import rank_score_conflicts
from assay.evidence.views.rankings import Rankings

TOP = 10
"""The depth at which unjudged documents are counted."""
UNJUDGED_NOTE = (
    f"{{system}}: {{share:.0%}} of its first {TOP} documents are unjudged;"
    " most measures count them as not relevant"
)
SUSPICIOUS_SHARE = 0.3
"""From this share of unjudged documents on, their ids are looked at."""
MANY = 0.5
"""From this share on a warning is emitted in any case."""
FEW_JUDGED = 10
"""Where fewer documents of a query are judged than this, most of a list cannot be."""
MAX_DOCUMENTS = 2_000
"""The number of documents at the start of a suspicious run that are read again."""


def run_warnings(
    judged: JudgedDocuments, run: Run, rankings: Rankings, conventions: Conventions
) -> list[str]:
    """Short warnings on one run, before anybody believes its numbers."""
    found: list[str] = []
    reordered = conventions.order == "score" and _file_order_differs(rankings)
    if conventions.unjudged == "keep":
        found += _unjudged_warning(judged, run, rankings)
    if reordered:
        found += [
            f"{text}{_check_hint(run, rankings)}"
            for text in rank_score_conflicts(_first_documents(run))
        ]
    return found


def judgment_warnings(judgments: Judgments, asked: Sequence[Measure] = ()) -> list[str]:
    """Return warnings on grades that look like scores, are all 0, or below a relevance level."""
    grades = judgments.frame["grade"].to_numpy()
    if len(grades) and not np.any(grades > 0):
        return [
            f"{judgments.source.name}: no grade is above 0, so that no query has a relevant"
            " document; are the columns in the order query, 0, document, grade?"
        ]
    broken = grades[grades != np.floor(grades)]
    if len(broken) > MANY * len(grades):
        return [
            f"{judgments.source.name}: most grades are not whole numbers, such as {broken[0]:g};"
            " is this a run? The judgments come first"
        ]
    return _unreached_levels(judgments, asked, float(grades.max())) if len(grades) else []


def _unreached_levels(judgments: Judgments, asked: Sequence[Measure], highest: float) -> list[str]:
    """Return a warning for measures whose relevance level is above every grade."""
    names: dict[float, list[str]] = {}
    for each in asked:
        level = getattr(each.bound, "rel", None)
        if level is not None and level > highest:
            names.setdefault(float(level), []).append(each.name)
    return [
        f"{list_phrase(measures)}: no document has a grade of {level:g} or higher, so that none is"
        f" relevant; the highest grade in {judgments.source.name} is {highest:g}"
        for level, measures in names.items()
    ]


def estimate_warnings(asked: Sequence[Measure], results: Sequence[Result]) -> list[str]:
    """Return a warning for each estimate that lies where what it estimates cannot lie, and why."""
    return [
        _outside_bounds(result, each.definition.estimates[1])
        for each, result in zip(asked, results, strict=True)
        if each.definition.estimates and np.any(result.values > each.definition.estimates[1] + 1e-9)
    ]


def _outside_bounds(result: Result, most: float) -> str:
    above = np.flatnonzero(result.values > most + 1e-9)
    largest = int(above[np.argmax(result.values[above])])
    return (
        f"{result.system}: {result.measure} lies above {most:g} for {len(above)} of"
        f" {len(result.units)} queries (query {result.units[largest]}:"
        f" {result.values[largest]:.4g}). It estimates a number that does not: a judged document"
        " stands for all that were as likely to be drawn, and these may be more than there is room"
        " for above its rank. Only the mean over many queries is to be trusted"
    )


def _first_documents(run: Run) -> Run:
    """Return the first documents of a run that has some; no more of it is read than that needs."""
    parts, found = [], 0
    for piece in run.unhashed(small_pieces=True).pieces(rank=True):
        parts.append(piece)
        found += piece.height
        if found >= MAX_DOCUMENTS:
            break
    return Run(pl.concat(parts).head(MAX_DOCUMENTS), run.source, run.name)


def _check_hint(run: Run, rankings: Rankings) -> str:
    """Return where to look for the rest, and of how much the counts before are."""
    whole = int(rankings.retrieved.sum()) <= MAX_DOCUMENTS
    seen = "" if whole else f" (in the first {MAX_DOCUMENTS:,} documents of {run.name})"
    return f"{seen}; 'assay check' shows more"


def unjudged_share(rankings: Rankings) -> float | None:
    """Return the share of the first documents of all lists that is unjudged; None without any."""
    seen = float(np.minimum(rankings.retrieved, TOP).sum())
    return 1 - float(rankings.judged(TOP).count.sum()) / seen if seen else None


def _unjudged_warning(judged: JudgedDocuments, run: Run, rankings: Rankings) -> Iterator[str]:
    """Return the unjudged share of the top, and whether slightly different ids are the cause."""
    share = unjudged_share(rankings) or 0.0
    if share < SUSPICIOUS_SHARE or float(rankings.pool.count.mean()) < FEW_JUDGED:
        return
    beginning = _first_documents(run)
    near = similar_judged_id(judged.of_queries(beginning.frame["query"]), beginning)
    # Judgments of relevant documents alone, as in sets, say nothing of what was looked at.
    if (share >= MANY and (judged.grade <= 0).any()) or near:
        yield UNJUDGED_NOTE.format(system=run.name, share=share)
    if near:
        yield f"{near}{_check_hint(run, rankings)}"


def _file_order_differs(rankings: Rankings) -> bool:
    """Return whether judged documents are not in the order of their scores in the file."""
    row, query = rankings.row, rankings.hits.query
    if not _descends(row, query):
        return False
    sole = np.flatnonzero(rankings.tie_first == rankings.tie_last)
    return _descends(row[sole], query[sole])


def _descends(row: Ints, query: Ints) -> bool:
    """Return whether a row of a query comes before the one above it."""
    return bool(((row[1:] < row[:-1]) & (query[1:] == query[:-1])).any())

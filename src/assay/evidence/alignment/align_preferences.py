"""Runs joined with preferences: implied preferences are added, contradictions refused."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from itertools import pairwise

import numpy as np
import polars as pl

from assay.core.arrays import Bools, Ints
from assay.core.conventions import Conventions
from assay.core.errors import AlignmentError
from assay.core.preference_tables import Preferences
from assay.core.tables import Judgments, Run
from assay.evidence.alignment.align import Alignment
from assay.evidence.alignment.aligned_lists import align_lists
from assay.evidence.alignment.judged_documents import drop_duplicate_judgments
from assay.evidence.views.preference_pairs import (
    Comparisons,
    PreferenceGroup,
    PreferencePairs,
    transitive_closure,
)

_SHOWN = 6
"""The number of documents of a preference cycle that are named."""


def align_preferences(
    preferences: Preferences, run: Run, conventions: Conventions
) -> Alignment[PreferencePairs]:
    """Return the preferences of each judged query, and where the run puts the documents."""
    numbered = replace(preferences, frame=preferences.frame.with_row_index("row"))
    keys = ["query", "group", "subgroup", "doc"]
    frame, warnings = drop_duplicate_judgments(numbered, keys, conventions.duplicates)
    found = align_lists(_compared_documents(frame, preferences), run, conventions)
    rows = frame.join(found.documents, on=["query", "doc"], how="left", maintain_order="left")
    rows = rows.sort("query", "place", "doc", "group", "subgroup", nulls_last=True)
    parts = rows.partition_by("query", as_dict=True, maintain_order=True)
    comparisons = tuple(_comparisons(parts[(query,)], preferences) for query in found.queries)
    return found.to_view(PreferencePairs(found.queries, comparisons, found.missing), *warnings)


def _compared_documents(frame: pl.DataFrame, preferences: Preferences) -> Judgments:
    """Return the compared documents as judgments."""
    best = frame.group_by("query", "doc").agg(grade=pl.col("level").max().cast(pl.Float64))
    return Judgments(best.sort("query", "doc"), preferences.source)


def _comparisons(part: pl.DataFrame, preferences: Preferences) -> Comparisons:
    docs = part.unique("doc", maintain_order=True)
    number = {doc: n for n, doc in enumerate(docs["doc"])}
    numbered = part.with_columns(number=part["doc"].replace_strict(number, return_dtype=pl.Int64))
    groups = numbered.sort("group", maintain_order=True).partition_by("group", maintain_order=True)
    return Comparisons(
        rank=docs["place"].drop_nulls().cast(pl.Int64).to_numpy(),
        documents=docs.height,
        groups=tuple(_group(rows, preferences) for rows in groups),
    )


def _group(rows: pl.DataFrame, preferences: Preferences) -> PreferenceGroup:
    _refuse_half_relevant(rows, preferences)
    # The last level that is said of a document holds, where subgroups use levels of their own.
    members = rows.unique("number", keep="last", maintain_order=True).sort("number")
    names: Ints = members["number"].to_numpy()
    subgroups = rows.partition_by("subgroup")
    table = np.zeros((members.height, members.height), dtype=bool)
    for own in subgroups:
        at, level = np.searchsorted(names, own["number"].to_numpy()), own["level"].to_numpy()
        table[np.ix_(at, at)] |= level[:, None] > level[None, :]
    if len(subgroups) > 1:
        stated, table = table, transitive_closure(table)
        _refuse_cycles(stated, table, rows, members["doc"], preferences)
    better, worse = np.nonzero(table)
    return PreferenceGroup(
        names, members["level"].to_numpy(), names[better], names[worse], len(subgroups) == 1
    )


def _refuse_half_relevant(rows: pl.DataFrame, preferences: Preferences) -> None:
    level = pl.col("level")
    both = (level.min().over("doc") == 0) & (level.max().over("doc") > 0)
    docs = rows.filter(both)
    if docs.height:
        doc = docs["doc"][0]
        line = max(docs.filter(pl.col("doc") == doc)["row"])
        raise AlignmentError(
            f"{preferences.source.place(line)}: query {rows['query'][0]}, group"
            f" {rows['group'][0]}: the document {doc} has level 0 (not relevant) in one subgroup"
            " and more in another; choose one of the two"
        )


def _refuse_cycles(
    stated: Bools, implied: Bools, rows: pl.DataFrame, docs: pl.Series, preferences: Preferences
) -> None:
    """Raise an error if the preferences of a group imply that a document is preferred to itself."""
    circular = np.flatnonzero(implied.diagonal())
    if not len(circular):
        return
    names = [str(docs[each]) for each in _shortest_cycle(stated, int(circular[0]))]
    closing = max(_row_of_preference(rows, better, worse) for better, worse in pairwise(names))
    way = " over ".join(names if len(names) <= _SHOWN else [*names[:_SHOWN], "…"])
    raise AlignmentError(
        f"{preferences.source.place(closing)}: query {rows['query'][0]}, group {rows['group'][0]}:"
        f" the preferences form a cycle, {way}; remove one of them. Opinions that"
        " contradict each other belong to different groups: query, group, subgroup, document, level"
    )


def _shortest_cycle(stated: Bools, start: int) -> list[int]:
    """Return the shortest way from a document back to itself, that document at both ends."""
    before: dict[int, int] = {}
    waiting = deque([start])
    while start not in before:
        one = waiting.popleft()
        for other in np.flatnonzero(stated[one]).tolist():
            if other not in before:
                before[other] = one
                waiting.append(other)
    way = [start, before[start]]
    while way[-1] != start:
        way.append(before[way[-1]])
    return way[::-1]


def _row_of_preference(rows: pl.DataFrame, better: str, worse: str) -> int:
    """Return the first row by which one document is preferred to another."""
    above, below = (rows.filter(pl.col("doc") == doc) for doc in (better, worse))
    both = above.join(below, on="subgroup", suffix="_other")
    said = both.filter(pl.col("level") > pl.col("level_other"))
    return int(said.select(pl.max_horizontal("row", "row_other").min()).item())

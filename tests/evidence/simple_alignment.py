"""The simple way from judgments and a run to rankings: dicts, loops and sorted().

It shares no line with the package and is far too slow for real runs; the fast way must give the
same bits.
"""

from __future__ import annotations

import struct
from typing import NamedTuple

Judged = dict[str, dict[str, float]]
Rows = list[tuple[str, str, float]]


class Simple(NamedTuple):
    """What a ranking measure can see, as plain lists; one entry for each judged query."""

    queries: list[str]
    retrieved: list[int]
    missing: list[bool]
    ranks: list[list[int]]
    grades: list[list[float]]
    ties: list[list[tuple[int, int]]]
    rows: list[list[int]]
    pools: list[list[float]]


def simple(
    judged: Judged, run: Rows, *, ties: str = "document descending", single: bool = False
) -> Simple:
    """The rankings of a run in which each document stands once."""
    lists: dict[str, list[tuple[str, float, int]]] = {}
    for row, (query, doc, score) in enumerate(run):
        kept = struct.unpack("f", struct.pack("f", score))[0] if single else score
        lists.setdefault(query, []).append((doc, kept, row))
    result = Simple([], [], [], [], [], [], [], [])
    for query in sorted(judged, key=str.encode):
        listed = _ordered(lists.get(query, []), ties)
        grades = judged[query]
        hits = [(place, *each) for place, each in enumerate(listed, 1) if each[0] in grades]
        result.queries.append(query)
        result.retrieved.append(len(listed))
        result.missing.append(query not in lists)
        result.ranks.append([place for place, *_ in hits])
        result.grades.append([grades[doc] for _, doc, _, _ in hits])
        result.rows.append([row for *_, row in hits])
        result.ties.append([_span(listed, score) for _, _, score, _ in hits])
        result.pools.append(sorted(grades.values(), reverse=True))
    return result


def _ordered(listed: list[tuple[str, float, int]], ties: str) -> list[tuple[str, float, int]]:
    if ties == "document descending":
        listed = sorted(listed, key=lambda each: each[0].encode(), reverse=True)
    if ties == "document ascending":
        listed = sorted(listed, key=lambda each: each[0].encode())
    return sorted(listed, key=lambda each: -each[1])


def _span(listed: list[tuple[str, float, int]], score: float) -> tuple[int, int]:
    same = [place for place, (_, other, _) in enumerate(listed, 1) if other == score]
    return same[0], same[-1]

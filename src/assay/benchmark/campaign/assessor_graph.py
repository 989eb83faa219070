"""Connecting assessors by items that two of them judge."""

from __future__ import annotations


def connect_assessors(people_of: list[tuple[int, ...]], people: int) -> None:
    """Move further assessors from where they connect nothing to where they connect parts.

    A spare assessor joins an item of another part that has one assessor, or changes places with the
    further assessor of one that has several.
    """
    group = list(range(people))
    spare: list[tuple[int, int]] = []
    for item, (primary, *others) in enumerate(people_of):
        for person in others:
            if group[person] == group[primary]:
                spare.append((item, person))
            else:
                group = _joined(group, {group[person], group[primary]})
    for item, person in spare:
        elsewhere = [held for held in people_of if group[held[0]] != group[person]]
        if not elsewhere:
            return
        held = min(elsewhere, key=len)
        other = people_of.index(held)
        kept = [each for each in people_of[item] if each != person]
        people_of[item] = (*kept, *held[1:][-1:])
        people_of[other] = (*(held[:-1] or held), person)
        group = _joined(group, {group[person], group[held[0]]})


def _joined(group: list[int], joined: set[int]) -> list[int]:
    return [min(joined) if each in joined else each for each in group]

"""Short unique names of files, for systems."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePath

from assay.formats.input_files import Input


def candidate_names(file: str | Path) -> list[str]:
    """What a file may be called, the shortest first: without its extension, then with it.

    Each alone, then with the folder, and with further folders up to the path that was given.
    """
    return list(dict.fromkeys(_candidates(Input(file))))


def _candidates(given: Input) -> Iterator[str]:
    folders = given.path.parent.parts
    for last in (given.stem, given.path.name):
        for count in range(len(folders) + 1):
            yield PurePath(*folders[len(folders) - count :], last).as_posix()


def unique_names(files: Sequence[str | Path]) -> list[str]:
    """A name for each file that no other one may be called by: ``new/bm25`` and ``main/bm25``.

    A file that is given twice has the same name twice.
    """
    known = {Path(file): candidate_names(file) for file in files}
    meant = Counter(name for names in known.values() for name in names)
    return [
        next((name for name in known[Path(file)] if meant[name] == 1), known[Path(file)][-1])
        for file in files
    ]


def number_duplicates(names: Sequence[str]) -> list[str]:
    """Names of which each that occurs more than once has a number: ``bm25 (1)``, ``bm25 (2)``."""
    counts, taken, found = Counter(names), set[str](), []
    for name in names:
        fresh, number = name, 1
        while fresh in taken or (counts[name] > 1 and fresh == name):
            fresh, number = f"{name} ({number})", number + 1
        taken.add(fresh)
        found.append(fresh)
    return found

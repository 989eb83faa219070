"""Short unique names of files, for systems."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePath
from typing import Any

from assay.core.tables import Run
from assay.formats.compression import COMPRESSIONS

_FAMILIAR = (
    *(".run", ".txt", ".trec", ".tsv", ".tab", ".csv", ".json", ".jsonl", ".ndjson"),
    *(".parquet", ".pq", ".feather", ".arrow", ".xlsx", ".xlsm", ".xlsb", ".xls", ".ods"),
)


def file_endings(file: str | Path) -> list[str]:
    """Return the extensions of a file in lower case, without that of a compression."""
    endings = [ending.casefold() for ending in Path(file).suffixes]
    return [ending for ending in endings if ending not in COMPRESSIONS]


def file_stem(file: str | Path) -> str:
    """Return the name of a file without its folder and extensions, as the name of a system."""
    stem = Path(file).name
    for ending in reversed(Path(file).suffixes):
        if ending.casefold() not in (*COMPRESSIONS, *_FAMILIAR):
            break
        stem = stem.removesuffix(ending)
    return "standard input" if str(file) == "-" else stem or str(file)


def candidate_names(file: str | Path) -> list[str]:
    """What a file may be called, the shortest first: without its extension, then with it.

    Each alone, then with the folder, and with further folders up to the path that was given.
    """
    return list(dict.fromkeys(_candidates(Path(file))))


def _candidates(path: Path) -> Iterator[str]:
    folders = path.parent.parts
    for last in (file_stem(path), path.name):
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


def with_unique_names(runs: list[Run], inputs: Sequence[Any]) -> list[Run]:
    """Return runs of which those with the same tag are named by their files, or numbered."""
    tags = Counter(run.name for run in runs)
    files = {
        place: file
        for place, (run, file) in enumerate(zip(runs, inputs, strict=True))
        if tags[run.name] > 1 and isinstance(file, str | Path)
    }
    names = dict(zip(files, unique_names(list(files.values())), strict=True))
    unique = number_duplicates([names.get(place, run.name) for place, run in enumerate(runs)])
    return [run.with_name(name) for run, name in zip(runs, unique, strict=True)]


def name_pairs(data: Any) -> dict[str, Any] | None:
    """Return a list of pairs of name and run as a dict; None for anything else.

    Pairs of two texts are documents of queries, unless the second one is a file.
    """
    pairs = data if isinstance(data, list | tuple) else ()
    if not pairs or not all(type(each) is tuple and len(each) == 2 for each in pairs):
        return None
    if not all(isinstance(name, str) and _may_be_run(run) for name, run in pairs):
        return None
    names = number_duplicates([name for name, _ in pairs])
    return dict(zip(names, (run for _, run in pairs), strict=True))


def _may_be_run(run: Any) -> bool:
    """Return whether the second of a pair may be a run: a frame, a dict, or a file that exists."""
    if isinstance(run, str):
        return Path(run).is_file()
    return isinstance(run, Path | Run | Mapping) or hasattr(run, "columns") or is_ranx(run)


def is_ranx(data: Any) -> bool:
    """Return whether this is a run or judgments of ranx."""
    return type(data).__module__.startswith("ranx.")

"""What ``assay trec_eval -h`` says of the measures asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from assay.core.names import measure
from assay.tasks.trec_eval.asking import Asked
from assay.tasks.trec_eval.vocabulary import Word


def explained(asked: Iterable[Asked]) -> str:
    """A paragraph for each name of trec_eval: our name for it, and what it is."""
    return "Measures:\n" + "\n".join(line for each in asked for line in _lines(each))


def _lines(asked: Asked) -> Iterator[str]:
    yield f"  {asked.word.name}{_form(asked.word)}"
    if asked.word.prints != "measure":
        yield f"      {asked.word.note}"
        return
    task = "preferences" if asked.word.source == "prefs" else "retrieval"
    ours = measure(asked.columns(grades=())[0][1], task).definition
    yield f"      {ours.name}: {ours.summary}"


def _form(word: Word) -> str:
    if word.takes == "nothing":
        return ""
    if word.takes == "pairs":
        return "[.key=number,...]"
    return f".{','.join(f'{number:g}' for number in word.default)}"

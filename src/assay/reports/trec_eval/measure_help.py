"""What ``assay trec_eval -h`` says of the measures asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from assay.core.names import measure
from assay.tasks.trec_eval.measure_names import TrecName
from assay.tasks.trec_eval.requested_measures import Request


def measure_help(asked: Iterable[Request]) -> str:
    """A paragraph for each name of trec_eval: our name for it, and what it is."""
    return "Measures:\n" + "\n".join(line for each in asked for line in _wrap_lines(each))


def _wrap_lines(asked: Request) -> Iterator[str]:
    yield f"  {asked.word.name}{_name_form(asked.word)}"
    if asked.word.prints != "measure":
        yield f"      {asked.word.note}"
        return
    task = "preferences" if asked.word.source == "prefs" else "retrieval"
    ours = measure(asked.columns(grades=())[0][1], task).definition
    yield f"      {ours.name}: {ours.summary}"


def _name_form(word: TrecName) -> str:
    if word.takes == "nothing":
        return ""
    if word.takes == "pairs":
        return "[.key=number,...]"
    return f".{','.join(f'{number:g}' for number in word.default)}"

"""The output of trec_eval: a line per label and topic, and the help on its measures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from assay.core.names import measure
from assay.tasks.trec_eval.evaluation import (
    MeasureOutput,
    MeasureTexts,
    MeasureValues,
    TrecEvalResult,
)
from assay.tasks.trec_eval.requested_measures import Request


def trec_eval_lines(result: TrecEvalResult, per_topic: bool = False, summary: bool = True) -> str:
    """Return all lines: topic by topic if wanted, and the summary unless it is not wanted."""
    topics = list(enumerate(result.topics)) if per_topic else []
    places = [*topics, *([(None, "all")] if summary else [])]
    cells = (
        (answer, topic, _text(answer, number))
        for number, topic in places
        for answer in result.answers
    )
    return "".join(
        f"{_label(answer)}\t{topic}\t{text}\n" for answer, topic, text in cells if text is not None
    )


def _label(answer: MeasureOutput) -> str:
    """Return the name, with a Z before it if the values are z-scores."""
    standardized = isinstance(answer, MeasureValues) and answer.standardized
    return f"{'Z' if standardized else ''}{answer.name:<22}"


def _text(answer: MeasureOutput, topic: int | None) -> str | None:
    """Return the text for one topic, or for all if it is None; None if nothing is printed."""
    if isinstance(answer, MeasureTexts):
        return None if topic is None else f"'{answer.words[topic]}'"
    if not isinstance(answer, MeasureValues):
        return answer.run if topic is None else None
    if topic is not None and not answer.per_topic:
        return None
    value = answer.overall if topic is None else float(answer.values[topic])
    return str(int(value)) if answer.whole else f"{value:6.4f}"


def measure_help(requests: Iterable[Request]) -> str:
    """Return a paragraph for each name of trec_eval: our name for it, and what it is."""
    return "Measures:\n" + "\n".join(line for each in requests for line in _help_lines(each))


def _help_lines(request: Request) -> Iterator[str]:
    word = request.word
    numbers = f".{','.join(f'{number:g}' for number in word.default)}"
    forms = {"nothing": "", "pairs": "[.key=number,...]"}
    yield f"  {word.name}{forms.get(word.takes, numbers)}"
    if word.prints != "measure":
        yield f"      {word.note}"
        return
    task = "preferences" if word.source == "prefs" else "retrieval"
    ours = measure(request.columns(grades=())[0][1], task).definition
    yield f"      {ours.name}: {ours.summary}"

"""The lines of trec_eval: under each label one for each topic, and one for all."""

from __future__ import annotations

from assay.tasks.trec_eval.answers import Answer, Numbers, RunName, Words
from assay.tasks.trec_eval.evaluation import Evaluation


def output(found: Evaluation, per_topic: bool = False, summary: bool = True) -> str:
    """All lines: topic by topic if asked for, and the summary unless it is not wanted."""
    lines = []
    if per_topic:
        for number, topic in enumerate(found.topics):
            cells = ((_label(each), _of_topic(each, number)) for each in found.answers)
            lines += [f"{label}\t{topic}\t{text}\n" for label, text in cells if text is not None]
    if summary:
        cells = ((_label(each), _of_all(each)) for each in found.answers)
        lines += [f"{label}\tall\t{text}\n" for label, text in cells if text is not None]
    return "".join(lines)


def _label(answer: Answer) -> str:
    """The name, with a Z before it where the values are z-scores."""
    standardised = isinstance(answer, Numbers) and answer.standardised
    return f"{'Z' if standardised else ''}{answer.name:<22}"


def _of_topic(answer: Answer, number: int) -> str | None:
    """The text for one topic, if there is any."""
    match answer:
        case Numbers():
            return _number(answer, float(answer.values[number])) if answer.per_topic else None
        case Words():
            return f"'{answer.words[number]}'"
        case RunName():
            return None


def _of_all(answer: Answer) -> str | None:
    """The text for all topics, if there is any."""
    match answer:
        case Numbers():
            return _number(answer, answer.overall)
        case Words():
            return None
        case RunName():
            return answer.run


def _number(answer: Numbers, value: float) -> str:
    return str(int(value)) if answer.whole else f"{value:6.4f}"

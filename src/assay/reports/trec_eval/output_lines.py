"""The lines of trec_eval: under each label one for each topic, and one for all."""

from __future__ import annotations

from assay.tasks.trec_eval.evaluation import TrecEvalResult
from assay.tasks.trec_eval.measure_results import (
    MeasureOutput,
    MeasureTexts,
    MeasureValues,
    RunName,
)


def trec_eval_lines(found: TrecEvalResult, per_topic: bool = False, summary: bool = True) -> str:
    """All lines: topic by topic if asked for, and the summary unless it is not wanted."""
    lines = []
    if per_topic:
        for number, topic in enumerate(found.topics):
            cells = ((_label(each), _topic_text(each, number)) for each in found.answers)
            lines += [f"{label}\t{topic}\t{text}\n" for label, text in cells if text is not None]
    if summary:
        cells = ((_label(each), _summary_text(each)) for each in found.answers)
        lines += [f"{label}\tall\t{text}\n" for label, text in cells if text is not None]
    return "".join(lines)


def _label(answer: MeasureOutput) -> str:
    """The name, with a Z before it where the values are z-scores."""
    standardized = isinstance(answer, MeasureValues) and answer.standardized
    return f"{'Z' if standardized else ''}{answer.name:<22}"


def _topic_text(answer: MeasureOutput, number: int) -> str | None:
    """The text for one topic, if there is any."""
    match answer:
        case MeasureValues():
            return _number(answer, float(answer.values[number])) if answer.per_topic else None
        case MeasureTexts():
            return f"'{answer.words[number]}'"
        case RunName():
            return None


def _summary_text(answer: MeasureOutput) -> str | None:
    """The text for all topics, if there is any."""
    match answer:
        case MeasureValues():
            return _number(answer, answer.overall)
        case MeasureTexts():
            return None
        case RunName():
            return answer.run


def _number(answer: MeasureValues, value: float) -> str:
    return str(int(value)) if answer.whole else f"{value:6.4f}"

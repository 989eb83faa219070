"""A run evaluated as trec_eval does, by our own measures."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.core.arrays import Floats
from assay.core.definition import GEOMETRIC_FLOOR
from assay.core.names import measure
from assay.engine.local import evaluate
from assay.evidence.views.rankings import Rankings
from assay.formats.zscores import read_zscores
from assay.tasks.trec_eval.measure_results import (
    MeasureOutput,
    MeasureTexts,
    MeasureValues,
    RunName,
)
from assay.tasks.trec_eval.options import Options
from assay.tasks.trec_eval.requested_measures import Request, read_requests, require_measures
from assay.tasks.trec_eval.topic_selection import SelectedTopics, select_topics


@dataclass(frozen=True)
class TrecEvalResult:
    """What trec_eval would say of a run, and what a user should know besides."""

    topics: tuple[str, ...]
    answers: tuple[MeasureOutput, ...]
    notes: tuple[str, ...] = ()


def trec_eval(qrels: str, run: str, options: Options) -> TrecEvalResult:
    """Evaluate a run as trec_eval does."""
    asked, notes = read_requests(options.measures, options.version)
    require_measures(asked, options.judged)
    references = read_zscores(options.references) if options.references else None
    evidence = select_topics(qrels, run, options)
    answers = [each for one in asked for each in _evaluate_requests(one, evidence, options)]
    if references is not None:
        answers = [
            each.zscores(evidence.topics, references) if isinstance(each, MeasureValues) else each
            for each in answers
        ]
    return TrecEvalResult(evidence.topics, tuple(answers), (*notes, *evidence.notes))


def _evaluate_requests(
    asked: Request, evidence: SelectedTopics, options: Options
) -> list[MeasureOutput]:
    match asked.word.prints:
        case "run name":
            return [RunName(evidence.run)]
        case "topics":
            count = len(evidence.topics)
            total = float(count + evidence.absent)
            return [MeasureValues(asked.label, np.ones(count), "sum", fixed=total, per_topic=False)]
        case "grades":
            strings = _grade_strings(evidence.joined.view, int(asked.numbers()[0]))
            return [MeasureTexts(asked.label, tuple(strings[place] for place in evidence.places))]
        case _:
            return _measure_request(asked, evidence, options)


def _measure_request(
    asked: Request, evidence: SelectedTopics, options: Options
) -> list[MeasureOutput]:
    view = evidence.joined.view
    columns = asked.columns(evidence.joined.grades)
    named = [measure(ours, view.task).default("rel", options.level) for _, ours in columns]
    results = evaluate(view, named, evidence.run, no_relevant="zero")
    adjusted = [asked.word.adjust(view, each.values, options.level) for each in results]
    return [
        MeasureValues(
            label,
            _stored_values(values, result.aggregate)[evidence.places],
            result.aggregate,
            evidence.absent,
            _fix_relevant_counts(asked, evidence) if options.complete else None,
            per_topic=result.aggregate != "geometric",
        )
        for (label, _), result, values in zip(columns, results, adjusted, strict=True)
    ]


def _fix_relevant_counts(asked: Request, evidence: SelectedTopics) -> float | None:
    """With -c trec_eval counts the relevant documents of all topics, whatever -l says."""
    if asked.word.name != "num_rel":
        return None
    return float(evidence.joined.positive)


def _stored_values(values: Floats, aggregate: str) -> Floats:
    """The values as trec_eval keeps them: 0 where undefined, logarithms for a geometric mean."""
    known = np.where(np.isnan(values), 0.0, values)
    return np.log(np.maximum(known, GEOMETRIC_FLOOR)) if aggregate == "geometric" else known


def _grade_strings(rankings: Rankings, length: int) -> list[str]:
    """The grades of the first documents of each topic, a sign each."""
    first = rankings.hits.where(rankings.hits.rank <= length)
    signs = [["-"] * min(length, int(count)) for count in rankings.retrieved]
    for topic, rank, grade in zip(first.query, first.rank, first.grade, strict=True):
        signs[topic][rank - 1] = _grade_sign(int(grade))
    return ["".join(each) for each in signs]


def _grade_sign(grade: int) -> str:
    if grade < 0:
        return "."
    return str(grade) if grade <= 9 else ">"

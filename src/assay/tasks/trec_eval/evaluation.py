"""Evaluating a run as trec_eval does, with the measures of the catalogue."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

import numpy as np

from assay.core.arrays import Floats
from assay.core.definition import GEOMETRIC_FLOOR
from assay.core.names import measure
from assay.engine.local import evaluate
from assay.evidence.views.rankings import Rankings
from assay.formats.input_files import Input
from assay.formats.line_layout import LineLayout
from assay.formats.line_reader import read_all_lines
from assay.tasks.trec_eval.requested_measures import Request, read_requests, require_measures
from assay.tasks.trec_eval.topic_selection import Options, SelectedTopics, select_topics

NO_REFERENCE = -1_000_000.0
"""The z-score that trec_eval gives a value for which the file has no mean."""
ZSCORE_LAYOUT = LineLayout(
    ("query", "measure", "mean", "deviation"),
    "a line is: query, measure, mean, standard deviation",
    most=4,
    numbers=("mean", "deviation"),
)
References: TypeAlias = dict[tuple[str, str], tuple[float, float]]
"""The mean and the standard deviation of a query and a measure."""


@dataclass(frozen=True)
class MeasureValues:
    """The values of one measure.

    ``absent`` topics count in an average although they have no value. Values are added from left
    to right as in trec_eval, so that the last bit, and the rounding of a half, are the same.
    """

    name: str
    values: Floats
    aggregate: str = "mean"
    absent: int = 0
    fixed: float | None = None
    """The summary, if it does not follow from the values."""
    per_topic: bool = True
    standardized: bool = False

    @property
    def whole(self) -> bool:
        """Whether these are counts."""
        return self.aggregate == "sum" and not self.standardized

    @property
    def overall(self) -> float:
        """The sum of counts; the geometric or arithmetic mean of other values."""
        if self.fixed is not None:
            return self.fixed
        with np.errstate(invalid="ignore"):  # infinite z-scores, from a deviation near 0
            total = float(np.cumsum(self.values)[-1])
        counted = len(self.values) + self.absent
        if self.aggregate == "sum":
            return total
        if self.aggregate == "geometric":
            total += self.absent * math.log(GEOMETRIC_FLOOR)
            return math.exp(total / counted)
        return total / counted

    def zscores(self, topics: Sequence[str], references: References) -> MeasureValues:
        """Return the values as deviations from the reference, in standard deviations."""
        scores = [
            _zscore(float(value), references.get((topic, self.name)))
            for topic, value in zip(topics, self.values, strict=True)
        ]
        return replace(self, values=np.asarray(scores, dtype=np.float64), standardized=True)


def _zscore(value: float, reference: tuple[float, float] | None) -> float:
    if reference is None:
        return NO_REFERENCE
    mean, deviation = reference
    if deviation != 0:
        return (value - mean) / deviation
    return 0.0 if value == mean else NO_REFERENCE


@dataclass(frozen=True)
class MeasureTexts:
    """A text for each topic; nothing for all of them."""

    name: str
    words: tuple[str, ...]


@dataclass(frozen=True)
class RunName:
    """The name of the run, printed above the summary."""

    run: str
    name: str = "runid"


MeasureOutput: TypeAlias = MeasureValues | MeasureTexts | RunName


@dataclass(frozen=True)
class TrecEvalResult:
    """The output of trec_eval for a run, and notes for the user."""

    topics: tuple[str, ...]
    answers: tuple[MeasureOutput, ...]
    notes: tuple[str, ...] = ()


def trec_eval(qrels: str, run: str, options: Options) -> TrecEvalResult:
    """Evaluate a run as trec_eval does."""
    requests, notes = read_requests(options.measures, options.version)
    require_measures(requests, options.judged)
    references = read_zscores(options.references) if options.references else None
    evidence = select_topics(qrels, run, options)
    answers = [
        answer for request in requests for answer in _evaluate_request(request, evidence, options)
    ]
    if references is not None:
        answers = [
            answer.zscores(evidence.topics, references)
            if isinstance(answer, MeasureValues)
            else answer
            for answer in answers
        ]
    return TrecEvalResult(evidence.topics, tuple(answers), (*notes, *evidence.notes))


def _evaluate_request(
    request: Request, evidence: SelectedTopics, options: Options
) -> list[MeasureOutput]:
    match request.word.prints:
        case "run name":
            return [RunName(evidence.run)]
        case "topics":
            count = len(evidence.topics)
            total = float(count + evidence.absent)
            return [
                MeasureValues(request.label, np.ones(count), "sum", fixed=total, per_topic=False)
            ]
        case "grades":
            texts = _grade_strings(evidence.joined.view, int(request.numbers()[0]))
            return [MeasureTexts(request.label, tuple(texts[place] for place in evidence.places))]
        case _:
            return _measure_request(request, evidence, options)


def _measure_request(
    request: Request, evidence: SelectedTopics, options: Options
) -> list[MeasureOutput]:
    view = evidence.joined.view
    columns = request.columns(evidence.joined.grades)
    named = [measure(ours, view.task).default("rel", options.level) for _, ours in columns]
    results = evaluate(view, named, evidence.run, no_relevant="zero")
    adjusted = [request.word.adjust(view, each.values, options.level) for each in results]
    # With -c trec_eval counts the relevant documents of all topics, whatever -l says.
    counts_all = options.complete and request.word.name == "num_rel"
    return [
        MeasureValues(
            label,
            _stored_values(values, result.aggregate)[evidence.places],
            result.aggregate,
            evidence.absent,
            float(evidence.joined.positive) if counts_all else None,
            per_topic=result.aggregate != "geometric",
        )
        for (label, _), result, values in zip(columns, results, adjusted, strict=True)
    ]


def _stored_values(values: Floats, aggregate: str) -> Floats:
    """Return the values as trec_eval stores them: 0 if undefined, logs for a geometric mean."""
    known = np.where(np.isnan(values), 0.0, values)
    return np.log(np.maximum(known, GEOMETRIC_FLOOR)) if aggregate == "geometric" else known


def _grade_strings(rankings: Rankings, length: int) -> list[str]:
    """Return the grades of the first documents of each topic, a character each."""
    first = rankings.hits.where(rankings.hits.rank <= length)
    signs = [["-"] * min(length, int(count)) for count in rankings.retrieved]
    for topic, rank, grade in zip(first.query, first.rank, first.grade, strict=True):
        signs[topic][rank - 1] = "." if grade < 0 else str(int(grade)) if grade < 10 else ">"
    return ["".join(each) for each in signs]


def read_zscores(path: str | Path) -> References:
    """Return the reference values of a file for trec_eval's ``-Z``; a deviation may be nan."""
    rows, _ = read_all_lines(Input(path), ZSCORE_LAYOUT)
    return {(query, name): (mean, deviation) for query, name, mean, deviation in rows.iter_rows()}

"""Explanation: the table from which one number comes."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Unpack

import polars as pl

from assay.core.conventions import Conventions, RunOptions, RunSettings
from assay.core.errors import DataError, NeedsInput, UsageError, did_you_mean
from assay.core.names import Measure, Required, measures
from assay.core.phrases import list_phrase
from assay.core.printable import Printable
from assay.core.tables import Judgments, Run
from assay.engine.local import measure_view
from assay.evidence.alignment.align import Alignment, align
from assay.evidence.alignment.align_stopping import align_stopping
from assay.evidence.alignment.aligned_lists import align_lists
from assay.evidence.alignment.judgment_kinds import align_samples, align_subtopics
from assay.evidence.views.judged_rankings import SampledRankings, SubtopicRankings
from assay.evidence.views.rankings import Rankings
from assay.evidence.views.stopping_rankings import StoppingRankings
from assay.tasks.retrieval.retrieval_evidence import NEEDS, RetrievalEvidence


@dataclass(frozen=True, repr=False, eq=False)
class Explanation(Printable):
    """One number, and the table from which it comes."""

    measure: str
    about: str
    value: float
    table: pl.DataFrame
    formula: str
    notes: tuple[str, ...] = ()
    """What the table does not show."""
    systems: Mapping[str, Explanation] = field(default_factory=dict)
    """The explanation of each of several systems; ``table`` has their values then, and there is no
    one ``value``."""

    @classmethod
    def of_systems(cls, about: str, found: Mapping[str, Explanation]) -> Explanation:
        """Return one explanation of several systems; of one it is its own."""
        first, *others = found.values()
        if not others:
            return first
        values = [each.value for each in found.values()]
        apart = [None, *(value - first.value for value in values[1:])]
        columns = {"system": [*found], first.measure: values, "difference": apart}
        schema = {"system": pl.String, first.measure: pl.Float64, "difference": pl.Float64}
        table = pl.DataFrame(columns, schema=schema)
        notes = [f"{name}: {note}" for name, each in found.items() for note in each.notes]
        return cls(first.measure, about, math.nan, table, first.formula, tuple(notes), found)


MOST_MISSED = 10
"""So many relevant documents that were not retrieved are named."""
MOST_RANKS = 50
"""Of longer lists only the ranks with a relevant document, and the last, are shown unless asked."""
MOST_SHOWN = 10
"""The number of documents shown of a list without relevant ones, if no depth is given."""
ALIGNED_CACHE: Mapping[Any, Callable[..., Alignment[Any]]] = {
    Rankings: align,
    SubtopicRankings: align_subtopics,
    SampledRankings: align_samples,
}
"""How the views are made of which some measure can show its work."""


def explain_retrieval(
    qrels: Any,
    run: Any,
    measure: str,
    query: str,
    every_rank: bool = False,
    **options: Unpack[RunOptions],
) -> Explanation:
    """Show how a measure is computed for one query, with the documents that it used.

    ``run`` is one run, or a dict of its name to it. Of more than 50 ranks only those of relevant
    documents and the last are shown, unless ``every_rank`` is true.
    """
    evidence = RetrievalEvidence.read(qrels, run, RunSettings.from_options(options))
    if len(evidence.systems) > 1:
        raise UsageError(
            f"one run is explained at a time, but there are {list_phrase(evidence.systems)}; give"
            " one of them"
        )
    return explain_query(evidence, evidence.systems[0], measure, query, every_rank)


def explain_query(
    evidence: RetrievalEvidence, system: str, measure: str, query: str, every_rank: bool = False
) -> Explanation:
    """Show how a measure is computed for one query of one run."""
    settings = evidence.settings.conventions
    asked = evidence.configure([traceable_measure(measure, "retrieval", settings.needed)])[0]
    judged, answered = query_evidence(str(query), evidence.judgments, evidence.runs[system])
    view = _align_query(evidence, asked, judged, answered)
    found = measure_view(view, asked, settings.no_relevant)
    table = whole = pl.DataFrame(asked.trace(found.view))
    if not every_rank and table.height > MOST_RANKS:
        table = steps_of_ranks(table)
    if "rank" in table.columns:
        listed = _list_documents(judged, answered, settings, "judged_only" in asked.selections)
        nothing = _unranked_documents(listed, asked, table.columns[-1], float(found.values[0]))
        table = nothing if table.is_empty() else _add_documents(table, listed)
    notes = _relevant_note(judged, answered, asked) if isinstance(view, Rankings) else ()
    if hidden := whole.height - min(table.height, whole.height):
        notes += (f"{hidden} ranks that bring nothing are left out; see `every_rank`",)
    return Explanation(
        asked.name,
        f"{answered.name}, query {query}",
        float(found.values[0]),
        table,
        asked.definition.summary,
        notes,
    )


BRINGS = ("satisfies", "gain", "worth", "judged", "stops")
"""Columns that are above 0 where a rank brings something; others count documents so far."""


def steps_of_ranks(table: pl.DataFrame) -> pl.DataFrame:
    """Return the ranks that bring something, such as a relevant document, and the last one."""
    counts = [name for name in table.columns if name.endswith("so far")]
    if brings := [name for name in BRINGS if name in table.columns]:
        found = pl.col(brings[0]) > 0
    elif counts:
        found = pl.col(counts[0]).diff().fill_null(pl.col(counts[0])) > 0
    else:
        return table
    return table.filter(found | (pl.int_range(pl.len()) == pl.len() - 1))


def _align_query(
    evidence: RetrievalEvidence, asked: Measure, judged: Judgments, answered: Run
) -> Any:
    """Return the view that a measure takes, of one query."""
    kind, conventions = asked.definition.view, evidence.settings.conventions
    if kind is StoppingRankings and evidence.stopping is not None:
        return align_stopping(judged, evidence.stopping, answered, conventions).rankings
    if kind not in ALIGNED_CACHE:
        raise NeedsInput(f"{asked.name} needs {NEEDS[kind]}, which cannot be given here")
    return ALIGNED_CACHE[kind](judged, answered, conventions).rankings


def _relevant_note(judged: Judgments, answered: Run, asked: Measure) -> tuple[str, ...]:
    """How many relevant documents are known, and which of them the list does not have."""
    rel = float(dict(asked.settings).get("rel") or 1)
    known = judged.frame.filter(pl.col("grade") >= rel).sort(
        "grade", "doc", descending=[True, False]
    )
    missed = known.filter(~pl.col("doc").is_in(answered.frame["doc"].to_list()))
    note = (
        f"R = {known.height} relevant documents are known (grade {rel:g} or more);"
        f" retrieved: {known.height - missed.height}"
    )
    if missed.is_empty():
        return (note,)
    named = missed.head(MOST_MISSED).select("doc", "grade").iter_rows()
    words = ", ".join(f"{doc} (grade {grade:g})" for doc, grade in named)
    rest = missed.height - MOST_MISSED
    return note, f"not retrieved: {words}" + (f" and {rest} more" if rest > 0 else "")


def only_query(judged: Judgments) -> str:
    """Return the only judged query, which need not be named."""
    queries = judged.frame["query"].unique(maintain_order=True)
    if len(queries) == 1:
        return str(queries[0])
    such = f", such as {queries[0]}," if len(queries) else ""
    raise UsageError(
        f"name one of {len(queries)} queries with --query{such} or compare all profiles with"
        " --profiles"
    )


def unknown_query_error(query: str, judged: Judgments) -> DataError:
    """A complaint on a query that is not there, with those that are."""
    known = judged.frame["query"].unique(maintain_order=True).to_list()
    hint = did_you_mean(query, known) or f" There are {list_phrase(known, 5)}."
    return DataError(f"{judged.source.name}: the query '{query}' has no judgments.{hint}")


def query_evidence(query: str, judged: Judgments, answered: Run) -> tuple[Judgments, Run]:
    """What is known of one query, and what the run answers to it."""
    if query not in judged.frame["query"]:
        raise unknown_query_error(query, judged)
    rows = (answered.frame["query"] == query).arg_true()
    listed = answered.frame[rows]
    empty = tuple(name for name in answered.empty if name == query)
    if listed.is_empty() and not empty:
        raise DataError(
            f"{answered.source.name}: the run does not answer the query '{query}', so there is no"
            " list to explain"
        )
    own = (judged.frame["query"] == query).arg_true()
    truth = Judgments(judged.frame[own], judged.source.of(own))
    return truth, Run(listed, answered.source.of(rows), answered.name, empty)


def _list_documents(
    judged: Judgments, answered: Run, settings: Conventions, judged_only: bool
) -> pl.DataFrame:
    """The documents of the list with their ranks and grades."""
    documents = align_lists(judged, answered, settings).documents
    graded = _add_grades(documents.select(rank="place", document="doc"), judged.frame)
    if not judged_only:
        return graded
    return graded.filter(pl.col("grade") >= 0).with_columns(rank=pl.int_range(1, pl.len() + 1))


def _unranked_documents(
    listed: pl.DataFrame, asked: Measure, last: str, value: float
) -> pl.DataFrame:
    """The first documents of a list of which none brings anything."""
    at = asked.definition.at
    depth = dict(asked.settings).get(at.name) if at and at.kind.after_at == "depth" else None
    return listed.head(depth or MOST_SHOWN).with_columns(pl.lit(value).alias(last))


def _add_grades(listed: pl.DataFrame, judged: pl.DataFrame) -> pl.DataFrame:
    grades = judged.group_by("doc").agg(pl.col("grade").max())
    return listed.join(
        grades, left_on="document", right_on="doc", how="left", maintain_order="left"
    )


def _add_documents(table: pl.DataFrame, listed: pl.DataFrame) -> pl.DataFrame:
    named = table.drop("grade", strict=False).join(
        listed, on="rank", how="left", maintain_order="left"
    )
    first = ["rank", "document", "grade"]
    return named.select(first + [name for name in named.columns if name not in first])


def traceable_measure(name: str, task: str, needed: Required = ()) -> Measure:
    """The measure of that name, if it can show its work."""
    asked, *others = measures(name, task, needed)
    if others:
        raise UsageError(f"one number is explained at a time: name {asked} or {others[0]}")
    if not asked.definition.tracer:
        raise UsageError(f"{asked} cannot show its work yet; 'assay measures' marks those that can")
    return asked

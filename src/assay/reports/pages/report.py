"""Pages of results and of evidence, written to a file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from assay.core.errors import FormatError, UsageError
from assay.core.output_files import write_text
from assay.core.printable import Printable
from assay.engine.scores import Scores
from assay.reports.pages.page import is_page
from assay.reports.pages.task_page import saved_scores_page
from assay.reports.text.result_text import find_page
from assay.statistics.intervals.unit_intervals import Bootstrap
from assay.tasks.evidence import Measures, TaskEvidence
from assay.tasks.retrieval.retrieval_evidence import RetrievalEvidence


def report(
    subject: Any,
    path: str | Path,
    *,
    measures: Measures = None,
    title: str | None = None,
    interval: Bootstrap | None = Bootstrap(),  # noqa: B008 (frozen)
    topics: Any = None,
    documents: Any = None,
) -> Path:
    """Write one self-contained HTML page about evidence, or about Scores alone.

    ``subject`` is the evidence of a task, such as a ``RetrievalEvidence``, of which ``measures``
    are computed, or Scores. ``topics`` and ``documents`` have the texts that a page of rankings
    shows: dicts of id to text, tables of an id and a text, or files in any layout. A file that is
    not a page of Assay is not overwritten.

    >>> import assay, tempfile
    >>> evidence = assay.RetrievalEvidence.read({"q": {"d": 1}}, {"bm25": {"q": {"d": 2.0}}})
    >>> path = assay.report(evidence, tempfile.mkdtemp() + "/report.html", measures="AP")
    >>> path.name
    'report.html'
    """
    place = refuse_foreign_file(path)
    if topics is not None or documents is not None:
        subject = with_texts(subject, topics, documents)
    if isinstance(subject, TaskEvidence):
        text = render_report(subject, subject.scores(measures, interval=interval), title)
    elif not isinstance(subject, Scores):
        text = render_result(subject, title)
    elif measures is not None:
        raise UsageError("measures are chosen of evidence; these Scores have theirs already")
    else:
        text = render_report(subject.origin, subject, title)
    write_text(place, text)
    return place


def with_texts(subject: Any, topics: Any, documents: Any) -> Any:
    """Return evidence of rankings, or its Scores, with the texts of queries and documents."""
    from assay.benchmark.collections.read_files import read_queries
    from assay.formats.text_by_id import given_texts

    evidence = subject.origin if isinstance(subject, Scores) else subject
    if not isinstance(evidence, RetrievalEvidence):
        raise UsageError(
            "`topics` and `documents` are texts for a page of rankings: give the Scores of"
            " assay.retrieval that were computed here, or assay.RetrievalEvidence"
        )
    texts = evidence.topics
    if topics is not None:
        texts = read_queries(topics) if isinstance(topics, str | Path) else given_texts(topics)
    if documents is not None and not isinstance(documents, str | Path):
        documents = given_texts(documents)
    documents = documents or evidence.documents
    evidence = replace(evidence, topics=texts, documents=documents)
    return replace(subject, origin=evidence) if isinstance(subject, Scores) else evidence


def render_result(subject: object, title: str | None = None) -> str:
    """Return the page of a result that has one of its own, such as that of an experiment."""
    page = find_page(subject)
    if page is None and isinstance(subject, Printable):
        from assay.reports.pages.result_page import result_page

        page = result_page
    if page is None:
        raise UsageError(
            f"there is no page of {type(subject).__name__}; give Scores, evidence such as"
            " assay.RetrievalEvidence, or a result such as a comparison"
        )
    return page(subject) if title is None else page(subject, title=title)


def render_report(evidence: TaskEvidence | None, scores: Scores, title: str | None = None) -> str:
    """Return the page of evidence and its scores; without a page of its own, of the scores."""
    page = find_page(evidence)
    if page is None:
        return saved_scores_page(scores, title)
    return page(evidence, scores) if title is None else page(evidence, scores, title=title)


def refuse_foreign_file(path: str | Path) -> Path:
    """Return the path of a page; a file that holds something else is refused."""
    place = Path(path)
    if place.is_file() and place.stat().st_size > 0 and not is_page(place):
        raise FormatError(
            "this is not a page of Assay, and is not overwritten; name another file", str(path)
        )
    return place

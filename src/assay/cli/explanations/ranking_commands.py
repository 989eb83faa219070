"""``assay explain retrieval``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from assay.cli.explanations.explanation_output import (
    show_explanation,
    show_explanations,
    show_profiles,
)
from assay.cli.inputs.retrieval import RUNS
from assay.cli.options import digits_option, ignored_quiet_option, profiles_option
from assay.cli.output import one_measure_option
from assay.cli.reading_options import print_system_files

if TYPE_CHECKING:
    from assay.tasks.retrieval.retrieval_evidence import RetrievalEvidence


@click.command(
    "retrieval",
    epilog="""\b
Examples:
  assay explain retrieval qrels.txt bm25.run -m nDCG@10 --query 301
  assay explain retrieval qrels.txt bm25.run dense.run -m AP --query 301
  assay explain retrieval qrels.txt bm25.run -m AP --profiles""",
)
@RUNS
@one_measure_option()
@click.option("--query", help="Query to explain. [with --profiles: all]")
@profiles_option
@digits_option
@ignored_quiet_option
def retrieval(
    evidence: RetrievalEvidence,
    measure: str,
    query: str | None,
    profiles: bool,
    digits: int,
) -> None:
    """Explain a measure for one query, document by document; several runs side by side."""
    from assay.core.errors import UsageError

    if profiles:
        _explain_profiles(evidence, measure, query, digits)
    elif query is None:
        raise UsageError("name a query with --query, or compare all profiles with --profiles")
    else:
        _explain_query(evidence, measure, query, digits)
    print_system_files(evidence.sources)


def _explain_query(evidence: RetrievalEvidence, measure: str, query: str, digits: int) -> None:
    """Show how the number of each run is computed."""
    from assay.tasks.explanation.ranking_explanations import explain_query

    found = {name: explain_query(evidence, name, measure, query) for name in evidence.systems}
    if len(found) == 1:
        show_explanation(found[evidence.systems[0]], digits)
    else:
        show_explanations(f"query {query}", found, digits)


def _explain_profiles(
    evidence: RetrievalEvidence, measure: str, query: str | None, digits: int
) -> None:
    """Show the number of each run under every profile."""
    from assay.core.errors import UsageError
    from assay.tasks.explanation.profile_differences import values_by_profile

    if changed := evidence.settings.conventions.changes():
        raise UsageError(f"--profiles shows the profiles unchanged; leave out {', '.join(changed)}")
    for number, (name, run) in enumerate(evidence.runs.items()):
        if len(evidence.runs) > 1:
            click.echo("\n" * bool(number) + click.style(name, bold=True))
        rel = evidence.settings.rel
        found = values_by_profile(evidence.judgments, run, measure, query, rel)
        show_profiles(measure, found, digits)

"""``assay explain retrieval``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from assay.cli.explanations.showing import show, show_profiles, show_several
from assay.cli.inputs.retrieval import RUNS
from assay.cli.options import accepted_quiet_option, digits_option
from assay.cli.output import one_measure_option
from assay.cli.reading import show_files

if TYPE_CHECKING:
    from assay.tasks.retrieval_evidence import RetrievalEvidence


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
@click.option("--query", help="The query; with --profiles all of them if left out.")
@click.option("--profiles", is_flag=True, help="The number under each profile, and why it differs.")
@digits_option
@accepted_quiet_option
def retrieval(
    evidence: RetrievalEvidence,
    measure: str,
    query: str | None,
    profiles: bool,
    digits: int,
) -> None:
    """A measure for one query, document by document; several runs beside each other."""
    from assay.core.errors import UsageError

    if profiles:
        _each_profile(evidence, measure, query, digits)
    elif query is None:
        raise UsageError("name a query with --query, or compare all profiles with --profiles")
    else:
        _one_query(evidence, measure, query, digits)
    show_files(evidence.sources)


def _one_query(evidence: RetrievalEvidence, measure: str, query: str, digits: int) -> None:
    """The work behind the number of each run."""
    from assay.tasks.explanation import explain_query

    found = {name: explain_query(evidence, name, measure, query) for name in evidence.systems}
    if len(found) == 1:
        show(found[evidence.systems[0]], digits)
    else:
        show_several(f"query {query}", found, digits)


def _each_profile(
    evidence: RetrievalEvidence, measure: str, query: str | None, digits: int
) -> None:
    """The number of each run under every profile."""
    from assay.core.errors import UsageError
    from assay.tasks.profile_differences import under_profiles

    if changed := evidence.settings.conventions.changes():
        raise UsageError(f"--profiles shows the profiles unchanged; leave out {', '.join(changed)}")
    for number, (name, run) in enumerate(evidence.runs.items()):
        if len(evidence.runs) > 1:
            click.echo("\n" * bool(number) + click.style(name, bold=True))
        rel = evidence.settings.rel
        found = under_profiles(evidence.judgments, run, measure, query, rel)
        show_profiles(measure, found, digits)

"""``assay explain retrieval``."""

from __future__ import annotations

import click

from assay.cli.explanations.showing import show, show_profiles, show_several
from assay.cli.options import accepted_quiet_option, digits_option, profile_option
from assay.cli.output import one_measure_option


@click.command(
    "retrieval",
    epilog="""\b
Examples:
  assay explain retrieval qrels.txt bm25.run -m nDCG@10 --query 301
  assay explain retrieval qrels.txt bm25.run dense.run -m AP --query 301
  assay explain retrieval qrels.txt bm25.run -m AP --profiles""",
)
@click.argument("qrels", metavar="QRELS")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True)
@one_measure_option()
@click.option("--query", help="The query; with --profiles all of them if left out.")
@profile_option
@click.option("--profiles", is_flag=True, help="The number under each profile, and why it differs.")
@digits_option
@accepted_quiet_option
def retrieval(
    qrels: str,
    runs: tuple[str, ...],
    measure: str,
    query: str | None,
    profile: str,
    profiles: bool,
    digits: int,
) -> None:
    """A measure for one query, document by document; several runs beside each other."""
    from assay.core.errors import UsageError
    from assay.formats import containers
    from assay.tasks.explanation import explain_retrieval
    from assay.tasks.profile_differences import under_profiles

    if query is None and not profiles:
        raise UsageError("name a query with --query, or compare all profiles with --profiles")
    judged, systems = containers.judgments(qrels), containers.runs(list(runs))
    if profiles:
        for number, run in enumerate(systems):
            if len(systems) > 1:
                click.echo("\n" * bool(number) + click.style(run.name, bold=True))
            show_profiles(measure, under_profiles(judged, run, measure, query), digits)
        return
    if query is None:
        raise UsageError("name a query with --query, or compare all profiles with --profiles")
    found = {
        run.name: explain_retrieval(judged, run, measure, str(query), profile) for run in systems
    }
    if len(found) == 1:
        show(found[systems[0].name], digits)
    else:
        show_several(f"query {query}", found, digits)

"""``assay explain retrieval``."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.explanations.showing import show, show_profiles, show_several
from assay.cli.options import accepted_quiet_option, digits_option
from assay.cli.output import one_measure_option
from assay.cli.reading import Evidence, reading_options


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
@reading_options()
@click.option("--profiles", is_flag=True, help="The number under each profile, and why it differs.")
@digits_option
@accepted_quiet_option
def retrieval(
    qrels: str,
    runs: tuple[str, ...],
    measure: str,
    query: str | None,
    reading: dict[str, Any],
    profiles: bool,
    digits: int,
) -> None:
    """A measure for one query, document by document; several runs beside each other."""
    from assay.core.errors import UsageError

    read = Evidence.read(qrels, runs, reading)
    if profiles:
        _each_profile(read, measure, query, digits)
    elif query is None:
        raise UsageError("name a query with --query, or compare all profiles with --profiles")
    else:
        _one_query(read, measure, query, digits)
    read.show_files()


def _one_query(read: Evidence, measure: str, query: str, digits: int) -> None:
    """The work behind the number of each run."""
    from assay.tasks.explanation import explain_retrieval

    found = {
        run.name: explain_retrieval(read.judgments, run, measure, query, **read.settings)
        for run in read.runs
    }
    if len(found) == 1:
        show(found[read.runs[0].name], digits)
    else:
        show_several(f"query {query}", found, digits)


def _each_profile(read: Evidence, measure: str, query: str | None, digits: int) -> None:
    """The number of each run under every profile."""
    from assay.core.errors import UsageError
    from assay.tasks.profile_differences import under_profiles

    if read.settings["policies"]:
        said = ", ".join(read.settings["policies"])
        raise UsageError(f"--profiles shows the profiles as they are: leave out {said}")
    for number, run in enumerate(read.runs):
        if len(read.runs) > 1:
            click.echo("\n" * bool(number) + click.style(run.name, bold=True))
        found = under_profiles(read.judgments, run, measure, query, read.settings["rel"])
        show_profiles(measure, found, digits)

"""``assay report online``: offline measures, interleaving and A/B test on one page."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.options import column_option, file_option, output_option, quiet_option
from assay.cli.output import print_notes, show_result


@click.command(
    "online",
    epilog="""\b
Example:
  assay report online --qrels qrels.txt --baseline old.run --system new.run \\
    --lists lists.csv --log clicks.csv --experiment visits.csv --outcome clicks/queries \\
    --control old -o online.html
\b
Each kind of evidence may be left out.
""",
)
@file_option("--qrels", help="Judgments, for the offline difference.")
@file_option("--baseline", required=True, help="Run of the baseline, or its name without --qrels.")
@file_option("--system", required=True, help="Run of the system, or its name without --qrels.")
@click.option("-m", "--measure", default="nDCG@10", help="Offline measures.")
@file_option("--lists", help="Lists that 'assay interleave make' made.")
@file_option("--log", help="Clicks on these lists.")
@file_option("--experiment", help="Table of an A/B test.")
@click.option(
    "--outcome", multiple=True, metavar="NAME", help="Measure of the A/B test; may be repeated."
)
@click.option("--guardrail", multiple=True, metavar="NAME", help="Guardrail of the A/B test.")
@click.option("--lower", multiple=True, metavar="NAME", help="Measure of which less is better.")
@click.option("--control", metavar="ARM", help="Arm of the baseline.")
@column_option("--user", default="user", help="Column of the users.")
@column_option("--arm", default="arm", help="Column of the arms.")
@output_option("-o", "--output", help="HTML file to write. [default: only a table]")
@quiet_option
def online(
    qrels: str | None,
    baseline: str,
    system: str,
    measure: str,
    lists: str | None,
    log: str | None,
    experiment: str | None,
    output: str | None,
    quiet: bool,
    **given: Any,
) -> None:
    """Put offline difference, interleaving and A/B test of two systems on one page."""
    from assay.behavior.online_comparison import combine_evidence
    from assay.cli.behavior_output import write_page
    from assay.core.errors import UsageError

    if (lists is None) != (log is None):
        raise UsageError("interleaving needs both: --lists FILE and --log FILE")
    offline, names = _offline(qrels, baseline, system, measure)
    found = combine_evidence(
        offline,
        _interleaving(lists, log, given["user"]),
        _experiment(experiment, given),
        system=names[1],
        baseline=names[0],
    )
    print_notes(found.warnings, quiet)
    if output is not None:
        write_page(found, output, quiet)
    show_result(found, "table", 4)


def _offline(
    qrels: str | None, baseline: str, system: str, measure: str
) -> tuple[Any, tuple[str, str]]:
    """Return the offline comparison, and the names of the baseline and the system."""
    if qrels is None:
        return None, (baseline, system)
    from assay.tasks.comparison.comparison import compare
    from assay.tasks.retrieval.retrieval_evidence import RetrievalEvidence

    evidence = RetrievalEvidence.read(qrels, [baseline, system])
    first, second = evidence.systems
    scores = evidence.scores([measure], interval=None)
    return compare(scores, baseline=first), (first, second)


def _interleaving(lists: str | None, log: str | None, user: str) -> Any:
    if lists is None:
        return None
    from assay.behavior.interleave import analyze

    return analyze(lists, log, user=user)


def _experiment(experiment: str | None, given: dict[str, Any]) -> Any:
    if experiment is None:
        return None
    from assay.behavior.experiment import analyze

    return analyze(
        experiment,
        given["outcome"],
        guardrails=given["guardrail"],
        lower=given["lower"],
        control=given["control"],
        user=given["user"],
        arm=given["arm"],
    )

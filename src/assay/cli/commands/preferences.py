"""``assay preferences``: runs against preferences between documents."""

from __future__ import annotations

import click

from assay.cli.options import profile_option
from assay.cli.output import Output, asked, measure_option, output_options
from assay.cli.reading import policy_option


@click.command(
    epilog="""\b
Examples:
  assay preferences prefs.txt bm25.run
  assay preferences pairs.txt bm25.run dense.run --input-format pairs -m "ppref@10 wpref@10"
  assay preferences qrels.txt bm25.run --input-format qrels -m prefs_pair
"""
)
@click.argument("judged", metavar="JUDGED")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True)
@click.option(
    "--input-format",
    "form",
    type=click.Choice(["levels", "pairs", "qrels"]),
    default="levels",
    show_default=True,
    help="What JUDGED holds: levels (query group subgroup document level, as trec_eval's prefs),"
    " pairs (query document document preferred), or graded qrels.",
)
@profile_option
@policy_option
@measure_option
@output_options
def command(
    judged: str,
    runs: tuple[str, ...],
    form: str,
    profile: str,
    policies: dict[str, str],
    measures: tuple[str, ...],
    output: Output,
) -> None:
    """Evaluate runs against preferences between documents (JUDGED)."""
    from assay.tasks.preferences import preferences

    scores = preferences(
        judged,
        list(runs),
        asked(measures),
        form=form,  # type: ignore[arg-type]
        profile=profile,
        policies=policies,
        bootstrap=output.bootstrap(),
    )
    output.show(scores)

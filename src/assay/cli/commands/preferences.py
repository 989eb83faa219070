"""``assay preferences``: preferences between documents, and runs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from assay.cli.options import (
    decimal_comma_option,
    file_option,
    files_argument,
    policy_option,
    profile_option,
    slices_option,
)
from assay.cli.parameters import RenamedOption
from assay.cli.task_inputs import TaskInputs

if TYPE_CHECKING:
    from assay.tasks.preferences import PreferenceEvidence

GROUP = "evaluate"


def read(
    judged: str,
    runs: tuple[str, ...],
    form: str,
    by: tuple[str, ...] = (),
    units: str | None = None,
    **options: Any,
) -> PreferenceEvidence:
    """Read preferences and runs, and the slices of queries."""
    from assay.core.conventions import RunSettings
    from assay.tasks.preferences import PreferenceEvidence

    settings = RunSettings.from_options(options)  # type: ignore[arg-type]
    evidence = PreferenceEvidence.read(judged, list(runs), form, settings)
    if not by and units is None:
        return evidence
    from assay.tasks.retrieval.query_slices import slice_queries

    if units is None:
        raise click.UsageError(f"name the table of the column '{by[0]}' with --units")
    return replace(evidence, **slice_queries(evidence.preferences, units, by))


INPUTS = TaskInputs(
    "preferences",
    [
        click.argument("judged", metavar="JUDGED"),
        files_argument("runs", "RUN..."),
        click.option(
            "--form",
            cls=RenamedOption,
            before="--input-format",
            type=click.Choice(["levels", "pairs", "qrels"]),
            default="levels",
            help="What JUDGED holds: levels (query group subgroup document level, as trec_eval's"
            " prefs), pairs (query document document preferred), or graded qrels.",
        ),
        file_option("--units", help="A table of the queries, for --by."),
        slices_option,
        profile_option,
        policy_option,
        decimal_comma_option,
    ],
    read,
    systems="runs",
)
command = INPUTS.command(
    "Evaluate runs against preferences between documents.",
    """\b
Examples:
  assay preferences prefs.txt bm25.run
  assay preferences pairs.txt bm25.run dense.run --form pairs -m "ppref@10 wpref@10"
  assay preferences qrels.txt bm25.run --form qrels -m prefs_pair
""",
)

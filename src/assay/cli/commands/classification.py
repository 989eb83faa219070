"""``assay classification``: true classes, and predicted classes, scores or probabilities."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.cli.options import (
    arrange_option,
    column_option,
    decimal_comma_option,
    decimal_comma_tables,
    files_argument,
    item_option,
    labels_option,
    missing_option,
    positive_option,
    predicted_class_option,
    slices_option,
    split_options,
    table_profile_option,
    weight_option,
)
from assay.cli.output import Output, output_options, print_text, terminal_width
from assay.cli.parameters import Decorator
from assay.cli.task_inputs import TaskInputs

if TYPE_CHECKING:
    from assay.tasks.classification.classification_columns import ClassificationColumns
    from assay.tasks.evidence import TaskEvidence

GROUP = "evaluate"
SHARE_OF_MEMORY = 0.5
"""A file larger than this share of the memory is read in parts."""


def read(
    files: tuple[str, ...],
    sets: bool = False,
    spans: bool = False,
    robustness: str | None = None,
    decimal_comma: bool = False,
    engine: str = "auto",
    ranked: tuple[str, ...] = (),
    **columns: Any,
) -> TaskEvidence:
    """Read the columns of one file or several: classes, sets of labels, or spans of text."""
    if ranked:
        from assay.tasks.classification.ranked_labels import read_ranked_labels

        return read_ranked_labels(list(files), columns["truth"], ranked, columns["item"])
    if sets or spans:
        return _read_lists(list(files), spans, columns)
    from assay.tasks.classification.classification import ClassificationEvidence, read_degrees
    from assay.tasks.classification.classification_columns import ClassificationColumns

    used = ClassificationColumns(**columns)
    tables = decimal_comma_tables(files) if decimal_comma else list(files)
    if robustness is not None:
        return read_degrees(tables, robustness, used)
    beyond_memory = engine == "auto" and not decimal_comma and _exceeds_memory(files)
    if engine == "streaming" or (beyond_memory and _can_be_counted(used)):
        return _read_in_parts(files, used)
    return ClassificationEvidence.read(tables, used)


def _exceeds_memory(files: tuple[str, ...]) -> bool:
    """Return whether there is one file, and it is too large to be read at once."""
    if len(files) != 1 or not Path(files[0]).is_file():
        return False
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return Path(files[0]).stat().st_size > memory * SHARE_OF_MEMORY


def _can_be_counted(columns: ClassificationColumns) -> bool:
    """Return whether one system can be evaluated from parts of its table."""
    from assay.tasks.classification.classes_in_parts import options_of_whole

    single = all(len(each) < 2 for each in (columns.predicted or (), columns.score or ()))
    known = not columns.score or columns.positive is not None
    return single and known and not options_of_whole(columns)


def _read_in_parts(files: tuple[str, ...], columns: ClassificationColumns) -> TaskEvidence:
    """Count the rows of one file, which is never in memory as a whole."""
    from dataclasses import replace

    from assay.core.errors import UsageError
    from assay.core.progress import with_progress
    from assay.tasks.classification.classes_in_parts import count_classes

    named = {"predicted": columns.predicted or (), "score": columns.score or ()}
    if len(files) != 1 or any(len(each) > 1 for each in named.values()):
        raise UsageError("--engine streaming evaluates one system in one file")
    single: dict[str, Any] = {kind: next(iter(each), None) for kind, each in named.items()}
    return with_progress(count_classes)(files[0], replace(columns, **single))


def _read_lists(files: list[str], spans: bool, columns: dict[str, Any]) -> TaskEvidence:
    from assay.core.errors import UsageError
    from assay.tasks.label_sets import LabelSetEvidence
    from assay.tasks.spans import SpanEvidence

    if columns.get("split") or columns.get("splits"):
        raise UsageError("--split is for tables with one class for each item")
    named = {
        "truth": columns["truth"],
        "predicted": columns["predicted"] or None,
        "by": columns["by"],
    }
    if spans:
        named["predicted"] = named["predicted"] or "predicted"
        return SpanEvidence.read(files, **named)
    score = columns.get("score") or None
    return LabelSetEvidence.read(files, **named, item=columns["item"], score=score)


def classification_inputs(*further: Decorator) -> TaskInputs:
    """Return the inputs of a command over classifiers, with options of its own."""
    return TaskInputs(
        "classification",
        [
            files_argument(),
            column_option("--truth", default="truth", help="Column of the true class."),
            predicted_class_option,
            column_option(
                "--score",
                multiple=True,
                help="Column of a number that is higher for the positive class; may be repeated.",
            ),
            column_option(
                "--probabilities",
                multiple=True,
                metavar="PATTERN",
                help='Columns of probabilities, such as "p_*"; may be repeated.',
            ),
            item_option,
            weight_option,
            positive_option,
            labels_option,
            missing_option("drop", "wrong"),
            decimal_comma_option,
            split_options,
            *further,
        ],
        read,
    )


PREDICTIONS = classification_inputs()
"""The inputs of figures."""
INPUTS = classification_inputs(
    slices_option,
    click.option(
        "--engine",
        type=click.Choice(["auto", "local", "streaming"]),
        default="auto",
        show_default=True,
        help="Read a file at once (local) or in parts (streaming), as one beyond memory is.",
    ),
    click.option(
        "--threshold",
        type=float,
        help="Predict positive at or above this score. 'assay threshold' finds one.",
    ),
    table_profile_option,
    click.option(
        "--robustness",
        metavar="PATTERN",
        help='Columns of predictions with more and more input missing, such as "guess_*".',
    ),
    column_option(
        "--ranked",
        multiple=True,
        help='Column of labels by rank ("cat;dog"), or columns "guess*"; for top@5.',
    ),
    click.option("--sets", is_flag=True, help="Truth and prediction are sets of labels."),
    click.option("--spans", is_flag=True, help="Truth and prediction are spans of text."),
)


@click.command(
    "classification",
    epilog="""\b
Examples:
  assay classification predictions.csv --truth label --predicted guess
  assay classification predictions.csv --truth label --predicted old --predicted new
  assay classification old.csv new.csv --truth label --predicted guess --item id
  assay classification predictions.csv --truth sick --score p --positive yes
  assay classification predictions.csv --truth sick --score p --threshold 0.5 -m "MCC F1"
  assay classification predictions.csv --truth label --predicted guess --by segment
  assay classification sizes.csv --truth size --predicted guess --labels S,M,L,XL \\
    -m "kappa(weights=quadratic)"
  assay classification predictions.parquet --truth label --probabilities "p_*"
  assay classification predictions.csv --truth label --predicted guess -m "F(average=micro) MCC"
  assay classification predictions.csv --truth label --robustness "guess_*"
  assay classification ranked.csv --truth label --ranked "guess*" -m "top@1 top@5"
  assay classification tags.jsonl --truth tags --predicted guessed --sets
  assay classification tags.jsonl --truth tags --score scores --sets -m "label_AUC label_AP"
  assay classification spans.jsonl --spans""",
)
@INPUTS
@arrange_option
@click.option("--brief", is_flag=True, help="Only the table of measures.")
@output_options
def command(evidence: TaskEvidence, output: Output, arrange: bool, brief: bool) -> None:
    """Evaluate classifiers: decisions, scores, probabilities."""
    scores = output.scores(evidence)
    whole = output.format == "table" and not output.per_unit
    if output.format == "table" and getattr(evidence, "degrees", False):
        from assay.reports.text.score_tables import robustness_text

        print_text(robustness_text(scores, output.digits) + "\n")
        whole = False
    output.show(scores)
    if whole and not brief and not output.measures:
        _show_matrices(evidence, output.digits, arrange)


def _show_matrices(evidence: TaskEvidence, digits: int, arrange: bool) -> None:
    """Print the confusion matrix of each system that has one, and how to read it."""
    from assay.core.phrases import UNBOUNDED, escape_controls
    from assay.evidence.views.confusion import Confusion
    from assay.reports.text.confusion_text import classification_report

    width = terminal_width(UNBOUNDED)
    for system in evidence.systems:
        matrix = evidence.views(system).get(Confusion)
        if matrix is None:
            continue
        if len(evidence.systems) > 1:
            print_text("\n" + system, bold=True)
        report = classification_report(matrix(), digits=digits, cluster=arrange, width=width)
        click.echo(escape_controls("\n" + report))

"""``assay gate``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.cli.options import (
    choice_option,
    confidence_option,
    file_option,
    missing_units_option,
    output_option,
)
from assay.cli.output import (
    READER_FORMATS,
    TableOutput,
    alias_note,
    print_notes,
    result_options,
)
from assay.cli.parameters import Decorator
from assay.cli.standard_output import print_result
from assay.cli.task_inputs import ScoreSource, scored_command
from assay.cli.unit_table import UnitTable, unit_options
from assay.reports.text.result_text import Layout, write

if TYPE_CHECKING:
    from assay.tasks.gates.gate import Gate

GROUP = "decide"

EPILOG = """\b
Examples:
  assay gate retrieval qrels.txt new.run --baseline main.run -m nDCG@10 --margin 0.005
  assay gate retrieval qrels.txt new.run -m "nDCG@10 RR" --floor nDCG@10=0.3 --floor RR=0.4
  assay gate new.parquet --baseline main.parquet --margin 0.005 --save gate.xml
  assay gate scores.parquet --baseline main --margin 0.01 --units topics.csv --by type
  assay gate classification new.csv --baseline main.csv --item id --predicted guess -m MCC \\
    --margin 0.02"""


def options() -> list[Decorator]:
    """Return the options of the gate."""
    from assay.tasks.gates.gate_checks import PROOF_RULES

    return [
        file_option(
            "--baseline",
            metavar="NAME",
            help="A system, or the file of one more or of each by its name.",
        ),
        click.option(
            "--margin",
            multiple=True,
            metavar="[MEASURE=]NUMBER",
            help="Largest acceptable loss against the baseline; may be repeated.",
        ),
        confidence_option("Confidence level of the test that the margin is kept."),
        choice_option(
            "--prove",
            PROOF_RULES,
            default="kept",
            help="kept: fail unless quality is shown to be kept."
            " worse: fail only if it is shown to be worse.",
        ),
        click.option(
            "--floor",
            multiple=True,
            metavar="[MEASURE=]NUMBER",
            help="Lowest acceptable mean; may be repeated.",
        ),
        click.option("--worst", type=float, help="Lowest acceptable value of a single unit."),
        click.option("--worst-loss", type=float, help="Largest acceptable loss of a single unit."),
        missing_units_option(),
        *unit_options,
        output_option(
            "--save", help="Keep the gate in a file, too: JUnit in x.xml, x.json for assay.load."
        ),
        result_options("Gate"),
    ]


@scored_command("gate", options, EPILOG)
def command(
    source: ScoreSource,
    baseline: str | None,
    floor: tuple[str, ...],
    margin: tuple[str, ...],
    save: str | None,
    output: TableOutput,
    missing_units: Any,
    **given: Any,
) -> None:
    """Fail with exit code 3 if quality falls short."""
    from assay.core.errors import GateFailed
    from assay.core.output_files import is_standard_output
    from assay.tasks.gates.gate import gate, parse_limits

    table = UnitTable.from_options(given)
    scores, base = source.read_with_baselines(baseline)
    base_scores = None
    if baseline and len(base) > 1:  # each system against the one of its name
        scores, base_scores = source.scores(), source.scores([baseline])
    found = gate(
        scores,
        source.measures,
        baseline=base_scores or (base[0] if base else None),
        floor=parse_limits(floor, "floor"),
        margin=parse_limits(margin, "margin"),
        by=table.slices(),
        weights=table.weights(),
        missing=missing_units,
        **given,
    )
    print_notes([*alias_note(source.measures or (), scores), *found.warnings], output.quiet)
    page = write(found, output.format, Layout(output.digits))
    if save:
        _save(found, save, page, output)
    if not (save and is_standard_output(save)):
        print_result(page)
    if not found.holds:
        # A page for a reader begins with the verdict: it is not said twice.
        if output.format in READER_FORMATS:
            raise click.exceptions.Exit(GateFailed.exit_code)
        raise GateFailed(found.verdict)


def _save(found: Gate, path: str, page: str, output: TableOutput) -> None:
    """Write a gate to a file: as Python saves it, in the format of the extension, or as printed."""
    from assay.cli.result_file import FORMATS
    from assay.core.output_files import write_text

    ending = Path(path).suffix.casefold()
    if ending in (".xml", ".json"):
        found.save(path)
    elif ending in FORMATS and ending != ".txt":
        write_text(path, write(found, FORMATS[ending], Layout(output.digits)), "\n")
    else:
        write_text(path, page, "\n")

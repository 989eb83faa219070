"""``assay gate``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from assay.cli.comparing import UnitFacts, unit_options
from assay.cli.scored import Options, Source, measures_asked, scored_command

EPILOG = """\b
Examples:
  assay gate retrieval qrels.txt new.run --baseline main.run -m nDCG@10 --margin 0.005
  assay gate retrieval qrels.txt new.run -m "nDCG@10 RR" --floor nDCG@10=0.3 --floor RR=0.4
  assay gate new.parquet --baseline main.parquet --margin 0.005 --format junit --save gate.xml
  assay gate scores.parquet --baseline main --margin 0.01 --units topics.csv --slice-by type"""


def options() -> Options:
    """The options of the gate."""
    from assay.reports.gates import FORMATS
    from assay.statistics.pairing import MISSING
    from assay.tasks.checks import PROVE

    return [
        click.option("--baseline", metavar="NAME", help="A system, or the file of one more."),
        click.option("--margin", type=float, help="The loss against it that is tolerable."),
        click.option(
            "--confidence",
            type=click.FloatRange(0, 1, min_open=True, max_open=True),
            default=0.95,
            show_default=True,
            help="With which the margin is shown to be kept.",
        ),
        click.option(
            "--prove",
            type=click.Choice(PROVE),
            default="kept",
            show_default=True,
            help="kept: fail unless quality is surely kept. worse: fail only if surely worse.",
        ),
        click.option(
            "--floor",
            multiple=True,
            metavar="[MEASURE=]NUMBER",
            help="What the mean must reach; may be repeated.",
        ),
        click.option("--worst", type=float, help="What every single unit must reach."),
        click.option("--worst-loss", type=float, help="What no single unit may lose more than."),
        click.option(
            "--missing-units",
            type=click.Choice(MISSING),
            default="drop",
            show_default=True,
            help="What becomes of units that a system lacks.",
        ),
        *unit_options(),
        click.option(
            "--format", type=click.Choice(list(FORMATS)), default="table", show_default=True
        ),
        click.option("--save", metavar="FILE", help="Write the page there too."),
        click.option("--digits", type=click.IntRange(0, 15), default=4, show_default=True),
        click.option("--quiet", is_flag=True, help="No notes on standard error."),
    ]


@scored_command("gate", options, EPILOG)
def command(
    source: Source,
    baseline: str | None,
    floor: tuple[str, ...],
    format: str,
    save: str | None,
    digits: int,
    quiet: bool,
    missing_units: Any,
    **given: Any,
) -> None:
    """Fail, with exit code 3, when quality is not what it has to be."""
    from assay.core.errors import GateFailed
    from assay.reports.gates import FORMATS, verdict
    from assay.reports.tables import Layout
    from assay.tasks.gates import floors, gate

    facts = UnitFacts.taken(given)
    scores, base = source.scores_with(baseline)
    found = gate(
        scores,
        measures_asked(source),
        baseline=base[0] if base else None,
        floor=floors(floor),
        slices=facts.slices(),
        weights=facts.weights(),
        missing=missing_units,
        **given,
    )
    if not quiet:
        for warning in found.warnings:
            click.echo(f"{click.style('note:', fg='yellow')} {warning}", err=True)
    page = FORMATS[format](found, Layout(digits))
    click.echo(page)
    if save:
        Path(save).write_text(page + "\n", encoding="utf-8")
    if not found.holds:
        raise GateFailed(verdict(found))

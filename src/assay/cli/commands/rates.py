"""``assay rates``."""

from __future__ import annotations

import click

from assay.cli.options import numbers_option, output_option
from assay.cli.output import TableOutput, print_saved, result_options

GROUP = "decide"


@click.command(
    "rates",
    epilog="""\b
Examples:
  assay rates --f-n "normal(90, 12)" --f-p "normal(140, 25)" --at 100,110,120
  assay rates --f-n "normal(90, 12)" --f-p "normal(140, 25)" --at 110 --prevalence 0.1
  assay rates densities.csv --at 0.5 --plot areas.svg --panels 2""",
)
@click.argument("data", metavar="[FILE]", required=False)
@click.option("--f-n", metavar="DENSITY", help='Density of the negative class: "normal(90, 12)".')
@click.option("--f-p", metavar="DENSITY", help='Density of the positive class: "normal(140, 25)".')
@numbers_option("--at", "100,110", required=True, help="Thresholds.")
@click.option("--prevalence", type=float, help="Share of positive items, for PPV, NPV and ACC.")
@output_option("--plot", help="Draw the four areas at the first threshold: x.svg, x.png or x.pdf.")
@click.option("--panels", type=click.IntRange(1, 2), default=1, help="2: a panel for each class.")
@result_options("DensityRates")
def command(
    data: str | None,
    f_n: str | None,
    f_p: str | None,
    at: list[float],
    prevalence: float | None,
    plot: str | None,
    panels: int,
    output: TableOutput,
) -> None:
    """Show the rates at a threshold from densities of the score.

    FILE has the columns score, f_n and f_p: the densities of the negative and the positive class.
    """
    from assay.tasks.classification.given_densities import rates

    found = rates(data, f_n=f_n, f_p=f_p, at=at, prevalence=prevalence)
    if plot is not None:
        from assay.cli.figure_files import save_figure

        save_figure(found.plot(panels=panels), plot, output.quiet)
        print_saved(plot, output.quiet)
    output.show_result(found)

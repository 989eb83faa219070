"""``assay measures``."""

from __future__ import annotations

import click


@click.command(
    "measures",
    epilog="""\b
Examples:
  assay measures
  assay measures nDCG
  assay measures --task clustering""",
)
@click.argument("name", required=False)
@click.option("--task", help="Only the measures of this task.")
def command(name: str | None, task: str | None) -> None:
    """List all measures, or explain one."""
    from assay.core.catalogue import catalogue
    from assay.core.errors import UsageError, did_you_mean
    from assay.core.names import measure
    from assay.reports.handbook import page

    if name is not None:
        click.echo(page(measure(name, task).definition).rstrip())
        return
    tasks = sorted({each.task for each in catalogue().values()})
    if task is not None and task not in tasks:
        hint = did_you_mean(task, tasks)
        raise UsageError(f"there is no task '{task}' (there are {', '.join(tasks)}).{hint}")
    for one in tasks if task is None else [task]:
        click.echo(click.style(one, bold=True))
        for each in catalogue().of_task(one):
            mark = "·" if each.tracer else " "
            click.echo(f"  {each.name:<14} {mark} {each.summary}")
    click.echo(
        "\n· can show its work with 'assay explain'.  'assay measures NAME' tells more of one."
    )

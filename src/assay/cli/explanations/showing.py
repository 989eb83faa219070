"""How an explanation, and a number under several profiles, is shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from assay.tasks.explanation import Explanation
    from assay.tasks.profile_differences import UnderProfile


def show(explanation: Explanation, digits: int) -> None:
    """The number, what it is, the table behind it, and what the table does not show."""
    from assay.reports.frames import frame_rows, number, text

    click.echo(
        click.style(f"{explanation.measure} = {number(explanation.value, digits)}", bold=True)
    )
    click.echo(f"{explanation.about}\n{explanation.formula}\n")
    table = explanation.table
    click.echo(text(frame_rows(table.columns, list(table.iter_rows()), digits)))
    notes = list(explanation.notes)
    if "grade" in table.columns and table["grade"].null_count():
        notes.append("? : not judged, or no document at this rank")
    if notes:
        click.echo("\n" + "\n".join(notes))


def show_profiles(measure: str, found: Sequence[UnderProfile], digits: int) -> None:
    """The number under each profile, and what makes it differ from the first."""
    from assay.reports.frames import number, text

    rows = [["profile", measure, "what makes the difference"]]
    for each in found:
        why = ", ".join(each.causes)
        if each.refused:
            why = f"refused: {each.refused}" + (f" ({why})" if why else "")
        rows.append([each.profile, number(each.value, digits), why])
    click.echo(text(rows))

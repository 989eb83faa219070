"""Explanations, and numbers under several profiles, as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING

import click

from assay.cli.messages import terminal_width

if TYPE_CHECKING:
    from assay.tasks.explanation.ranking_explanations import Explanation
    from assay.tasks.explanation.table_explanations import ProfileValue


def show_explanations(about: str, found: Mapping[str, Explanation], digits: int) -> None:
    """Print how a number is computed; of several systems side by side, with the differences."""
    from assay.reports.text.explanation_text import (
        UNJUDGED,
        explanation_details,
        explanation_headline,
        explanation_table,
        has_unjudged,
    )
    from assay.reports.text.table_text import align_columns, number, signed_number

    first, *others = found.values()
    if not others:
        click.echo(click.style(explanation_headline(first, digits), bold=True))
        click.echo(explanation_details(first, digits))
        return
    click.echo(click.style(f"{first.measure}, {about}" if about else first.measure, bold=True))
    click.echo(f"{first.formula}\n")
    rows = [["system", first.measure, "difference"]]
    for name, each in found.items():
        apart = "" if each is first else signed_number(each.value - first.value, digits)
        rows.append([name, number(each.value, digits), apart])
    click.echo(align_columns(rows) + "\n")
    blocks = [
        [
            f"{name}: {explanation_headline(each, digits)}",
            *explanation_table(each, digits).split("\n"),
        ]
        for name, each in found.items()
    ]
    click.echo("\n".join(side_by_side(blocks, terminal_width())))
    notes = [f"{name}: {note}" for name, each in found.items() for note in each.notes]
    if any(map(has_unjudged, found.values())):
        notes.append(UNJUDGED)
    click.echo("\n" + "\n".join(notes) if notes else "", nl=bool(notes))


GAP = "    "
"""Between two tables side by side."""


def side_by_side(blocks: Sequence[list[str]], room: int) -> list[str]:
    """Return tables side by side as far as there is room, and one below the other elsewhere."""
    lines: list[str] = []
    placed: list[list[str]] = []
    for block in blocks:
        if placed and sum(map(_width, [*placed, block])) + len(GAP) * len(placed) > room:
            lines += [*_join_lines(placed), ""]
            placed = []
        placed.append(block)
    return [*lines, *_join_lines(placed)]


def _join_lines(blocks: list[list[str]]) -> list[str]:
    rows = zip_longest(*blocks, fillvalue="")
    widths = [_width(block) for block in blocks]
    return [
        GAP.join(line.ljust(width) for line, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


def _width(block: list[str]) -> int:
    return max(map(len, block))


def show_profiles(measure: str, found: Mapping[str, Sequence[ProfileValue]], digits: int) -> None:
    """Print the number of each system under each profile, and why it differs from the first."""
    from assay.reports.text.table_text import align_columns, number

    for place, (system, values) in enumerate(found.items()):
        if len(found) > 1:
            click.echo("\n" * bool(place) + click.style(system, bold=True))
        rows = [["profile", measure, "what makes the difference"]]
        for each in values:
            why = ", ".join(each.causes)
            if each.refused:
                why = f"refused: {each.refused}" + (f" ({why})" if why else "")
            rows.append([each.profile, number(each.value, digits), why])
        click.echo(align_columns(rows))

"""The tables of the handbook page on differences; run as a script it renews the page."""

from __future__ import annotations

import math
from pathlib import Path

from tests.differential.differences import DIFFERENCES, Difference

PAGE = Path(__file__).parents[2] / "docs" / "handbook" / "differences.md"
HEAD = """| measure | case | Assay | {tool} | why | to get theirs |
|---|---|---|---|---|---|"""


def show_number(value: float) -> str:
    """Return a number as the page shows it."""
    return "undefined" if math.isnan(value) else f"{value:.4g}"


def table(name: str) -> str:
    """Return the table of one tool, with freshly computed numbers."""
    return "\n".join([HEAD.format(tool=name), *map(_row, DIFFERENCES[name])])


def _row(each: Difference) -> str:
    numbers = [show_number(each.ours()), show_number(each.theirs())]
    return f"| {' | '.join([f'`{each.measure}`', each.case, *numbers, each.why, each.use])} |"


def renew(text: str, name: str) -> str:
    """Return the page with the table of one tool replaced."""
    start, end = (f"<!-- {word} {name} -->" for word in ("begin", "end"))
    before, _, rest = text.partition(start)
    _, _, after = rest.partition(end)
    return f"{before}{start}\n\n{table(name)}\n\n{end}{after}"


if __name__ == "__main__":
    text = PAGE.read_text(encoding="utf-8")
    for tool in DIFFERENCES:
        text = renew(text, tool)
    PAGE.write_text(text, encoding="utf-8")

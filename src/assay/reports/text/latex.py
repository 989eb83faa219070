"""Tables for a paper: LaTeX with the rules of booktabs, the best value of a column in bold."""

from __future__ import annotations

import re
from collections.abc import Sequence

from assay.core.phrases import wrap_sentence
from assay.reports.text.table_text import Rows, join_lines

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "–": "--",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "−": "$-$",
    "×": r"$\times$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "→": r"$\to$",
    "↓": r"$\downarrow$",
    "∞": r"$\infty$",
} | {letter: f"\\{letter}" for letter in "&%$#_{}"}
_TO_ESCAPE = re.compile("|".join(map(re.escape, _SPECIAL)))
MARKS = (r"\dagger", r"\ddagger", "*", r"\S", r"\P")
"""One for each baseline, in their order, in LaTeX."""


def escape_latex(text: str) -> str:
    """Return the text as LaTeX prints it, in one line: an empty one would end a paragraph."""
    return _TO_ESCAPE.sub(lambda found: _SPECIAL[found[0]], join_lines(text))


def bold_best(rows: Rows, column: int, better: str) -> None:
    """Set the best value of a column in bold, as it is printed, so that all ties are bold.

    An interval after a value stays as it is.
    """
    values = [row[column].partition(" ")[0] for row in rows]
    shown = [each for each in values if each not in ("--", "")]
    if better == "neither" or len(rows) < 2 or not shown:
        return
    best = (min if better == "lower" else max)(shown, key=float)
    for row, value in zip(rows, values, strict=True):
        if value == best:
            row[column] = rf"\textbf{{{best}}}{row[column].removeprefix(best)}"


def comment_lines(notes: Sequence[str]) -> list[str]:
    """Return sentences as comments of LaTeX."""
    return [f"% {line}" for note in notes for line in wrap_sentence(note).splitlines()]


def latex_table(rows: Rows, columns: str) -> str:
    """Return rows of plain text as a table; ``columns`` has the alignment of each, l or r."""
    return latex_tabular([[escape_latex(cell) for cell in row] for row in rows], columns)


def latex_tabular(rows: Rows, columns: str) -> str:
    """Return rows whose cells are LaTeX already as a table with the rules of booktabs."""
    # After \\ a bracket or a star would be taken for its argument.
    starts = ["{}" if row[0].startswith(("[", "*")) else "" for row in rows]
    body = [begin + " & ".join(row) + r" \\" for begin, row in zip(starts, rows, strict=True)]
    lines = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", body[0], r"\midrule", *body[1:]]
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"])


def superscript(mark: str) -> str:
    """Return a mark as a superscript; nothing for no mark."""
    return f"$^{{{mark}}}$" if mark else ""

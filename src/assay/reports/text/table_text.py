"""Small tables as text, in all formats: the one place where cells are written."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from assay.core.phrases import UNBOUNDED

if TYPE_CHECKING:
    import polars as pl

Rows: TypeAlias = list[list[str]]
"""Cells as they are shown; the first row is the head."""
_P_VALUES = ("p", "corrected", "p_corrected", "p_wilcoxon", "p_bootstrap", "p_sign")
"""Columns of p-values, which are never shown as 0."""


_VALUES = frozenset(("value", "baseline_value"))
"""Columns of values, which have no sign beside differences that have one."""


def frame_rows(
    names: Sequence[str],
    rows: Iterable[Sequence[object]],
    digits: int,
    signs: bool = False,
    unknown: str = "?",
    aligned: bool = False,
) -> Rows:
    """Return the cells of a small table as text, below the names of its columns.

    All p-values have that many digits, and where numbers are ``aligned``, all numbers of a column
    with a fraction.
    """
    cells, fractions = [list(row) for row in rows], {*_P_VALUES}
    if aligned:
        columns = zip(names, zip(*cells, strict=True), strict=False)
        fractions |= {name for name, column in columns if any(map(_has_fraction, column))}

    def shown(name: str, cell: object) -> str:
        """Return a cell; a p-value whose digits would all be 0 has an exponent."""
        if cell is None:
            return unknown
        if name in _P_VALUES and isinstance(cell, float) and 0 < cell < 0.5 * 10**-digits:
            return f"{cell:.1e}"
        plain = name in _VALUES if signs else name in fractions
        if plain and isinstance(cell, float):
            return number(cell, digits)
        return format_cell(cell, digits, signs)

    return [list(names), *([*map(shown, names, row)] for row in cells)]


def _has_fraction(cell: object) -> bool:
    """Return whether a cell is a number between two whole ones."""
    return isinstance(cell, float) and math.isfinite(cell) and not cell.is_integer()


def format_cell(cell: object, digits: int, signs: bool = False) -> str:
    """Return a cell as a reader sees it: whole numbers without a point."""
    if isinstance(cell, bool):
        return "yes" if cell else ""
    if isinstance(cell, float):
        if signs:
            return signed_number(cell, digits)
        return f"{cell:g}" if cell.is_integer() else number(cell, digits)
    return str(cell)


HUGE = 1e15
"""Larger numbers have an exponent: not all of their digits would be known."""


def number(value: float, digits: int) -> str:
    """A number with that many digits after the point; a dash where it is undefined."""
    form = "e" if HUGE <= abs(value) < math.inf else "f"
    if math.isnan(value):
        return "–"
    # z: what rounds to 0 has no sign.
    return f"{value:z.{digits}{form}}".replace("inf", "∞")


def signed_number(value: float, digits: int) -> str:
    """A number with its sign; a dash where it is undefined."""
    text = number(value, digits)
    return text if text[0] in "–-" else f"+{text}"


def format_p_value(p: float) -> str:
    """Three digits that matter, and never a bare 0."""
    if math.isnan(p):
        return "–"
    return f"{p:.4f}" if p >= 0.0001 else f"{p:.1e}"


def p_value_sentence(p: float) -> str:
    """Return "p = 0.0123", or a bound where p is smaller than any number that is not 0."""
    return f"p = {format_p_value(p)}" if p else "p < 1e-300"


def rank_text(low: int | None = None, high: int | None = None) -> str:
    """Return an interval of ranks, such as 1-3; a dash where there is none."""
    if low is None:
        return "–"
    return str(low) if low == high else f"{low}-{high}"


def align_columns(rows: Rows, indent: str = "", width: int = UNBOUNDED, names: int = 1) -> str:
    """Columns separated by spaces, names to the left and numbers to the right.

    Columns that the width has no room for follow below, beside the first so many names again, and
    those words after them that are needed to tell the rows apart.
    """
    rows = [[cell.replace("\n", "\\n") for cell in row] for row in rows]
    count = len(rows[0])
    widths = [max(len(row[n]) for row in rows) for n in range(count)]
    numeric = [all(is_number(row[n]) for row in rows[1:]) for n in range(count)]
    while names < count - 1 and not numeric[names] and _are_alike(rows, names):
        names += 1
    blocks = []
    for columns in _column_blocks(widths, width - len(indent), names):
        lines = []
        for row in rows:
            cells = [
                row[n].rjust(widths[n]) if numeric[n] else row[n].ljust(widths[n]) for n in columns
            ]
            lines.append((indent + "  ".join(cells)).rstrip())
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks)


def _are_alike(rows: Rows, names: int) -> bool:
    """Return whether the first so many cells of two rows are the same."""
    return len({tuple(row[:names]) for row in rows}) < len(rows)


def _column_blocks(widths: list[int], room: int, names: int) -> list[list[int]]:
    """The columns of each block, so that none is wider than the room if that can be."""
    repeated = list(range(names))
    blocks = [repeated.copy()]
    for column in range(names, len(widths)):
        needed = sum(widths[n] + 2 for n in blocks[-1]) + widths[column]
        if needed > room and len(blocks[-1]) > names:
            blocks.append(repeated.copy())
        blocks[-1].append(column)
    return blocks


def is_number(cell: str) -> bool:
    """Return whether a cell is a number, an interval, a dash or empty."""
    return cell == "–" or cell.lstrip("-+")[:1].isdigit() or cell == ""


def markdown_table(rows: Rows) -> str:
    """Return a Markdown table; no cell ends at a bar or a line feed, or becomes markup."""
    lines = [rows[0], ["---"] * len(rows[0]), *rows[1:]]
    return "\n".join(f"| {' | '.join(map(escape_markdown, row))} |" for row in lines)


_MARKDOWN = re.compile(r"[\\|<*`~$]|(?<!\w)_|_(?!\w)|&(?=#?\w+;)|(?<=\])[(\[]")
"""What has a meaning in Markdown; within a word an underscore has none."""


def escape_markdown(cell: str) -> str:
    """Return a text as Markdown shows it, in one line."""
    return join_lines(_MARKDOWN.sub(r"\\\g<0>", cell))


def join_lines(cell: str) -> str:
    """Return a cell in one line, for formats where a line feed has a meaning."""
    return re.sub(r"[\r\n]+", " ", cell)


def separated_values(frame: pl.DataFrame, separator: str) -> str:
    """A frame as separated values at full precision, undefined ones empty."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator, lineterminator="\n")
    writer.writerow(frame.columns)
    for row in frame.iter_rows():
        writer.writerow(["" if cell is None or cell != cell else cell for cell in row])
    return out.getvalue().rstrip("\n")


def neutralize_formulas(frame: pl.DataFrame) -> pl.DataFrame:
    """Return a frame whose text is not a formula: an apostrophe precedes ``= + - @``."""
    import polars as pl

    signs = ("=", "+", "-", "@", "\t", "\r", "\n")
    texts = pl.col(pl.String, pl.Categorical, pl.Enum).cast(pl.String)
    formula = texts.str.replace(rf"^([{''.join(map(re.escape, signs))}])", "'$1")
    renamed = {name: f"'{name}" for name in frame.columns if name.startswith(signs)}
    return frame.with_columns(formula).rename(renamed)

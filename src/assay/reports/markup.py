"""HTML and SVG from text: whatever is given is escaped, unless it was made here."""

from __future__ import annotations

import html
import json
from collections.abc import Sequence
from typing import Any, TypeAlias


class Markup(str):
    """Text that is markup already and is not escaped again."""

    __slots__ = ()


Child: TypeAlias = "str | int | float | Sequence[Child] | None"
NOTE_STYLE = "font-size: smaller; opacity: 0.8"
"""How words below a table or a drawing look in a notebook."""
VOID = {"br", "col", "hr", "img", "input", "link", "meta", "circle", "line", "path", "rect"}


def escape_html(child: Child) -> str:
    """Markup as it is, all else as text that is shown and never run."""
    if child is None:
        return ""
    if isinstance(child, Markup):
        return child
    if isinstance(child, list | tuple):
        return "".join(escape_html(each) for each in child)
    return html.escape(str(child), quote=True)


def tag(name: str, /, *children: Child, **attributes: Any) -> Markup:
    """An element. ``class_`` is class, ``aria_label`` aria-label; None and False are left out."""
    written = [name]
    for key, value in attributes.items():
        if value is None or value is False:
            continue
        plain = key.rstrip("_").replace("_", "-")
        written.append(plain if value is True else f'{plain}="{html.escape(str(value))}"')
    head, content = " ".join(written), escape_html(children)
    return Markup(f"<{head}>{content}</{name}>" if children or name not in VOID else f"<{head}/>")


def join_markup(*parts: Child) -> Markup:
    """Several pieces one after the other."""
    return Markup("".join(escape_html(part) for part in parts))


def html_table(rows: Sequence[Sequence[Child]], title: str = "", columns: str = "") -> Markup:
    """Return a plain table; the first row is the head, the first column names the rows.

    ``columns`` has the alignment of each, l or r: notebooks align all but the first to the right.
    """
    (first, *others), *body = rows
    left = [at < len(columns) and columns[at] == "l" for at in range(1, len(others) + 1)]
    styles: list[dict[str, str]] = [{"style": "text-align: left"} if each else {} for each in left]

    def cells(name: str, row: Sequence[Child], **attributes: str) -> list[Markup]:
        """Return the cells of a row beside its first."""
        pairs = zip(row, styles, strict=False)
        return [tag(name, cell, **attributes, **style) for cell, style in pairs]

    top = tag("tr", tag("th", first, scope="col"), cells("th", others, scope="col"))
    lines = [tag("tr", tag("th", row[0], scope="row"), cells("td", row[1:])) for row in body]
    caption = tag("caption", title) if title else None
    return tag("table", caption, tag("thead", top), tag("tbody", lines))


def data_block(name: str, content: Any) -> Markup:
    """Data for the scripts of a page, in an element that browsers do not run.

    ``<`` is written as an escape, so that no text within can close the element. Undefined numbers
    of arrays are null.
    """
    text = json.dumps(
        content, ensure_ascii=False, separators=(",", ":"), allow_nan=False, default=_plain
    )
    safe = text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    return Markup(f'<script type="application/json" id="{name}">{safe}</script>')


def _plain(array: Any) -> Any:
    """An array as lists; what is undefined or infinite is null."""
    import numpy as np

    if array.dtype.kind == "f":
        array = np.where(np.isfinite(array), array.astype(object), None)
    return array.tolist()

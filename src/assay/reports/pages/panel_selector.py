"""A part of a page of which one of several panels is shown: the reader chooses which."""

from __future__ import annotations

from collections.abc import Sequence

from assay.reports.markup import Markup, join_markup, tag


def select_panel(name: str, label: str, panels: Sequence[tuple[str, Markup]]) -> Markup:
    """The panels below a list of their names; one panel alone has no list.

    All are shown where scripts do not run.
    """
    if len(panels) == 1:
        return panels[0][1]
    ids = [f"{name}-{number}" for number in range(1, len(panels) + 1)]
    options = [
        tag("option", words, value=each) for each, (words, _) in zip(ids, panels, strict=True)
    ]
    select = tag("select", options, id=name, data_chooser=True)
    shown = [
        tag("div", content, id=each, class_="panel", role="group", aria_label=f"{label} {words}")
        for each, (words, content) in zip(ids, panels, strict=True)
    ]
    return join_markup(tag("div", tag("label", label, select), class_="controls"), shown)

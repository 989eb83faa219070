"""Measures that are asked for under another tool's name: what they are called here."""

from __future__ import annotations

import re
from collections.abc import Sequence

from assay.core.errors import AssayError

_DEPTH = re.compile(r"[._]\d[\d.]*$")


def alias_note(words: Sequence[str], task: str) -> list[str]:
    """One note on all names that are replaced by others; none where only form or case differs."""
    from assay.core.name_search import split_names
    from assay.core.names import measure

    said = {}
    for name in (each for word in words for each in split_names(word)):
        head = re.split(r"[@(:]", name.rpartition(f"{task}.")[2], maxsplit=1)[0]
        try:
            known = measure(name, task)
        except AssayError:
            continue
        own = known.definition.name.casefold()
        if own not in (head.casefold(), _DEPTH.sub("", head).casefold()):
            said[name] = f"{name} is {known.name}"
    return [f"{', '.join(said.values())} here"] if said else []

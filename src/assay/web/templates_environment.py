"""Templates of the pages: every value is escaped, and a missing one is an error."""

from __future__ import annotations

import datetime
import functools
import math
import re
from collections.abc import Mapping
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from assay.version import VERSION


def _moment(seconds: float | None) -> str:
    if seconds is None:
        return ""
    moment = datetime.datetime.fromtimestamp(seconds, datetime.UTC)
    return moment.strftime("%Y-%m-%d %H:%M UTC")


def _cell(value: object) -> str:
    if value is None or value != value:  # not a number
        return ""
    if isinstance(value, float):
        return f"{value:.4g}" if math.isfinite(value) else "–"
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return str(value)


def _duration(seconds: float) -> str:
    shown = f"{seconds:.1f}".removesuffix(".0") if seconds < 9.95 else f"{seconds:.0f}"
    return f"{shown} second{'' if shown == '1' else 's'}"


_PERCENT = {"gold accuracy", "hasty", "agreement"}
_DIGITS = {"seconds_per_item": 1, "entropy": 2, "kappa": 2, "effect": 3, "tau": 2}


def _column(value: object, name: str) -> str:
    """Return a cell with the digits that its column needs."""
    if isinstance(value, float) and math.isfinite(value):
        if name in _PERCENT:
            return f"{100 * value:.0f} %"
        if name in _DIGITS:
            return f"{value:.{_DIGITS[name]}f}"
    return _cell(value)


def _shortened(text: str) -> str:
    """Return a text in which digests have their first twelve characters."""
    return re.sub(r"\b([0-9a-f]{12})[0-9a-f]{28,}\b", r"\1…", text)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def safe_link(url: str | None) -> str | None:
    """Return an address to link to: http and https only."""
    text = (url or "").strip()
    return text if text.lower().startswith(("http://", "https://")) and text.isprintable() else None


@functools.cache
def _environment() -> Environment:
    made = Environment(
        loader=PackageLoader("assay.web"), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    made.filters["moment"] = _moment
    made.filters["cell"] = _cell
    made.filters["duration"] = _duration
    made.filters["column"] = _column
    made.filters["shortened"] = _shortened
    made.filters["sentence"] = _sentence
    made.filters["safe_link"] = safe_link
    made.globals["version"] = VERSION
    return made


def render(name: str, values: Mapping[str, Any]) -> str:
    """Return the text of a template."""
    return _environment().get_template(name).render(values)

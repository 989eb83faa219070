"""The kinds of parameter that a measure's signature can declare: how each is read and shown."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeAlias, get_args, get_origin

from assay.core.errors import BadParameter

Value: TypeAlias = Any
"""A parameter's value: hashable, so that a measure with its parameters is a key."""


@dataclass(frozen=True)
class Kind:
    """How a parameter is written, checked and printed."""

    word: str
    expects: str
    read: Callable[[str], Value]
    holds: Callable[[Value], bool] = lambda value: True
    after_at: bool = False

    @property
    def example(self) -> str:
        """A value that may stand after ``@``."""
        return "10" if self.word == "depth" else "0.5"

    def accepts(self, text: str) -> bool:
        """Return whether a text is a value of this kind."""
        try:
            return self.holds(self.read(text))
        except (ValueError, TypeError):
            return False

    def take(self, given: Value, owner: str, parameter: str) -> Value:
        """Return the value, read from text if it is text; raise BadParameter if it does not fit."""
        try:
            value = self.read(strip_quotes(given)) if isinstance(given, str) else given
            fits = self.holds(value)
        except (ValueError, TypeError):
            fits = False
        if not fits:
            raise BadParameter(f"{owner}: {parameter}={given} is not {self.expects}")
        return value


def strip_quotes(value: Value) -> Value:
    """Return a text without the quotes that other tools write around it; anything else as it is."""
    return value.strip().strip("'\"") if isinstance(value, str) else value


def format_value(value: Value) -> str:
    """Return a value as it is written in a measure's name."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    if isinstance(value, tuple):
        return "{" + ",".join(_read_table_entry(each) for each in value) + "}"
    return str(value)


def _read_table_entry(entry: Value) -> str:
    return ":".join(map(format_value, entry)) if isinstance(entry, tuple) else format_value(entry)


def read_table(text: str) -> tuple[tuple[float, float], ...]:
    """Return a table such as ``{1:0.5,2:3}``: pairs of a grade and a number, by grade."""
    pairs = [part.split(":") for part in text.strip("{} ").split(",") if part.strip()]
    return tuple(sorted((float(key), float(entry)) for key, entry in pairs))


def read_list(text: str) -> tuple[float, ...]:
    """Return numbers written as ``{0.25,0.5}``, in rising order."""
    return tuple(sorted(float(part) for part in text.strip("{} ").split(",")))


def _read_scale(text: str) -> Value:
    return read_table(text) if ":" in text else float(text)


def _is_scale(value: Value) -> bool:
    return len(value) > 0 if isinstance(value, tuple) else math.isfinite(value) and value > 0


def _read_gain(text: str) -> Value:
    return text if text in ("grade", "exp", "binary") else read_table(text)


def _read_flag(text: str) -> bool:
    return {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}[
        text.casefold()
    ]


def _read_whole_number(text: str) -> int:
    number = float(text)
    if not number.is_integer():
        raise ValueError(text)
    return int(number)


def _is_gain(value: Value) -> bool:
    return value in ("grade", "exp", "binary") or (isinstance(value, tuple) and len(value) > 0)


_DEPTH = Kind("depth", "a depth (1, 2, 3, …)", _read_whole_number, lambda v: v >= 1, after_at=True)
_LEVEL = Kind("recall", "a recall between 0 and 1", float, lambda v: 0 <= v <= 1, after_at=True)
_MULTIPLE = Kind("multiple", "a number above 0", float, lambda v: v > 0, after_at=True)
_LEVELS = Kind(
    "recalls",
    "recalls such as {0.25,0.5,0.75}",
    read_list,
    lambda v: len(v) > 0 and all(0 <= level <= 1 for level in v),
)
_SCALE = Kind(
    "scale", "the highest grade, or a table such as {1:0.2,2:0.7}", _read_scale, _is_scale
)
_GRADE = Kind("grade", "a number", float, math.isfinite)
_NUMBER = Kind("number", "a number", float, lambda v: not math.isnan(v))
_POSITIVE = Kind("positive number", "a number above 0", float, lambda v: v > 0)
_WEIGHT = Kind("weight", "a number of at least 0", float, lambda v: v >= 0)
_SHARE = Kind("share", "a number between 0 and 1", float, lambda v: 0 <= v <= 1)
_PERSISTENCE = Kind(
    "persistence",
    "a number between 0 and 1, and below 1: a user who always goes on never stops",
    float,
    lambda v: 0 <= v < 1,
)
_GAIN = Kind("gain", "grade, exp, binary or a table such as {1:0.5,2:3}", _read_gain, _is_gain)
_FLAG = Kind("flag", "true or false", _read_flag, lambda v: isinstance(v, bool))
_TABLE = Kind("table", "a table such as {1:0.5,2:3}", read_table, lambda v: len(v) > 0)
_TEXT = Kind("text", "text", str, lambda v: isinstance(v, str))

Depth: TypeAlias = Annotated[int, _DEPTH]
Level: TypeAlias = Annotated[float, _LEVEL]
Multiple: TypeAlias = Annotated[float, _MULTIPLE]
Levels: TypeAlias = Annotated[tuple[float, ...], _LEVELS]
Scale: TypeAlias = Annotated[Any, _SCALE]
Grade: TypeAlias = Annotated[float, _GRADE]
Number: TypeAlias = Annotated[float, _NUMBER]
Positive: TypeAlias = Annotated[float, _POSITIVE]
Weight: TypeAlias = Annotated[float, _WEIGHT]
Share: TypeAlias = Annotated[float, _SHARE]
Persistence: TypeAlias = Annotated[float, _PERSISTENCE]
Gain: TypeAlias = Annotated[Any, _GAIN]
Flag: TypeAlias = Annotated[bool, _FLAG]
Table: TypeAlias = Annotated[tuple[tuple[float, float], ...], _TABLE]
Text: TypeAlias = Annotated[str, _TEXT]


def parameter_kind(annotation: Any) -> Kind:
    """Return the kind that an annotation declares, also of optional and Literal types."""
    if get_origin(annotation) is Annotated:
        return next(extra for extra in get_args(annotation)[1:] if isinstance(extra, Kind))
    if get_origin(annotation) is Literal:
        choices = get_args(annotation)
        words = ", ".join(map(str, choices))
        return Kind("choice", f"one of {words}", str, lambda value: value in choices)
    for part in get_args(annotation):
        if part is not type(None):
            return parameter_kind(part)
    raise TypeError(f"a measure's parameter cannot be declared as {annotation}")

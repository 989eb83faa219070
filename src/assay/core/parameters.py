"""The parameters that a measure's signature declares: how each kind is read, checked and shown."""

from __future__ import annotations

import math
from collections.abc import Callable
from inspect import unwrap
from itertools import chain
from typing import Annotated, Any, Literal, TypeAlias, get_args, get_origin

from assay.core.errors import BadParameter
from assay.core.frozen_dataclass import dataclass

Value: TypeAlias = Any
"""A parameter's value: hashable, so that a measure with its parameters is a key."""


@dataclass(frozen=True)
class Kind:
    """How a parameter is written, checked and printed."""

    expects: str
    read: Callable[[str], Value]
    holds: Callable[[Value], bool]
    after_at: str = ""
    """What the number after ``@`` is, for a parameter that is written there."""

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
        return "{" + ",".join(map(_format_entry, value)) + "}"
    return str(value)


def _format_entry(entry: Value) -> str:
    return ":".join(map(format_value, entry)) if isinstance(entry, tuple) else format_value(entry)


def read_table(text: str) -> tuple[tuple[float, float], ...]:
    """Return a table such as ``{1:0.5,2:3}``: a finite number for each grade, by grade."""
    pairs = [part.split(":") for part in text.strip("{} ").split(",") if part.strip()]
    table = sorted((float(key), float(entry)) for key, entry in pairs)
    finite = all(map(math.isfinite, chain.from_iterable(table)))
    if not finite or len(dict(table)) < len(table):
        raise ValueError(text)
    return tuple(table)


def _read_list(text: str) -> tuple[float, ...]:
    """Return numbers written as ``{0.25,0.5}``, in rising order."""
    return tuple(sorted(float(part) for part in text.strip("{} ").split(",")))


def _read_scale(text: str) -> Value:
    return read_table(text) if ":" in text else float(text)


def _is_scale(value: Value) -> bool:
    return len(value) > 0 if isinstance(value, tuple) else math.isfinite(value) and value > 0


def _read_gain(text: str) -> Value:
    return text if text in ("grade", "exp", "binary") else read_table(text)


def _is_gain(value: Value) -> bool:
    return value in ("grade", "exp", "binary") or (isinstance(value, tuple) and len(value) > 0)


def _read_flag(text: str) -> bool:
    return {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}[
        text.casefold()
    ]


def _read_whole_number(text: str) -> int:
    number = float(text)
    if not number.is_integer():
        raise ValueError(text)
    return int(number)


def _is_share(value: Value) -> bool:
    return 0 <= value <= 1


def _are_shares(value: Value) -> bool:
    return len(value) > 0 and all(map(_is_share, value))


def _is_positive(value: Value) -> bool:
    return value > 0


_DEPTH = Kind("a depth (1, 2, 3, …)", _read_whole_number, lambda v: v >= 1, "depth")
_SCALE = Kind("the highest grade, or a table such as {1:0.2,2:0.7}", _read_scale, _is_scale)
_GAIN = Kind("grade, exp, binary or a table such as {1:0.5,2:3}", _read_gain, _is_gain)
_FLAG = Kind("true or false", _read_flag, lambda v: isinstance(v, bool))
_PERSISTENCE = Kind(
    "a number between 0 and 1, and below 1: a user who always goes on never stops",
    float,
    lambda v: 0 <= v < 1,
)
_LEVELS = Kind("recalls such as {0.25,0.5,0.75}", _read_list, _are_shares)
_TABLE = Kind("a table such as {1:0.5,2:3}", read_table, lambda v: len(v) > 0)
Depth: TypeAlias = Annotated[int, _DEPTH]
Count: TypeAlias = Annotated[
    int, Kind("a whole number of at least 1", _read_whole_number, lambda v: v >= 1)
]
Level: TypeAlias = Annotated[float, Kind("a recall between 0 and 1", float, _is_share, "recall")]
Multiple: TypeAlias = Annotated[float, Kind("a number above 0", float, _is_positive, "multiple")]
Levels: TypeAlias = Annotated[tuple[float, ...], _LEVELS]
Scale: TypeAlias = Annotated[Any, _SCALE]
Grade: TypeAlias = Annotated[float, Kind("a number", float, math.isfinite)]
Number: TypeAlias = Annotated[float, Kind("a number", float, lambda v: not math.isnan(v))]
Positive: TypeAlias = Annotated[float, Kind("a number above 0", float, _is_positive)]
Weight: TypeAlias = Annotated[float, Kind("a number of at least 0", float, lambda v: v >= 0)]
Share: TypeAlias = Annotated[float, Kind("a number between 0 and 1", float, _is_share)]
Persistence: TypeAlias = Annotated[float, _PERSISTENCE]
Gain: TypeAlias = Annotated[Any, _GAIN]
Flag: TypeAlias = Annotated[bool, _FLAG]
Table: TypeAlias = Annotated[tuple[tuple[float, float], ...], _TABLE]


@dataclass(frozen=True)
class Parameter:
    """One parameter of a measure, as its signature declares it."""

    name: str
    kind: Kind
    default: Value = None
    required: bool = False
    selects: bool = False
    """Whether it selects evidence before the formula sees it, such as ``judged_only``."""


def read_signature(function: Callable[..., Any]) -> tuple[Any, tuple[Parameter, ...]]:
    """Return the view of a formula, and its parameters: first its own, then those of the view."""
    formula: Any = unwrap(function)
    names = formula.__code__.co_varnames[: formula.__code__.co_argcount]
    known = formula.__globals__
    # Done for every imported measure: a lookup by name is thirty times as fast as type hints.
    declared = [formula.__annotations__[name] for name in names]
    view, *types = (
        known.get(each) or eval(each, known) if isinstance(each, str) else each for each in declared
    )
    defaults = formula.__defaults__ or ()
    required = len(types) - len(defaults)
    parameters = [
        Parameter(name, parameter_kind(kind), default, place < required)
        for place, (name, kind, default) in enumerate(
            zip(names[1:], types, (*[None] * required, *defaults), strict=True)
        )
    ]
    selections = getattr(view, "selections", ())
    parameters += [Parameter(name, _FLAG, default=False, selects=True) for name in selections]
    return view, tuple(parameters)


def parameter_kind(annotation: Any) -> Kind:
    """Return the kind that an annotation declares, also of optional and Literal types."""
    if get_origin(annotation) is Annotated:
        return next(extra for extra in get_args(annotation)[1:] if isinstance(extra, Kind))
    if get_origin(annotation) is Literal:
        choices = get_args(annotation)
        return Kind(f"one of {', '.join(map(str, choices))}", str, lambda value: value in choices)
    for part in get_args(annotation):
        if part is not type(None):
            return parameter_kind(part)
    raise TypeError(f"a measure's parameter cannot be declared as {annotation}")

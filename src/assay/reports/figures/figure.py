"""A figure: the drawing, the points that it shows, its colors and its axes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from functools import wraps
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, get_args, get_type_hints
from unicodedata import combining, east_asian_width

from assay.core.errors import MissingExtra, NeedsInput, UsageError, did_you_mean, unknown_name
from assay.core.output_files import is_stream, write_bytes, write_text
from assay.reports.figures.point_tables import ENDINGS, PointTables
from assay.reports.figures.themes import FITTED, THEMES, Theme, add_ground
from assay.reports.markup import NOTE_STYLE, Markup, tag

if TYPE_CHECKING:
    from assay.tasks.evidence import TaskEvidence


@dataclass(frozen=True)
class Figure(PointTables):
    """What a picture says in words, its drawing, and its points by name of the series."""

    title: str
    svg: Markup = field(repr=False)
    points: Mapping[str, Mapping[str, Any]] = field(repr=False, default_factory=dict)

    def save(self, path: str | Path, scale: float = 2.0, theme: Theme = "light") -> None:
        """Write the figure as SVG, PNG or PDF, or its points as CSV, by the extension of the file.

        A pipe or device without an extension gets SVG. The ``theme`` is ``light``, ``dark``, or
        ``auto``: an SVG file whose colors follow the theme of the browser that shows it.
        """
        place = Path(path)
        ending = place.suffix.casefold() or (".svg" if is_stream(path) else "")
        if theme not in get_args(Theme):
            raise unknown_name("theme", theme, get_args(Theme))
        if theme == "auto" and ending != ".svg":
            raise UsageError(f"{place}: only an SVG file follows the theme of who reads it")
        drawing = add_ground(self.svg, theme)
        if ending not in ENDINGS:
            raise UsageError(
                f"{place}: a figure is written as SVG, PNG or PDF, its points as CSV; end the name"
                f" in {', '.join(ENDINGS)}"
            )
        if ending == ".csv":
            self.warn_of_omitted_series()
        if ending in (".svg", ".csv"):
            write_text(place, drawing if ending == ".svg" else self.csv(), "\n")
            return
        try:
            import vl_convert
        except ImportError:
            raise MissingExtra("vl-convert-python", "plots") from None
        if ending == ".png":
            write_bytes(place, vl_convert.svg_to_png(drawing, scale=scale))
        else:
            write_bytes(place, vl_convert.svg_to_pdf(drawing))

    def _repr_svg_(self) -> str:
        """Return the drawing in the colors of paper, on white, no wider than there is room."""
        return add_ground(self.svg, "light").replace("<svg ", FITTED, 1)

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the drawing above its caption."""
        caption = tag("div", self.title, style=NOTE_STYLE)
        return str(tag("div", [Markup(self._repr_svg_()), caption]))


FIGURES: dict[str, Callable[..., Figure]] = {}
"""What `assay.plot` draws, by name."""
DRAWN_CLASSES: dict[str, tuple[Any, ...]] = {}
"""The classes of evidence that each figure is drawn for."""
Draw = TypeVar("Draw", bound=Callable[..., Figure])


def figure(
    kind: str, evidence: Any = None, columns: Any = None, also: Any = ()
) -> Callable[[Draw], Draw]:
    """Declare a function as the figure of that name.

    A figure of evidence takes an object of that class, or what its ``read`` takes; ``columns`` is
    the settings class whose fields are then options. ``also`` are further classes.
    """

    def declare(draw: Draw) -> Draw:
        """Declare the function as a figure."""

        def drawn(*inputs: Any, **options: Any) -> Figure:
            """Draw the figure of evidence, or of what its ``read`` takes."""
            foreign = hasattr(inputs[0], "members") and hasattr(inputs[0], "task")
            if evidence is None and not foreign:
                _check_result(kind, draw, inputs[0])
                return draw(*inputs, **options)
            if evidence is not None and isinstance(inputs[0], (evidence, *also)):
                return draw(*inputs, **options)
            if hasattr(inputs[0], "task"):
                raise UsageError(
                    f"the figure '{kind}' cannot be drawn for {inputs[0].task}"
                    + _other_figures(inputs[0], kind)
                )
            if columns is None:
                return draw(evidence.read(*inputs), **options)
            own = signature(draw).parameters
            names = [f.name for f in fields(columns) if f.name in options and f.name not in own]
            named = {name: options.pop(name) for name in names}
            if not hasattr(columns, "system_columns"):
                return draw(evidence.read(inputs[0], columns(**named)), **options)
            from assay.formats.arrays import text_of
            from assay.tasks.inputs.array_columns import read_arrays

            if "positive" in named:
                named["positive"] = text_of(named["positive"])
            data, used = read_arrays(inputs[0], columns(**named))
            return draw(evidence.read(data, used), **options)

        FIGURES[kind] = wraps(draw)(drawn)
        DRAWN_CLASSES[kind] = () if evidence is None else (evidence, *also)
        return draw

    return declare


def _check_result(kind: str, draw: Draw, given: Any) -> None:
    """Refuse what is not the result that a figure is drawn for, as its first parameter says."""
    declared = get_type_hints(draw)[next(iter(signature(draw).parameters))]
    kinds = get_args(declared) or (declared,)
    if Any not in kinds and not isinstance(given, kinds):
        named = " or ".join(each.__name__ for each in kinds)
        raise UsageError(f"the figure '{kind}' shows a {named}, not a {type(given).__name__}")


def drawn_figures(given: Any) -> list[str]:
    """Return the names of the figures that can be drawn for evidence, or for that behind scores."""
    drawn = getattr(given, "origin", None) or given
    return [name for name, classes in DRAWN_CLASSES.items() if isinstance(drawn, classes)]


def _other_figures(given: Any, kind: str) -> str:
    """Return the names of the figures that can be drawn, and those that may be meant."""
    texts = {n: (FIGURES[n].__doc__ or "").partition("\n")[0] for n in drawn_figures(given)}
    hint = did_you_mean(kind, [*texts], texts)
    named = f"; there are {', '.join(sorted(texts))}{hint and '.'}{hint}"
    return named if texts else "; there is one figure, the values: plot() without a name draws it"


def only_view(evidence: TaskEvidence, view: type) -> Any:
    """Return a view of the only system of the evidence; a figure of one system needs it."""
    if len(evidence.systems) > 1:
        named = ", ".join(evidence.systems)
        raise UsageError(
            f"this figure shows one system, found {len(evidence.systems)}: {named}; choose one (in"
            f" Python, system='{evidence.systems[0]}')"
        )
    return system_view(evidence, evidence.systems[0], view)


def system_view(evidence: TaskEvidence, system: str, view: type) -> Any:
    """Return a view of one system of the evidence, which a figure needs."""
    make = evidence.views(system).get(view)
    if make is None:
        raise NeedsInput(f"this figure needs {evidence.needs[view]}")
    return make()


LINES = tuple(f"var(--{name})" for name in THEMES if name.startswith("line-"))
DASHES = (
    *(None, "7 3", "2 3", "9 3 2 3", "4 2", "1 2"),
    *("14 4", "2 7", "14 3 2 3 2 3", "6 6", "7 2 1 2 1 2", "1 5"),
)
INK, MUTED, GRID, PAPER, ACCENT, GOOD, BAD, WARN = (
    f"var(--{name})" for name in ("ink", "muted", "grid", "paper", "accent", "good", "bad", "warn")
)


@dataclass(frozen=True)
class Axis:
    """The numbers from low to high, under a title."""

    title: str
    low: float = 0.0
    high: float = 1.0
    names: tuple[str, ...] = ()
    """Names in place of numbers: the first is at 0, the second at 1, and so on."""
    marks: tuple[tuple[float, str], ...] = ()
    """Places and what is written there, in place of round numbers."""
    whole: bool = False
    """Whether only whole numbers are written, as of things that are counted."""
    log: bool = False
    """Whether equal steps are equal ratios; both ends are above 0 then."""

    @classmethod
    def around(
        cls, title: str, values: Iterable[float], zero: bool = False, whole: bool = False
    ) -> Axis:
        """An axis on which all the values find room, between round numbers."""
        kept = [float(value) for value in values if math.isfinite(value)]
        if zero:
            kept.append(0.0)
        low, high = (min(kept), max(kept)) if kept else (0.0, 1.0)
        if high - low <= max(abs(low), abs(high)) * 1e-12 or high - low < SMALLEST_SPAN:
            margin = max(0.5, abs(low) * 1e-6)
            low, high = low - margin, high + margin
        step = step_for(high - low)
        ends = math.floor(low / step) * step, math.ceil(high / step) * step
        return cls(title, *ends, whole=whole)

    @classmethod
    def logarithmic(cls, title: str, values: Iterable[float]) -> Axis:
        """A logarithmic axis on which all the values above 0 find room."""
        kept = [float(value) for value in values if 0 < value < math.inf] or [1.0]
        margin = max((max(kept) / min(kept)) ** 0.04, 1.02)
        return cls(title, min(kept) / margin, max(kept) * margin, log=True)

    def share(self, value: float) -> float:
        """Where a number stands, from 0 at the low end to 1 at the high end."""
        if self.log:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    @property
    def label_room(self) -> int:
        """What the numbers at the ticks of an upright axis need, with its title; 0 for names."""
        names = [] if self.names else [name for _, name in self.ticks()]
        return max((math.ceil(text_width(name, 11)) + 28 for name in names), default=0)

    def ticks(self) -> list[tuple[float, str]]:
        """Where ticks stand, and what is written there."""
        if self.marks:
            return list(self.marks)
        if self.names:
            return [(float(place), name) for place, name in enumerate(self.names)]
        if self.log and self.high > MANY_TIMES * self.low:
            return [(value, f"{value:g}") for value in _log_ticks(self.low, self.high)]
        low, high = sorted((self.low, self.high))  # an axis of ranks may run down
        step = max(step_for(high - low), 1.0 if self.whole else 0.0)
        digits = max(0, -math.floor(math.log10(step)))
        first = math.ceil(low / step - 1e-9)
        last = math.floor(high / step + 1e-9)
        return [(n * step, f"{n * step + 0.0:.{digits}f}") for n in range(first, last + 1)]


MANY_TIMES = 6
"""A logarithmic axis up to so many times its low end has the ticks of a plain one."""
SMALLEST_SPAN = 1e-290
"""Below it there are no round numbers to write at an axis."""


def step_for(span: float) -> float:
    """A round step (1, 2 or 5 times a power of ten) of which a span has three to seven."""
    power = 10.0 ** math.floor(math.log10(span / 5))
    return next(power * each for each in (1, 2, 5, 10) if span / (power * each) <= 7)


def _log_ticks(low: float, high: float) -> list[float]:
    """Return round numbers: 1, 2 and 5 times powers of ten, or powers alone of a long axis."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    step = max(1, (last - first) // 6)
    parts = (1, 2, 5) if last - first < 4 else (1,)
    powers = range(first, last + 1, step)
    every = [float(f"{part}e{power}") for power in powers for part in parts]
    return [each for each in every if low <= each <= high]


_NARROW = frozenset("iljtfrI.,:;'|!()[]{}- /\\")
_WIDE = frozenset("mwMW%@—…")
_BOLD = 1.1


def text_width(words: str, size: float = 11.5, bold: bool = False) -> float:
    """At least as wide as the usual fonts without serifs draw the words at that size."""
    return sum(map(_letter_width, words)) * size * (_BOLD if bold else 1)


def _letter_width(letter: str) -> float:
    """The width of a letter as a share of the size."""
    if combining(letter):
        return 0.0
    if letter in _NARROW:
        return 0.41
    if letter in _WIDE or east_asian_width(letter) in "WF":
        return 1.02
    return 0.79 if letter.isupper() or letter in "&+=<>~#" or not letter.isascii() else 0.64

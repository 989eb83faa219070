"""Results that show themselves, through the one place that knows how results are shown."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from importlib import import_module
from itertools import takewhile
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from assay.core.errors import MissingExtra, UsageError, unknown_name

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl


class Registry:
    """The functions that show results.

    ``reports`` sets them, and ``assay`` says how to load ``reports`` when a result is first shown:
    the parts that produce results know neither.
    """

    def __init__(self) -> None:
        self.write: Callable[..., str] | None = None
        """Returns a result in an output format."""
        self.frames: Callable[..., Any] | None = None
        """Returns the tables of a result."""
        self.draw: Callable[..., Any] | None = None
        """Returns the figure of a result."""
        self.page: Callable[..., Path] | None = None
        """Writes the page of a result to a file."""

    def call(self, name: str, *given: Any, **options: Any) -> Any:
        """Call one of the functions, once ``reports`` is loaded."""
        import_module("assay")._load_reports()
        function = getattr(self, name)
        return function(*given, **options)


REGISTRY = Registry()


class Printable:
    """A result that prints as the command line shows it, and as a table in a notebook."""

    COMPUTED: ClassVar[Sequence[str]] = ()
    """What is computed on request and saved beside the fields."""

    def __eq__(self, other: object) -> bool:
        """Return whether everything in both results is the same."""
        if type(self) is not type(other):
            return NotImplemented
        from assay.core.saved_results import encode_result

        try:
            return bool(encode_result(self) == encode_result(other))
        except UsageError:  # It holds something that has no content, such as a function.
            return self is other

    def __hash__(self) -> int:
        return hash(type(self))

    def save(self, path: str | Path) -> None:
        """Keep the result in one JSON file; ``assay.load`` reads it back."""
        from assay.core.saved_results import save_result

        save_result(self, path)

    def __repr__(self) -> str:
        return str(REGISTRY.call("write", self, "table", warnings=True))

    def _repr_html_(self) -> str:
        """Return what a notebook shows."""
        return str(REGISTRY.call("write", self, "notebook"))

    def to_markdown(
        self, digits: int = 4, *, wide: bool | None = None, intervals: bool | None = None
    ) -> str:
        """Return Markdown tables.

        Scores have a row for each system, comparisons one for each pair; ``wide=False`` has a row
        for each system and measure, ``wide=True`` a column for each measure. ``intervals`` says
        whether values of scores have theirs, and in LaTeX those of comparisons; there they have
        not, unless it is asked for.
        """
        layout = {"digits": _read_digits(digits), "wide": wide, "intervals": intervals}
        return str(REGISTRY.call("write", self, "markdown", **layout))

    def to_latex(
        self, digits: int = 4, *, wide: bool | None = None, intervals: bool | None = None
    ) -> str:
        """Return LaTeX tables with the rules of booktabs; options as in ``to_markdown``.

        Comparisons have a row for each system, with letters or marks; ``wide=False`` has the pairs:
        differences, intervals, effect sizes and p-values.
        """
        layout = {"digits": _read_digits(digits), "wide": wide, "intervals": intervals}
        return str(REGISTRY.call("write", self, "latex", **layout))

    def to_polars(self, table: str | None = None, *, wide: bool = False) -> pl.DataFrame:
        """Return the result as a Polars frame; ``table`` names one of several (see ``frames``).

        ``wide`` is for scores and comparisons: a column for each measure.
        """
        if wide:
            what = f"a {type(self).__name__}" if table is None else f"the table '{table}'"
            raise UsageError(f"{what} has one layout; leave `wide` out")
        frames: dict[str, pl.DataFrame] = self.frames()
        if table is None:
            return next(iter(frames.values()))
        if table not in frames:
            raise unknown_name("table", table, frames)
        return frames[table]

    def frames(self) -> dict[str, pl.DataFrame]:
        """Return all tables of the result by name, as Polars frames."""
        return dict(REGISTRY.call("frames", self))

    def to_pandas(self, table: str | None = None, *, wide: bool = False) -> pd.DataFrame:
        """Return a table as a pandas frame, which needs no pyarrow; options as in ``to_polars``."""
        return frame_to_pandas(self.to_polars(table, wide=wide))

    def to_dict(self, exact: bool = False) -> dict[str, float]:
        """Return the numbers by name, flat, for MLflow and other loggers; of the first table.

        The columns of text that a row begins with come before the name of each column of numbers,
        as in ``nDCG_at_10/bm25/dense/difference``; the only system is not named first. Where they
        do not tell the rows apart, the first column of numbers does, as in ``3/precision`` of rank
        3, or else the number of the row.
        Undefined numbers are left out; ``exact`` keeps the names as they are.
        """
        frame = self.to_polars()
        texts = [*takewhile(lambda name: str(frame.schema[name]) == "String", frame.columns)]
        if texts[:1] == ["system"] and frame["system"].n_unique() == 1:
            texts, frame = texts[1:], frame.drop("system")
        rows = [
            {name: each for name, each in row.items() if name in texts or _is_number(each)}
            for row in frame.iter_rows(named=True)
        ]
        further = [*(each for each in frame.columns if each not in texts)][:1]
        words = [[row[name] for name in texts if row[name] not in (None, "all")] for row in rows]
        firsts = [[f"{row[name]:.15g}" for name in further if name in row] for row in rows]
        found, none = dict[str, float](), [list[str]() for _ in rows]
        for extra in (none, firsts, [[str(n)] for n in range(1, len(rows) + 1)]):
            numbers = [
                ("/".join([*before, *more, name]), float(value))
                for row, before, more in zip(rows, words, extra, strict=True)
                for name, value in row.items()
                if name not in texts
            ]
            found = {key if exact else logger_name(key): value for key, value in numbers}
            if len(found) == len(numbers):
                break
        return found

    def plot(self, kind: str | None = None, **options: Any) -> Any:
        """Return a figure, which shows itself in a notebook and has ``save("figure.pdf")``.

        Without a ``kind`` it is the figure that belongs to the result; ``assay.plot`` has others.
        """
        return REGISTRY.call("draw", self, kind, **options)

    def report(self, path: str | Path, title: str | None = None, **options: Any) -> Path:
        """Write one self-contained HTML page about the result; ``assay.report`` has the options."""
        return Path(REGISTRY.call("page", self, path, title=title, **options))


def _read_digits(given: Any) -> int:
    """Return a number of digits; anything else, such as a file to write, is refused."""
    if (
        hasattr(given, "__index__")
        and not isinstance(given, bool)
        and (digits := index(given)) >= 0
    ):
        return digits
    raise UsageError(
        f"digits is {str(given)!r}: a whole number is expected. The text is returned:"
        " pathlib.Path(file).write_text(…) writes it"
    )


def _is_number(value: Any) -> bool:
    """Return whether a cell holds a defined number."""
    return isinstance(value, float | int) and not math.isnan(value)


def logger_name(name: str) -> str:
    """Return a name with letters, digits, and ``_ - . /`` alone: nDCG@10 is nDCG_at_10."""
    plain = re.sub(r"[^\w./-]+", "_", name.replace("@", "_at_"))
    return re.sub(r"_+", "_", plain).strip("_")


def frame_to_pandas(frame: pl.DataFrame) -> pd.DataFrame:
    """Return a Polars frame as a pandas frame, with or without pyarrow."""
    try:
        import pandas as pd
    except ImportError:
        raise MissingExtra("pandas", "pandas") from None
    return pd.DataFrame({name: frame[name].to_list() for name in frame.columns})


class Exported:
    """A table that goes to pandas and to files."""

    def to_pandas(self: Any) -> pd.DataFrame:
        """Return the rows as a pandas frame."""
        return frame_to_pandas(self.frame)

    def save(self, path: str | Path) -> None:
        """Write a run or judgments to a file whose extension is a format of ``assay.convert``."""
        import_module("assay").convert(self, path)

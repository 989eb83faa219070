"""Every error that Assay raises on purpose.

AssayError                     anything a user can mend; carries an exit code for the command line
├── UsageError          (2)    the call is wrong: an option, a name, a parameter
│   ├── UnknownMeasure         no measure has that name; the nearest ones are named
│   ├── BadParameter           the measure exists, but not with that parameter or value
│   ├── NeedsInput             the measure needs evidence that was not given
│   └── MissingExtra           an optional library is not installed; the extra is named
├── DataError           (1)    the data is wrong
│   ├── FormatError            a file cannot be read as what it should be; carries file and line
│   └── AlignmentError         tables do not fit together
└── GateFailed          (3)    a gate did not hold

Each message says where, what was found, what was expected, and what to do. An argument that would
mend it stands in backticks, as in `missing=drop`; the command line says it as its own option.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class AssayError(Exception):
    """Something that the user can mend."""

    exit_code = 1


class UsageError(AssayError):
    """The call is wrong: an option, a name or a parameter."""

    exit_code = 2


class UnknownMeasure(UsageError):
    """No measure has that name."""


class BadParameter(UsageError):
    """A measure was asked for with a parameter or a value that it does not take."""


class NeedsInput(UsageError):
    """A measure needs evidence that was not given."""


class MissingExtra(UsageError):
    """An optional library is not installed."""

    def __init__(self, library: str, extra: str) -> None:
        super().__init__(f'{library} is not installed: run  pip install "assay-eval[{extra}]"')


class DataError(AssayError):
    """The data is wrong."""

    exit_code = 1


class FormatError(DataError):
    """A file cannot be read as what it should be."""

    def __init__(self, message: str, where: str | None = None, line: int | None = None) -> None:
        place = where if line is None else f"{where}:{line}"
        super().__init__(message if place is None else f"{place}: {message}")
        self.where = where
        self.line = line


class AlignmentError(DataError):
    """Tables do not fit together."""


class GateFailed(AssayError):
    """A gate did not hold."""

    exit_code = 3


def nearest(word: str, known: Iterable[str], count: int = 3) -> list[str]:
    """The known words most like the given one, for "did you mean"."""
    by_folded: dict[str, str] = {}
    for name in known:
        by_folded.setdefault(name.casefold(), name)
    matches = difflib.get_close_matches(word.casefold(), list(by_folded), n=count, cutoff=0.6)
    return [by_folded[match] for match in matches]


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A closing sentence naming the nearest known words; empty when nothing is near."""
    found = nearest(word, known)
    return f" Did you mean {' or '.join(found)}?" if found else ""

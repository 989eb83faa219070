"""Every error that Assay raises on purpose.

AssayError                     anything a user can fix; carries an exit code for the command line
├── UsageError          (2)    the call is wrong: an option, a name, a parameter
│   ├── UnknownMeasure         no measure has that name; the nearest ones are named
│   ├── BadParameter           the measure exists, but not with that parameter or value
│   ├── NeedsInput             the measure needs evidence that was not given
│   └── MissingExtra           an optional library is not installed; the extra is named
├── DataError           (1)    the data is wrong
│   ├── FormatError            a file cannot be read as what it should be; carries file and line
│   └── AlignmentError         tables do not fit together
├── OutputError         (1)    a file cannot be written; an earlier one is unchanged
└── GateFailed          (3)    a gate did not hold

Each message gives the location, the problem, what was expected, and the fix. An argument that would
fix it is in backticks, as in `missing=drop`; the command line shows it as its own option.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence


class AssayError(Exception):
    """Something that the user can fix."""

    exit_code = 1


class UsageError(AssayError):
    """The call is wrong: an option, a name or a parameter."""

    exit_code = 2


class UnknownMeasure(UsageError):
    """No measure has that name."""


class BadParameter(UsageError):
    """A measure does not take that parameter or value."""


class NeedsInput(UsageError):
    """A measure, a test or a command needs evidence that was not given."""


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


class OutputError(AssayError):
    """A file cannot be written; an earlier file of that name is unchanged."""


class PluginWarning(UserWarning):
    """A measure of another distribution cannot be used and is left out."""


class GateFailed(AssayError):
    """A gate did not hold."""

    exit_code = 3


def nearest_names(word: str, known: Iterable[str], count: int = 3) -> list[str]:
    """Return the known names most similar to a word."""
    import difflib

    by_folded: dict[str, str] = {}
    for name in known:
        by_folded.setdefault(name.casefold(), name)
    numbers = [name for name in by_folded if name.isdecimal()] if word.isdecimal() else []
    like = [name for name in numbers if _is_same_number(word, name)]
    apart = set(numbers)
    words = [name for name in by_folded if name not in apart]
    matches = like + difflib.get_close_matches(word.casefold(), words, n=count, cutoff=0.6)
    return [by_folded[match] for match in matches[:count]]


def _is_same_number(one: str, other: str) -> bool:
    """Return whether two numbers differ by leading zeros only, or one is the start of the other."""
    short, long = sorted((one, other), key=len)
    return one.lstrip("0") == other.lstrip("0") or (len(short) > 1 and long.startswith(short))


def _names_by_description(word: str, texts: Mapping[str, str]) -> list[str]:
    """Return the names whose description has the word, as one word or several."""
    parts = _words(word)
    whole = [name for name, text in texts.items() if "".join(parts) in _word_sequences(text)]
    long = {part for part in parts if len(part) > 3}
    split = [name for name, text in texts.items() if long and long <= {*_words(text)}]
    return sorted(whole or split, key=len)[:3]


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.casefold())


def _word_sequences(text: str) -> set[str]:
    """Return each word, and all consecutive words written as one."""
    words = _words(text)
    ends = range(1, len(words) + 1)
    return {"".join(words[begin:end]) for end in ends for begin in range(end)}


def did_you_mean(word: str, known: Iterable[str], texts: Mapping[str, str] | None = None) -> str:
    """Return a sentence with the most similar known names; empty if none is similar.

    ``texts`` describe the known names, so that a word of a description finds its name.
    """
    found = nearest_names(word, known) or _names_by_description(word, texts or {})
    return f" Did you mean {' or '.join(found)}?" if found else ""


def unknown_name(
    what: str, name: str, known: Iterable[str], texts: Mapping[str, str] | None = None
) -> UsageError:
    """Return the error for a name that does not exist, with all known names and similar ones."""
    names = list(known)
    hint = did_you_mean(name, names, texts)
    return UsageError(f"there is no {what} '{name}' (there are {', '.join(names)}).{hint}")


def missing_column(
    where: str,
    name: str,
    columns: Sequence[str],
    purpose: str = "",
    error: type[AssayError] = UsageError,
) -> AssayError:
    """Return the error for a column that a table does not have; ``where`` is its file.

    A table of a single column has probably been split at the wrong characters.
    """
    message = f"{where}: there is no column '{name}'{purpose and ' '}{purpose}"
    if len(columns) == 1:
        return error(
            f"{message}: the whole table is one column, '{columns[0][:100]}'; separate columns by a"
            " comma, a tab, a semicolon or a bar"
        )
    return error(f"{message} among {', '.join(columns)}." + did_you_mean(name, columns))


def no_rows(where: str = "") -> DataError:
    """Return the error for a table without rows; ``where`` is its file."""
    return DataError(f"{where}{where and ': '}there are no rows to evaluate")

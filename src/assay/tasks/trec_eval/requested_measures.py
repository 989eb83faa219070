"""The measures requested with ``-m``: names, nicknames, and parameters after a dot."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from assay.core.errors import BadParameter, UnknownMeasure, UsageError, did_you_mean
from assay.core.name_search import split_names
from assay.tasks.trec_eval.measure_names import TREC_NAMES, SettingPairs, TrecName

NICKNAMES = tuple(dict.fromkeys(nickname for word in TREC_NAMES for nickname in word.nicknames))

MEASURE_SETS = ("official", "set", "all_trec")
"""The sets of measures that plain judgments allow."""
_WITH_NUMBERS = {word.name for word in TREC_NAMES if word.takes in ("depths", "fractions")}


@dataclass(frozen=True)
class Request:
    """A name of trec_eval with the text after its dot, if any."""

    word: TrecName
    written: str | None = None

    def __str__(self) -> str:
        return self.word.name if self.written is None else f"{self.word.name}.{self.written}"

    @property
    def label(self) -> str:
        """The name as printed if it has one value."""
        return self.word.name if self.written is None else f"{self.word.name}_{self.written}"

    def numbers(self) -> tuple[float, ...]:
        """Return the depths, fractions or numbers: those written, or the defaults."""
        if self.written is None:
            return self.word.default
        numbers = [_number(part, self) for part in self.written.split(",")]
        if self.word.takes == "numbers":
            return tuple(numbers)
        if self.word.takes == "depths":
            # trec_eval reads a depth as C does, so that 23.4 is 23.
            numbers = [math.trunc(number) for number in numbers]
            if min(numbers) < 1:
                raise BadParameter(f"-m {self}: a depth is 1 or more")
        if len(set(numbers)) < len(numbers):
            raise BadParameter(f"-m {self}: each number may occur only once")
        return tuple(sorted(numbers))

    def pairs(self) -> SettingPairs:
        """Return the parameters written as key=number."""
        found: SettingPairs = {}
        for part in self.written.split(",") if self.written is not None else ():
            key, equals, number = part.partition("=")
            if not equals:
                raise BadParameter(f"-m {self}: '{part}' should read key=number, such as 1=3.5")
            found[key] = _number(number, self)
        return found

    def columns(self, grades: Sequence[float]) -> list[tuple[str, str]]:
        """Return each printed label with the name of our measure.

        ``grades`` are those that occur in the judgments.
        """
        name, means = self.word.name, self.word.means
        match self.word.takes:
            case "depths":
                return [(f"{name}_{depth}", f"{name}@{depth}") for depth in self.numbers()]
            case "fractions":
                return [(f"{name}_{share:.2f}", f"{name}@{share!r}") for share in self.numbers()]
            case "numbers" if means:
                return [(self.label, means(*self.numbers()))]
            case "pairs" if means:
                return [(self.label, means(self.pairs(), grades))]
            case _:
                return [(self.label, name)]


def expand_trec_names(measures: Any) -> list[Any]:
    """Return the measures, with names such as ``official`` and ``P.5,10`` written out."""
    if isinstance(measures, Iterable) and not isinstance(measures, str):
        return [name for each in measures for name in expand_trec_names(each)]
    return _expand_text(measures) if isinstance(measures, str) else [measures]


def _expand_text(text: str) -> list[str]:
    found: list[str] = []
    before: str | None = None
    for part in split_names(text):
        if part in MEASURE_SETS:
            found += _measures_of_set(part)
        elif before and re.fullmatch(r"\d*\.?\d+", part):
            found.append(f"{before}.{part}")
            continue
        else:
            found.append(part)
        dotted = re.fullmatch(r"(\w+?)\.[\d.]+", part)
        before = dotted[1] if dotted and dotted[1] in _WITH_NUMBERS else None
    return found


def _measures_of_set(name: str) -> list[str]:
    """Return our names of the measures in a set such as ``official``."""
    return [
        "NumQ" if word.prints == "topics" else ours
        for word in TREC_NAMES
        if name in word.nicknames and word.prints in ("measure", "topics")
        for _, ours in Request(word).columns(())
    ]


def read_requests(given: Iterable[str], version: int) -> tuple[list[Request], list[str]]:
    """Return the requests in the order of the output, and notes on what is ignored."""
    known = [word for word in TREC_NAMES if word.since <= version]
    chosen: dict[str, Request] = {}
    notes = []
    for text in list(given) or ["official"]:
        name, dot, rest = _split_parameters(text, known)
        if dot and not rest:
            raise BadParameter(f"-m {text}: there is nothing after the dot")
        words = [word for word in known if name == word.name or name in word.nicknames]
        if not words:
            raise UnknownMeasure(_unknown(name, known, version))
        written: str | None = rest or None
        if written and (name in NICKNAMES or words[0].takes == "nothing"):
            notes.append(_no_parameters(name, written))
            written = None
        for word in words:
            earlier = chosen.get(word.name)
            if earlier is None or earlier.written is None:
                chosen[word.name] = Request(word, written)
            elif written not in (None, earlier.written):
                notes.append(
                    f"-m {text}: trec_eval keeps the first parameters of a measure,"
                    f" {earlier}; write them together, as in -m P.5,10"
                )
    return [chosen[word.name] for word in known if word.name in chosen], notes


def _split_parameters(text: str, known: Iterable[TrecName]) -> tuple[str, str, str]:
    """Return the name and its parameters; they may be written as printed, P_10."""
    printed = re.fullmatch(r"(.+)_([\d.,]+)", text)
    if printed and any(word.name == printed[1] and word.takes != "nothing" for word in known):
        return printed[1], ".", printed[2]
    return text.partition(".")


def require_measures(requests: Iterable[Request], judged: str) -> None:
    """Refuse measures that cannot be computed from judgments of that kind (``-R``)."""
    for each in requests:
        source = each.word.source
        kinds = ("prefs", "qrels_prefs") if source == "prefs" else (source,)
        if source != "any" and judged not in kinds:
            raise UsageError(
                f"-m {each} needs {' or '.join(f'-R {kind}' for kind in kinds)},"
                f" but the judgments are read as -R {judged}"
            )


def _no_parameters(name: str, written: str) -> str:
    """Return a note for users who take ``recip_rank.10`` for a cutoff."""
    if name in NICKNAMES:
        return f"-m {name}.{written}: {name} stands for many measures; '.{written}' is ignored"
    deep = f"; -M {written} cuts all lists at that depth" if written.isdigit() else ""
    return f"-m {name}.{written}: {name} takes no parameter; '.{written}' is ignored{deep}"


def _unknown(name: str, known: Iterable[TrecName], version: int) -> str:
    if newer := next((word for word in TREC_NAMES if word.name == name), None):
        return (
            f"trec_eval {version} has no measure '{name}': it came with version {newer.since}."
            f" Add --profile trec_eval-{newer.since}"
        )
    if "@" in name:
        return (
            f"trec_eval has no measure '{name}': it writes a depth after a dot, as in -m"
            " ndcg_cut.10; 'assay retrieval' takes names with @"
        )
    hint = did_you_mean(name, [*(word.name for word in known), *NICKNAMES])
    return f"trec_eval has no measure '{name}'." + (
        hint or " 'assay trec_eval -h -m all_trec' lists what it has; 'assay measures' lists ours."
    )


def _number(text: str, asked: Request) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise BadParameter(f"-m {asked}: '{text}' is not a number")
    return number

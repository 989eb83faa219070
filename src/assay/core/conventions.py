"""The conventions behind a number, and how runs are read; ``profiles`` bundle conventions."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, Literal, Self, TypedDict, get_args, get_origin, get_type_hints

from assay.core.arguments import UnknownArgument
from assay.core.errors import UsageError, unknown_name
from assay.core.frozen_dataclass import dataclass
from assay.core.profiles import PROFILES

CHOICE_ALIASES = {"normalised": "normalized"}
"""Earlier spellings of choices."""


@dataclass(frozen=True)
class Conventions:
    """How rankings are built from tables, and how exceptional data is handled."""

    profile: str = "assay"
    score_type: Literal["float64", "float32"] = "float64"
    order: Literal["score", "rank", "file"] = "score"
    """What the documents of a query are ordered by; ``rank`` is the column of that name."""
    ties: Literal["document descending", "document ascending", "file order"] = "document descending"
    """How documents of equal score are ordered; ids compare bytewise."""
    depth: int | None = None
    """How many documents of a query are used; all if None."""
    duplicates: Literal["error", "first", "last"] = "error"
    """Which of several equal documents (or judgments) of a query is kept, if any."""
    nan_scores: Literal["error", "drop", "keep"] = "error"
    """Documents whose score is NaN: dropped, or kept at the end of the list."""
    missing_queries: Literal["zero", "skip", "error"] = "zero"
    """Judged queries that a run does not answer."""
    empty_queries: Literal["keep", "missing", "zero", "error"] = "keep"
    """Queries with an empty list: answered, or missing.

    ``zero``: an answer, but what is undefined for an empty list is 0 (trec_eval), also where
    removing unjudged documents has emptied it.
    """
    unknown_queries: Literal["drop", "error"] = "drop"
    """Queries of a run without judgments."""
    unjudged: Literal["keep", "drop", "error"] = "keep"
    """Retrieved documents without a judgment: not relevant, or removed from the list."""
    negative_grades: Literal["judged", "unjudged"] = "judged"
    """What a grade below 0 means for Judged, Unjudged, `holes` and `next`: judged not relevant
    (spam), or pooled but unjudged (trec_eval).

    bpref, infAP and condensed lists always take the second meaning, on which they are defined.
    """
    own_document: Literal["keep", "drop"] = "keep"
    """Documents whose id is that of the query."""
    no_relevant: Literal["undefined", "zero"] = "undefined"
    recall_levels: Literal["exact", "truncated", "rounded"] = "exact"
    first_rank: Literal["normalized", "raw"] = "normalized"
    """Whether ERR-IA and α-DCG are normalized at rank 1 as at all others; not in ndeval."""
    defaults: tuple[tuple[str, str], ...] = ()
    """Default parameters of measures, such as the gain of gdeval."""
    needed: tuple[tuple[str, str], ...] = ()
    """Values of required parameters, such as the scale of gdeval."""

    def changes(self) -> list[str]:
        """Return the conventions that differ from those of the profile."""
        base = profile(self.profile)
        names = [field.name for field in dataclasses.fields(self)]
        return [name for name in names if getattr(self, name) != getattr(base, name)]

    def change(self, **choices: Any) -> Self:
        """Return the conventions with some changes; None keeps a choice."""
        wanted = {
            name: CHOICE_ALIASES.get(value, value)
            for name, value in choices.items()
            if value is not None
        }
        if not wanted:
            return self
        hints = get_type_hints(type(self))  # costly
        for name, value in wanted.items():
            if name not in hints:
                raise unknown_name("convention", name, hints)
            allowed = get_args(hints[name]) if get_origin(hints[name]) is Literal else ()
            if allowed and value not in allowed:
                named = ", ".join(f"'{each}'" for each in allowed)
                raise UsageError(f"{name} must be one of {named}; found '{value}'")
        if "depth" in wanted:
            wanted["depth"] = _read_depth(wanted["depth"])
        return dataclasses.replace(self, **wanted)


def apply_choices(policies: Mapping[str, Any] | None, **options: Any) -> dict[str, Any]:
    """Return the policies with the choices of options; refuse an option that differs."""
    found = dict(policies or {})
    for name, choice in options.items():
        if choice is None:
            continue
        if str(found.get(name, choice)) != str(choice):
            raise UsageError(
                f"{name} is set twice, to {choice} and by a policy to {found[name]}; set it once"
            )
        found[name] = choice
    return found


def _read_depth(given: Any) -> int:
    try:
        depth = int(given)
    except (TypeError, ValueError):
        depth = 0
    if depth < 1:
        raise UsageError(f"depth is a whole number from 1, not '{given}'")
    return depth


def profile(name: str | Conventions) -> Conventions:
    """Return the conventions of a profile."""
    if isinstance(name, Conventions):
        return name
    if name not in PROFILES:
        raise unknown_name("profile", name, PROFILES)
    return Conventions(profile=name, **PROFILES[name])


class Policies(TypedDict, total=False):
    """The fields of ``Conventions`` that are keywords of their own, as on the command line."""

    duplicates: str
    nan_scores: str
    missing_queries: str
    empty_queries: str
    unknown_queries: str
    unjudged: str
    negative_grades: str
    own_document: str
    ties: str
    score_type: str
    no_relevant: str
    recall_levels: str
    first_rank: str


class ReadingOptions(Policies, total=False):
    """The keywords of every function that reads judgments and runs."""

    rel: float | None
    """The lowest grade that counts as relevant, unless a measure has its own."""
    profile: str | Conventions
    """Whose conventions hold."""
    order: str | None
    """What documents are ordered by: score, rank or file."""
    policies: Mapping[str, Any] | None
    """Other conventions by name, the fields of ``Conventions``."""
    input_format: str | None
    """The format of all files (detected by default)."""
    qrels_format: str | None
    """The format of the judgments."""
    split: str | None
    """The split of queries that is evaluated."""
    splits: Any
    """The table of query and split; not needed for a folder that has a file for each split."""
    decimal_comma: bool
    """Whether the numbers in files and tables are written as 0,25."""


class RunOptions(ReadingOptions, total=False):
    """The keywords of functions that evaluate rankings, which may be cut."""

    depth: int | None
    """How many documents of each ranking are evaluated."""
    judged_only: bool
    """Whether unjudged documents are removed from the rankings."""
    corpus: int | None
    """The number of documents in the collection."""


@dataclass(frozen=True)
class RunSettings:
    """How judgments and runs are read, ordered and cut."""

    conventions: Conventions = Conventions()
    rel: float | None = None
    corpus: int | None = None
    input_format: str | None = None
    qrels_format: str | None = None
    split: str | None = None
    splits: Any = None
    decimal_comma: bool = False

    @classmethod
    def from_options(cls, options: ReadingOptions | RunOptions) -> RunSettings:
        """Return the settings that the keywords ask for; a policy may be a keyword of its own."""
        given: Mapping[str, Any] = options
        known = RunOptions.__annotations__ | ReadingOptions.__annotations__
        for name in given:
            if name not in known:
                raise UnknownArgument(name, known)
        single = {name: given[name] for name in Policies.__annotations__ if name in given}
        choices = apply_choices(
            {**(given.get("policies") or {}), **single},
            order=given.get("order"),
            depth=given.get("depth"),
            unjudged="drop" if given.get("judged_only") else None,
        )
        input_format = given.get("input_format")
        return cls(
            profile(given.get("profile", "assay")).change(**choices),
            given.get("rel"),
            given.get("corpus"),
            input_format,
            given.get("qrels_format") or input_format,
            given.get("split"),
            given.get("splits"),
            bool(given.get("decimal_comma")),
        )

"""How judgments and runs are read, ordered and cut: the settings of every task over rankings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypedDict

from assay.core.conventions import Conventions, apply_choices, profile
from assay.core.names import Measure


class ReadingOptions(TypedDict, total=False):
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

    conventions: Conventions = Conventions()  # noqa: RUF009 (frozen)
    rel: float | None = None
    corpus: int | None = None
    input_format: str | None = None
    qrels_format: str | None = None

    @classmethod
    def from_options(cls, options: ReadingOptions | RunOptions) -> RunSettings:
        """Return the settings that the keywords ask for."""
        given: Mapping[str, Any] = options
        choices = apply_choices(
            given.get("policies"),
            order=given.get("order"),
            depth=given.get("depth"),
            unjudged="drop" if given.get("judged_only") else None,
        )
        input_format = given.get("input_format")
        return cls(
            profile(given.get("profile", "assay")).changed(**choices),
            given.get("rel"),
            given.get("corpus"),
            input_format,
            given.get("qrels_format") or input_format,
        )

    def apply(self, measures: Iterable[Measure]) -> list[Measure]:
        """Return the measures with the parameters that these settings imply, unless they have them.

        Every task that measures rankings uses this, so that one profile gives one number.
        """
        preset = [("rel", self.rel)] if self.rel is not None else []
        applied = list(measures)
        for parameter, value in [*preset, *self.conventions.defaults]:
            applied = [measure.default(parameter, value) for measure in applied]
        return applied

"""What is measured in an experiment: mean(x), x/y, quantile(x, 0.95) and so on."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import polars as pl

from assay.core.errors import UsageError, did_you_mean, missing_column
from assay.core.tables import Source

KINDS = {
    "mean": "the mean over users of a user's sum",
    "share": "the share of users with a value above 0",
    "ratio": "the sum of one column over the sum of another",
    "quantile": "a quantile of the rows",
    "winsorized": "the mean over users of a user's sum, cut at a quantile of all users",
}
"""What is measured, by kind."""
LEVELS = {"quantile": 0.5, "winsorized": 0.99}
_CALL = re.compile(r"^\s*(\w+)\s*\((.*)\)\s*$")


@dataclass(frozen=True)
class Outcome:
    """One measure of an experiment: its kind, its columns, and which direction is better."""

    name: str
    kind: str
    column: str
    denominator: str | None = None
    level: float | None = None
    better: str = "higher"
    guardrail: bool = False
    covariate: tuple[str, str | None] | None = None
    """The columns from before the experiment: of the numerator and of the denominator."""

    @property
    def columns(self) -> list[str]:
        """The columns that it needs."""
        before = self.covariate or (None, None)
        return [name for name in (self.column, self.denominator, *before) if name is not None]

    @property
    def sign(self) -> int:
        """1 if higher is better, −1 if lower is."""
        return 1 if self.better == "higher" else -1


def parse_outcome(text: str, frame: pl.DataFrame, source: Source) -> Outcome:
    """Return the measure that a text names, of a table.

    A column alone is a share if it is true or false, or 0 or 1, and otherwise a mean.
    """
    name = text.strip()
    if name in frame.columns:
        return Outcome(name, "share" if _is_yes_or_no(frame[name]) else "mean", name)
    call = _CALL.match(name)
    kind, inner = (call[1], call[2]) if call else ("ratio" if "/" in name else "mean", name)
    if kind not in KINDS:
        raise UsageError(
            f"there is no measure '{kind}(…)' of an experiment (there are {', '.join(KINDS)})."
            + did_you_mean(kind, KINDS)
        )
    column, level = _split_level(inner, kind, name)
    top, slash, bottom = (part.strip() for part in column.partition("/"))
    if (kind == "ratio") != bool(slash):
        raise UsageError(
            f"'{name}': a ratio is written as clicks/queries, other measures without /"
        )
    for each in (top, bottom) if slash else (top,):
        if each not in frame.columns:
            raise missing_column(source.name, each, frame.columns, f"of the measure '{name}'")
    return Outcome(name, kind, top, bottom or None, level)


def _is_yes_or_no(column: pl.Series) -> bool:
    if column.dtype == pl.Boolean:
        return True
    known = set(column.drop_nulls().unique().head(10).to_list())
    return (
        (column.dtype.is_numeric() and known <= {0, 1})
        or known <= {"TRUE", "FALSE"}
        or (known <= {"true", "false"})
    )


def _split_level(inner: str, kind: str, name: str) -> tuple[str, float | None]:
    """Return the column and the level after a comma, for kinds that have one."""
    if kind not in LEVELS:
        return inner.strip(), None
    column, comma, given = inner.rpartition(",")
    if not comma:
        return inner.strip(), LEVELS[kind]
    try:
        level = float(given)
    except ValueError:
        level = -1.0
    if not 0 < level < 1:
        raise UsageError(f"'{name}': '{given.strip()}' is not a share between 0 and 1")
    return column.strip(), level


def parse_outcomes(
    measures: Sequence[str],
    guardrails: Sequence[str],
    lower: Sequence[str],
    covariates: dict[str, str],
    table: tuple[pl.DataFrame, Source],
) -> list[Outcome]:
    """Return measures and guardrails with their directions and covariates."""
    frame, source = table
    named = [*measures, *guardrails]
    _refuse_unknown(named, lower, "lower")
    _refuse_unknown(named, list(covariates), "covariates")
    found = []
    for text in dict.fromkeys(named):
        outcome = parse_outcome(text, frame, source)
        outcome = replace(
            outcome,
            better="lower" if text in lower else "higher",
            guardrail=text in guardrails,
        )
        if text in covariates:
            outcome = replace(outcome, covariate=_covariate(outcome, covariates[text], table))
        found.append(outcome)
    return found


def require_measures(
    named: Sequence[Collection[str]], frame: pl.DataFrame, source: Source, others: Sequence[str]
) -> None:
    """Raise an error if neither measures nor guardrails are named; it lists the numbers."""
    if named[0] or named[1]:
        return
    free = [
        name
        for name, dtype in frame.schema.items()
        if (dtype.is_numeric() or dtype == pl.Boolean) and name not in others
    ]
    raise UsageError(
        f"name the `measures` of the experiment; {source.name} has the numbers"
        f" {', '.join(free) or '(none)'}"
    )


def _refuse_unknown(named: Sequence[str], given: Sequence[str], option: str) -> None:
    for text in given:
        if text not in named:
            raise UsageError(
                f"`{option}` names '{text}', which is not among the measures and guardrails"
                f" ({', '.join(named)})." + did_you_mean(text, named)
            )


def _covariate(
    outcome: Outcome, text: str, table: tuple[pl.DataFrame, Source]
) -> tuple[str, str | None]:
    frame, source = table
    top, slash, bottom = (part.strip() for part in text.partition("/"))
    if outcome.kind == "quantile" or (bool(slash) and outcome.kind != "ratio"):
        raise UsageError(
            f"'{outcome.name}' cannot be adjusted by '{text}': a covariate is a column, for a ratio"
            " also before_clicks/before_queries, and quantiles have none"
        )
    for each in (top, bottom) if slash else (top,):
        if each not in frame.columns:
            raise missing_column(source.name, each, frame.columns, "of a covariate")
    return top, bottom or None

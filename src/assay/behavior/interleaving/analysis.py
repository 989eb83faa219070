"""The analysis of an interleaving experiment."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl

from assay.behavior.interleaving.impression_credits import (
    CreditLog,
    LogColumns,
    ShownLists,
    read_log,
)
from assay.behavior.interleaving.preference_tests import (
    Preference,
    PreferenceSettings,
    estimate_preference,
)
from assay.core.arrays import Floats
from assay.core.errors import UsageError, no_rows
from assay.core.json_rows import json_rows
from assay.core.phrases import quantity
from assay.core.printable import Printable
from assay.statistics.corrections import adjust_p_values
from assay.statistics.intervals.interval_settings import RESAMPLES
from assay.version import VERSION

OUTCOMES = ("credit", "wins")
CANNOT_SEE = (
    "Interleaving compares orders of documents within one list; it cannot see effects of the whole"
    " page, such as speed, layout, snippets or the number of results."
)


@dataclass(frozen=True, repr=False, eq=False)
class InterleavingResult(Printable):
    """Which system users prefer, pair by pair, also within slices."""

    pairs: pl.DataFrame
    """system, baseline, impressions, users, wins, losses, ties, preference, low, high, p,
    p_corrected, p_bootstrap, p_sign."""
    slices: pl.DataFrame
    """The same within each slice; empty if none were requested."""
    conventions: dict[str, Any]
    warnings: tuple[str, ...] = ()

    @property
    def level(self) -> float:
        """The significance level."""
        return round(1 - float(self.conventions["confidence"]), 12)

    def verdicts(self) -> list[str]:
        """Return a sentence for each pair."""
        return [_verdict(row, self.level) for row in self.pairs.iter_rows(named=True)]

    def to_json(self) -> str:
        """Return all tables at full precision."""
        content: dict[str, Any] = {
            "verdicts": self.verdicts(),
            "pairs": json_rows(self.pairs),
            "slices": json_rows(self.slices),
            "conventions": self.conventions,
            "warnings": list(self.warnings),
        }
        return json.dumps(content, indent=1, ensure_ascii=False)


def analyze_lists(
    lists: Any,
    log: Any,
    *,
    user: str = "user",
    click: str = "click",
    impression: str = "impression",
    by: str | Sequence[str] = (),
    outcome: str | None = None,
    confidence: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 1,
) -> InterleavingResult:
    """Return which system users prefer, from the lists that were made and the log of clicks.

    The log has a row for each document that was shown or clicked: ``query``, ``doc``, ``click`` (1
    or 0), and as far as they exist ``list``, ``impression`` and ``user``. ``outcome`` is credit
    (the difference of credits) or wins (only its sign); the default is that of the method. Tests
    take the user as the unit. ``by`` names columns of the log that define slices.
    """
    shown = ShownLists.read(lists)
    compared = outcome or shown.method.outcome
    if compared not in OUTCOMES:
        raise UsageError(f"`outcome={compared}` is not one of {', '.join(OUTCOMES)}")
    if not 0 < confidence < 1:
        raise UsageError(f"`confidence` is {confidence:g}: a number between 0 and 1 is expected")
    columns = [by] if isinstance(by, str) else list(by)
    found = read_log(log, shown, LogColumns(user, click, impression), columns)
    if not found.frame.height:
        raise no_rows("the log")
    settings = PreferenceSettings(confidence, resamples, seed)
    pairs = pl.DataFrame(list(_pair_rows(found, shown.systems, compared, settings)))
    conventions = {
        "assay": VERSION,
        "method": shown.method.name,
        "outcome": compared,
        "systems": list(shown.systems),
        "impressions": found.frame.height,
        "clicks": found.clicks,
        "unit": "user",
        "test": "t over users, with the delta method for impressions per user",
        "correction": "holm",
        "confidence": confidence,
        "resamples": resamples,
        "seed": seed,
    }
    slices = _slice_rows(found, shown.systems, compared, settings, columns)
    return InterleavingResult(correct_pairs(pairs), slices, conventions, found.notes)


def correct_pairs(pairs: pl.DataFrame) -> pl.DataFrame:
    """Return the pairs with p-values corrected by Holm's method."""
    corrected = pl.Series("p_corrected", adjust_p_values(pairs["p"].to_numpy(), "holm"))
    place = pairs.columns.index("p") + 1
    return pairs.clone().insert_column(place, corrected)


def _pair_rows(
    found: CreditLog, systems: tuple[str, ...], compared: str, settings: PreferenceSettings
) -> Iterator[dict[str, Any]]:
    names = found.frame["user"].unique().sort()
    number = pl.DataFrame({"user": names, "n": np.arange(len(names))})
    user = found.frame.join(number, on="user", maintain_order="left")["n"].to_numpy()
    for base, other in combinations(range(len(systems)), 2):
        difference = found.credits[:, other] - found.credits[:, base]
        outcome: Floats = np.sign(_clean(difference)) if compared == "wins" else difference
        tested = estimate_preference(outcome, user, settings)
        yield {"system": systems[other], "baseline": systems[base], **_columns(tested)}


def _clean(difference: Floats) -> Floats:
    """Return differences in which rounding errors are 0."""
    return np.where(np.abs(difference) < 1e-12, 0.0, difference)


def _columns(tested: Preference) -> dict[str, Any]:
    columns = asdict(tested)
    columns["preference"] = columns.pop("value")
    order = ("impressions", "users", "wins", "losses", "ties", "preference", "low", "high")
    return {name: columns[name] for name in (*order, "p", "p_bootstrap", "p_sign")}


def _slice_rows(
    found: CreditLog,
    systems: tuple[str, ...],
    compared: str,
    settings: PreferenceSettings,
    by: Sequence[str],
) -> pl.DataFrame:
    parts = []
    for column in by:
        values = found.frame[column].cast(pl.String).fill_null("(none)")
        for value in values.unique().sort().to_list():
            inside = (values == value).to_numpy()
            part = CreditLog(found.frame.filter(inside), found.credits[inside], 0)
            rows = pl.DataFrame(list(_pair_rows(part, systems, compared, settings)))
            parts.append(rows.insert_column(0, pl.lit(f"{column}={value}").alias("slice")))
    return correct_pairs(pl.concat(parts)) if parts else pl.DataFrame()


def _verdict(row: dict[str, Any], level: float) -> str:
    ends = f"{row['low']:+.4f} to {row['high']:+.4f}"
    seen = f"{quantity(row['impressions'], 'impression')} of {quantity(row['users'], 'user')}"
    numbers = (
        f"{row['preference']:+.4f} per impression, {ends}, p = {row['p_corrected']:.3g}; {seen}"
    )
    if not row["p_corrected"] < level:
        return f"Users do not prefer {row['system']} or {row['baseline']} ({numbers})."
    better = row["system"] if row["preference"] > 0 else row["baseline"]
    worse = row["baseline"] if row["preference"] > 0 else row["system"]
    return f"Users prefer {better} to {worse} ({numbers})."

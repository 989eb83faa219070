"""A comparison as text: for a terminal, a page or another program."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import polars as pl

from assay.engine.result import ALL
from assay.reports.text.comparison_latex import comparison_latex
from assay.reports.text.latex import comment_lines, latex_table
from assay.reports.text.result_text import ResultText, TextTable
from assay.reports.text.score_notes import REMARKS, system_file_notes, very_few_notes, width_notes
from assay.reports.text.table_text import (
    Rows,
    escape_markdown,
    format_p_value,
    number,
    rank_text,
    signed_number,
)
from assay.statistics.intervals.interval_settings import METHODS, RESAMPLING_METHODS, SHIFTED
from assay.tasks.comparison.comparison_result import EFFECTS, Comparison

_PAIR_HEAD = ["difference", "low", "high", "relative", "d", "W/T/L", "p", "corrected"]
_MARGIN_HEAD = ["equivalence", "P(worse)", "P(alike)", "P(better)"]
_PAIR_NAMES = {"slice": "slice", "units": "units", "system": "system", "against": "baseline"}
"""The headings of the columns that name a pair, and where they are found."""
MOST_PAIRS = 15
"""More pairs than these are not listed; the letters show which systems differ."""


def _leaderboard(systems: pl.DataFrame, digits: int) -> Rows:
    ranked = systems["rank_low"].is_not_null().any()
    rows: Rows = [["system", "value", "low", "high", "units", *["ranks"] * ranked, "letters"]]
    for each in systems.iter_rows(named=True):
        numbers = [number(each[name], digits) for name in ("value", "low", "high")]
        ranks = [rank_text(each["rank_low"], each["rank_high"])] * ranked
        rows.append([each["system"], *numbers, str(each["units"]), *ranks, each["letters"]])
    return rows


def _baseline_rows(
    systems: pl.DataFrame,
    pairs: pl.DataFrame,
    baselines: tuple[str, ...],
    digits: int,
    margin: bool,
) -> Rows:
    """Return a row for each baseline, and for each system against each baseline."""
    names = ["against"] if len(baselines) > 1 else []
    (head,) = _pair_rows(pairs.clear(), names, digits, margin)
    rows: Rows = [["system", "value", *head]]
    for system, value in systems.select("system", "value").iter_rows():
        shown = number(value, digits)
        if system in baselines:
            rows.append([f"{system} (baseline)", shown, *[""] * len(head)])
        _, *cells = _pair_rows(pairs.filter(pl.col("system") == system), names, digits, margin)
        rows += [[system, shown, *row] for row in cells]
    return rows


def _pair_rows(pairs: pl.DataFrame, names: list[str], digits: int, margin: bool) -> Rows:
    rows: Rows = [[*names, *_PAIR_HEAD, *(_MARGIN_HEAD if margin else [])]]
    for pair in pairs.iter_rows(named=True):
        tied = "–" if pair["wins"] is None else f"{pair['wins']}/{pair['ties']}/{pair['losses']}"
        row = [
            *(str(pair[_PAIR_NAMES[name]]) for name in names),
            *(signed_number(pair[name], digits) for name in ("difference", "low", "high")),
            "–" if math.isnan(pair["relative"]) else f"{100 * pair['relative']:+.1f} %",
            number(pair["d"], 2),
            tied,
            format_p_value(pair["p"]),
            format_p_value(pair["p_corrected"]) + (" *" if pair["significant"] else "  "),
        ]
        if margin:
            chances = (pair[f"{case}_chance"] for case in ("worse", "alike", "better"))
            row += [format_p_value(pair["equivalence_p"]), *(number(each, 3) for each in chances)]
        rows.append(row)
    return rows


def _readable(wide: pl.DataFrame) -> pl.DataFrame:
    """Return a wide table with d as its only effect size, and p-values as text: none is 0.0000."""
    hidden = tuple(f" {name}" for name in EFFECTS if name != "d")
    wide = wide.select(name for name in wide.columns if not name.endswith(hidden))
    return wide.with_columns(
        pl.Series(name, [None if p is None else format_p_value(p) for p in wide[name]], pl.String)
        for name in wide.columns
        if name.endswith((" p", " p_corrected"))
    )


_OVER_ITEMS = {
    "bootstrap over items": "items resampled, the same for both systems",
    "closed form over items": "how far each item moves the two values (DeLong's, for areas)",
    "jackknife over items": "each item left out in turn",
}
"""The tests of measures of whole tables, in a few words."""


def _test_notes(comparison: Comparison) -> list[str]:
    """Return the names of the tests: the requested one, or its replacement for some measures."""
    made = comparison.conventions
    draws = f", {made['permutations']:,} permutations, seed {made['seed']}" if made["seed"] else ""
    by_test = _measures_by_value(comparison.pairs, "test", "p")
    if not by_test:
        return []
    said = []
    for test, measures in by_test.items():
        name = f"p of {', '.join(measures)}" if len(by_test) > 1 else "p"
        means = _OVER_ITEMS.get(test)
        told = made["test_said"] if means is None else f"{test}: {means}"
        drawn = draws if means is None else ""
        said.append(f"{name}: {told} ({made['alternative']}{drawn})")
    said.append(f"{comparison.correction}; * below {1 - made['confidence']:.3g}")
    if made["correct"] != "built in" and (comparison.pairs["slice"] != ALL).any():
        said.append("within slices, p-values are corrected over all slices together")
    return said


def _interval_notes(
    comparison: Comparison, shown: tuple[pl.DataFrame, pl.DataFrame] | None = None
) -> list[str]:
    """How the intervals of systems and of differences were really made, in each measure."""
    made = comparison.conventions
    asked = made["interval"]
    systems, pairs = shown = shown or _shown_intervals(comparison)
    alone, apart = (_measures_by_value(table, "interval", "low") for table in (systems, pairs))
    ways = [each for each in dict.fromkeys([*alone, *apart]) if each not in REMARKS]
    level = f"{100 * asked['confidence']:g}% interval"
    if made["alternative"] != "two-sided" and len(pairs):
        level += f", one-sided for differences ({made['alternative']})"
    if len(ways) == 1:
        said = [f"[low, high]: {level}, {_interval_method(ways[0], asked)}"]
    else:
        said = [f"[low, high]: {level}"] if ways else []
    for way in ways if len(ways) > 1 else ():
        of_both = [each for each in alone.get(way, ()) if each in apart.get(way, ())]
        of_one = [each for each in alone.get(way, ()) if each not in of_both]
        of_pairs = [f"differences in {each}" for each in apart.get(way, ()) if each not in of_both]
        about = ", ".join([*of_both, *of_one, *of_pairs])
        said.append(f"[low, high] of {about}: {_interval_method(way, asked)}")
    said += _width_notes(comparison, shown)
    if apart and made["correct"] not in ("none", "built in"):
        said.append("the interval of a difference belongs to p, before the correction")
    return said


def _shown_intervals(comparison: Comparison) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return the systems and the pairs whose intervals the tables show."""
    systems, pairs = comparison.systems, comparison.pairs
    measures = systems["measure"].n_unique()
    if comparison.baselines:
        return systems.clear(), pairs
    whole = pairs.filter(pl.col("slice") == ALL)
    return systems, pairs.clear() if len(whole) > measures * MOST_PAIRS else pairs


def _width_notes(comparison: Comparison, shown: tuple[pl.DataFrame, pl.DataFrame]) -> list[str]:
    """Return the notes on unusual intervals of the systems and of their differences."""
    systems = comparison.systems["system"].n_unique()
    apart = pl.format("{} − {}", "system", "baseline")
    tables = ((shown[0], pl.col("system")), (shown[1], apart))
    counts = comparison.systems.select("measure", "units").iter_rows()
    return [
        *very_few_notes((measure, units, "unit") for measure, units in counts),
        *(
            note
            for table, who in tables
            for note in width_notes(table.select("measure", who, "interval").iter_rows(), systems)
        ),
    ]


def _interval_method(way: str, asked: Mapping[str, Any]) -> str:
    """How an interval was made, in words; with the draws, where there were any."""
    told = METHODS.get(way, way).partition("; else")[0]
    if way not in (*RESAMPLING_METHODS, SHIFTED):
        return told
    over = " over clusters" if asked["method"].endswith(" over clusters") else ""
    return f"{told}{over}, {asked['resamples']} resamples, seed {asked['seed']}"


def _measures_by_value(table: pl.DataFrame, column: str, known: str) -> dict[str, list[str]]:
    """The measures whose rows have each entry of a column, where something is known."""
    found: dict[str, list[str]] = {}
    rows = table.filter(pl.col(known).is_not_nan() & (pl.col(column) != ""))
    for entry, measure in rows.select(column, "measure").unique(maintain_order=True).iter_rows():
        found.setdefault(entry, []).append(measure)
    return found


def _letter_notes(comparison: Comparison) -> list[str]:
    """Return what letters say, and the joint tests."""
    notes: list[str] = []
    if (comparison.systems["letters"] != "").any():
        notes.append("letters: systems that share a letter do not differ significantly")
    for row in comparison.joint.iter_rows(named=True):
        found = f"{row['test']} = {row['statistic']:.4g}, p = {format_p_value(row['p'])}"
        notes.append(f"{row['measure']}: {found}")
    return notes


class ComparisonText(ResultText):
    """A comparison in all output formats."""

    result: Comparison
    layouts = True
    interval_formats = ("latex",)
    wrapped = True

    def frames(self) -> dict[str, pl.DataFrame]:
        """Return all pairs with all their facts."""
        return {"pairs": self.result.pairs}

    def all_frames(self) -> dict[str, pl.DataFrame]:
        """Return the pairs, and the value of each system."""
        return {**self.frames(), "systems": self.result.systems}

    def tables(self) -> list[TextTable]:
        """Return the tables of each measure; or, wide, one table with columns for each measure."""
        comparison, digits = self.result, self.layout.digits
        if self.layout.wide:
            return [self._text_table(_readable(comparison.to_polars(wide=True)))]
        tables: list[TextTable] = []
        margin = comparison.conventions["margin"] is not None
        for (measure,), systems in comparison.systems.group_by("measure", maintain_order=True):
            pairs = comparison.pairs.filter(pl.col("measure") == measure)
            whole = pairs.filter(pl.col("slice") == ALL)
            title = f"{measure} ({systems['better'][0]} is better)"
            if comparison.baselines:
                rows = _baseline_rows(systems, whole, comparison.baselines, digits, margin)
                several = len(comparison.baselines) > 1
                columns = "lrl".ljust(len(rows[0]), "r") if several else ""
                tables.append(TextTable(rows, title, 3 if several else 1, columns))
            else:
                tables.append(TextTable(_leaderboard(systems, digits), title))
                if len(whole) <= MOST_PAIRS:
                    rows = _pair_rows(whole, ["system", "against"], digits, margin)
                    tables.append(TextTable(rows, f"{measure}: pairs", 2))
            within = pairs.filter(pl.col("slice") != ALL)
            if len(within) and len(whole) <= MOST_PAIRS:
                rows = _pair_rows(within, list(_PAIR_NAMES), digits, margin)
                tables.append(TextTable(rows, f"{measure}: slices", 4))
        return tables

    def notes(self) -> list[str]:
        """Return how the numbers were computed."""
        comparison, conventions = self.result, self.result.conventions
        notes = system_file_notes(conventions["scores"]) + _test_notes(comparison)
        notes += _interval_notes(comparison)
        if comparison.pairs["wins"].is_not_null().any():
            tied = "" if self.layout.wide else "; W/T/L: units won, tied, lost"
            notes.append(f"d: Cohen's d of the paired differences{tied}")
        if conventions["margin"] is not None:
            notes.append(
                f"equivalence: p of two one-sided tests against ±{conventions['margin']:g}; P(…):"
                " chance, given the data, that the true value is worse, within, or better than that"
                " margin"
            )
        if not comparison.baselines and comparison.systems["rank_low"].is_not_null().any():
            notes.append("ranks: interval of the rank over resampled units, at the same level")
        return notes + _letter_notes(comparison)

    def markdown(self) -> str:
        """Return Markdown tables, with the notes as a list."""
        notes = (f"- {escape_markdown(each)}" for each in self.notes())
        return "\n".join([super().markdown(), "", *notes])

    def latex(self) -> str:
        """Return a row for each system, with letters or marks for significant differences.

        As a long or wide table it has the pairs instead, with their intervals and p-values.
        """
        if self.layout.wide is None:
            return comparison_latex(self.result, self.layout, self._system_notes())
        tables = (
            "\n".join([*comment_lines([each.title]), latex_table(each.rows, each.alignment)])
            for each in self.tables()
        )
        return "\n".join([*comment_lines(self.notes()), "\n\n".join(tables)])

    def _system_notes(self) -> list[str]:
        """Return the notes on a table of systems alone, without their differences."""
        comparison = self.result
        notes = system_file_notes(comparison.conventions["scores"]) + _test_notes(comparison)
        if self.layout.intervals:
            notes += _interval_notes(comparison, (comparison.systems, comparison.pairs.clear()))
        return notes + _letter_notes(comparison)

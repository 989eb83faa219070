"""Scores: the one result type, whatever was evaluated and however."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from assay.core.errors import DataError, UsageError, did_you_mean
from assay.core.frozen_dataclass import asdict, dataclass, field, replace
from assay.core.json_rows import json_rows
from assay.core.names import Measure, listed_measures, measure_texts
from assay.core.names import measure as measure_named
from assay.core.output_files import write_bytes
from assay.core.printable import Printable, logger_name
from assay.engine.measured_names import find_measured
from assay.engine.origin_tables import origin_matrices, origin_table
from assay.engine.result import ALL, Result

NUMBERED_ITEMS_ERROR = "numbered_apart"
"""The convention of Scores whose items are known by their row numbers in different inputs."""
ORIGINS = ("inputs", "sources")
"""The conventions that say where the inputs came from."""
SAMPLING = "sampling"
"""The convention under which Scores keep the intervals that the draw of documents gives."""
SUMMARY_COLUMNS = {
    **dict.fromkeys(("system", "slice", "measure"), pl.String),
    "value": pl.Float64,
    **dict.fromkeys(("aggregate", "unit"), pl.String),
    **dict.fromkeys(("units", "undefined"), pl.Int64),
    "reasons": pl.String,
    **dict.fromkeys(("low", "high"), pl.Float64),
    "interval": pl.String,
}
PER_UNIT_COLUMNS = {
    **dict.fromkeys(("system", "slice", "unit", "measure"), pl.String),
    "value": pl.Float64,
    "reason": pl.String,
}
"""The columns of the two tables, which also a table without rows has."""


@dataclass(frozen=True, repr=False, eq=False)
class Scores(Printable):
    """What was measured, unit by unit and in summary, with the conventions behind it."""

    task: str
    results: tuple[Result, ...]
    conventions: dict[str, Any]
    warnings: tuple[str, ...] = ()
    evidence: Mapping[str, Callable[[], Mapping[Any, Callable[[], Any]]]] = field(
        default_factory=dict, compare=False, repr=False
    )
    """For each system what finds the items behind its tables, by the kind of view; not saved."""
    origin: Any = field(default=None, compare=False, repr=False)
    """The evidence of the task, from which figures and pages are made; not saved."""
    formulas: Mapping[str, Measure] = field(default_factory=dict, compare=False, repr=False)
    """The measures that were computed, by name; not saved."""
    systems: tuple[str, ...] = field(init=False, compare=False)
    """The systems, in the order in which they were given."""
    measures: tuple[str, ...] = field(init=False, compare=False)
    """The measures, in the order in which they were asked for."""
    slices: tuple[str, ...] = field(init=False, compare=False)
    """The slices beside the whole, in the order in which they were measured."""

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "evidence": {}, "origin": None, "formulas": {}}

    def __eq__(self, other: object) -> bool:
        """Return whether the same was measured in the same way, with the same results.

        Neither the order of systems and measures matters, nor where the inputs came from: their
        names, digests and warnings, which name them and follow from what is compared.
        """
        if not isinstance(other, Scores):
            return NotImplemented
        same = self.task == other.task and set(self.results) == set(other.results)
        return same and _settings_text(self) == _settings_text(other)

    def __hash__(self) -> int:
        return hash((self.task, frozenset(self.results)))

    def __post_init__(self) -> None:
        names = {
            "systems": dict.fromkeys(each.system for each in self.results),
            "measures": dict.fromkeys(each.measure for each in self.results),
            "slices": dict.fromkeys(each.slice for each in self.results if each.slice != ALL),
        }
        self.__dict__.update({name: tuple(found) for name, found in names.items()})
        keys = [(each.system, each.slice, each.measure) for each in self.results]
        if len(set(keys)) < len(keys):
            system, part, name = next(key for key in keys if keys.count(key) > 1)
            raise DataError(
                f"{system} has two results of {name} on the slice {part}; give each system,"
                " each slice and each measure a name of its own"
            )

    def __getitem__(self, measure: Any) -> dict[str, float]:
        """Return the summary value of a measure for each system."""
        if isinstance(measure, tuple | int):
            raise UsageError(f'the key is a measure, such as scores["{self.measures[0]}"]')
        return {each.system: each.value for each in self.of(measure)}

    def __iter__(self) -> Iterator[str]:
        """Yield the names of the measures, as a dict of measure to values does."""
        return iter(self.measures)

    def keys(self) -> tuple[str, ...]:
        """Return the names of the measures, so that ``dict(scores)`` has the values by measure."""
        return self.measures

    def of(self, measure: str, slice: str = ALL) -> list[Result]:
        """Return the results of one measure, a system each; any way of writing its name will do."""
        name = self.find_measure(measure)
        found = [each for each in self.results if (each.measure, each.slice) == (name, slice)]
        if not found:
            known = dict.fromkeys(each.slice for each in self.results if each.measure == name)
            raise UsageError(
                f"{name} was not measured on a slice '{slice}'; there are {', '.join(known)}."
                + did_you_mean(slice, known)
            )
        return found

    def best_first(self, measure: str) -> list[Result]:
        """Return the results of one measure, best first, undefined ones last."""
        found = self.of(measure)
        sign = 1 if found[0].better == "lower" else -1
        return sorted(found, key=lambda one: (math.isnan(one.value), sign * one.value, one.system))

    def find_measure(self, name: Any) -> str:
        """Return the name of a measure as the scores have it, from any way of writing it."""
        known = self.measures
        return name if name in known else find_measured(name, known, self.task, self.conventions)

    def find_measures(self, asked: Any) -> tuple[str, ...]:
        """Return the names of the requested measures as the scores have them; all by default."""
        if asked is None:
            return self.measures
        if isinstance(asked, str) and asked in self.measures:
            return (asked,)  # A column of a table may have a name of several words.
        if isinstance(asked, Scores):
            raise UsageError(
                "these are scores, but measures are expected here; give several scores as a list or"
                ' a dict: assay.compare({"old": scores, "new": others})'
            )
        if not (names := measure_texts(asked)):
            raise UsageError(f"no measure is named; there are {', '.join(self.measures)}")
        return tuple(dict.fromkeys(map(self.find_measure, names)))

    def formula(self, name: str) -> Measure:
        """Return a measure that the scores have, by its name."""
        return self.formulas.get(name) or measure_named(name, self.task)

    def summary(self) -> pl.DataFrame:
        """Return one row for each system, slice and measure."""
        return pl.DataFrame([each.summary() for each in self.results], schema=SUMMARY_COLUMNS)

    def per_unit(self, measures: Any = None, *, wide: bool = False) -> pl.DataFrame:
        """Return a row for each system, slice, unit and measure, or only of some ``measures``.

        ``wide`` has a row for each system, slice and unit, and a column for each measure.
        """
        if isinstance(measures, bool):
            raise UsageError("write per_unit(wide=True): the first argument has measures")
        listed = self.measures if measures is None else listed_measures(measures)
        names = [*map(self.find_measure, listed)]
        parts = [
            pl.DataFrame(
                {
                    "system": pl.repeat(each.system, len(each.units), eager=True),
                    "slice": pl.repeat(each.slice, len(each.units), eager=True),
                    "unit": pl.Series(list(each.units), dtype=pl.String),
                    "measure": pl.repeat(each.measure, len(each.units), eager=True),
                    "value": each.values,
                    "reason": pl.Series(list(each.reasons), dtype=pl.String),
                }
            )
            for each in (result.listed for result in self.results if result.measure in names)
        ]
        rows = pl.concat([pl.DataFrame(schema=PER_UNIT_COLUMNS), *parts])
        kinds = {each.measure: each.unit_kind for each in self.results}
        if wide and len({*kinds.values()}) > 1:  # The class 1 is not the item 1.
            kind = pl.col("measure").replace_strict(kinds, return_dtype=pl.String)
            return self._widen(rows.with_columns(kind=kind), "kind", "unit")
        return self._widen(rows, "unit") if wide else rows

    def _widen(self, rows: pl.DataFrame, *names: str) -> pl.DataFrame:
        """Return rows with a column for each measure; the slice is named where there are some."""
        index = ["system", *["slice"] * bool(self.slices), *names]
        return rows.pivot("measure", index=index, values="value", maintain_order=True)

    def per_class(self) -> pl.DataFrame:
        """Return PPV (precision), TPR (recall), F and the support of each class, by system.

        Sets of labels have these for each label; with scores of labels, AUC and AP too. Spans have
        them for each type, of exact matches.
        """
        return origin_table(self.origin, "per_class")

    def confusion(self) -> dict[str, Any]:
        """Return the confusion matrix of each classifier, by system."""
        return origin_matrices(self.origin)

    def between_assessors(self, measure: Any = "kappa", system: str | None = None) -> pl.DataFrame:
        """Return who agrees with whom: a row and a column for each assessor.

        The cells have the value of a measure of pairs. It is null of assessors with themselves, and
        NaN where it is undefined. Of several groups of assessors, ``system`` names one.
        """
        return origin_table(self.origin, "between_assessors", measure, system)

    def per_query(self, measures: Any = None, *, wide: bool = False) -> pl.DataFrame:
        """Return the table per unit, in the words of retrieval."""
        return self.per_unit(measures, wide=wide).rename({"unit": "query"})

    def to_polars(self, table: str | None = None, *, wide: bool = False) -> pl.DataFrame:
        """Return the summary as a Polars frame: a row for each system, slice and measure.

        ``wide`` has a column for each measure; ``table`` names another table (see ``frames``).
        """
        if table == "per_unit":
            return self.per_unit(wide=wide)
        if table not in (None, "scores"):
            return super().to_polars(table, wide=wide)
        return self._widen(self.summary()) if wide else self.summary()

    def to_dict(self, exact: bool = False) -> dict[str, float]:
        """Return the values by name, flat, for MLflow and other loggers.

        Several systems and slices come before the measure, as in ``bm25/nDCG_at_10``. Names have
        only characters that loggers take; ``exact`` keeps the names of the measures. Undefined
        values are left out.
        """
        found: dict[str, float] = {}
        for each in self.results:
            if math.isnan(each.value):
                continue
            words = [each.system] * (len(self.systems) > 1) + [each.slice] * (each.slice != ALL)
            name = "/".join([*words, each.measure])
            found[name if exact else logger_name(name)] = float(each.value)
        return found

    def to_json(self) -> str:
        """Everything, at full precision; an undefined value is null and has a reason.

        JSON has no infinity: that is a word.
        """
        content = {
            "task": self.task,
            "summary": json_rows(self.summary()),
            "per_unit": json_rows(self.per_unit()),
            "conventions": self.conventions,
            "warnings": list(self.warnings),
        }
        return json.dumps(content, indent=1, ensure_ascii=False)

    def save(self, path: str | Path) -> None:
        """Keep everything in one Parquet file; ``assay.load`` reads it back."""
        from assay.engine.saved_scores import encode_scores, refuse_inputs, refuse_other_endings

        refuse_inputs(path, [str(each) for each in self.conventions.get("inputs", {}).values()])
        heads = [
            asdict(replace(each, values=np.empty(0), units=(), reasons=())) | {"values": []}
            for each in self.results
        ]
        content = {
            "task": self.task,
            "results": heads,
            "conventions": self.conventions,
            "warnings": list(self.warnings),
        }
        refuse_other_endings(path)
        write_bytes(path, encode_scores(content, self.per_unit()))

    @classmethod
    def load(cls, path: str | Path) -> Scores:
        """Return scores that were saved; a damaged or foreign file is refused."""
        from assay.engine.saved_scores import read_scores, restore_results

        content, rows = read_scores(path, PER_UNIT_COLUMNS, Result)
        return cls(
            task=content["task"],
            results=tuple(restore_results(content["results"], rows)),
            conventions=content["conventions"],
            warnings=tuple(content["warnings"]),
        )


def _settings_text(scores: Scores) -> str:
    """Return the conventions without the origin of the inputs, as one text."""
    own = {key: each for key, each in scores.conventions.items() if key not in ORIGINS}
    return json.dumps(own, sort_keys=True)

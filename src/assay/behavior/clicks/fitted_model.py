"""A fitted click model: its values with standard errors, and the file it is kept in."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from assay.behavior.clicks.click_lists import ClickLists
from assay.behavior.clicks.model_structure import (
    ClickModelStructure,
    ModelValue,
    find_structure,
)
from assay.core.arrays import Floats, Ints
from assay.core.errors import AssayError, FormatError, UsageError
from assay.core.json_rows import json_rows
from assay.core.output_files import write_text
from assay.core.printable import Printable
from assay.core.tables import Judgments, Source
from assay.formats.input_files import Input
from assay.formats.json_text import read_json_text
from assay.version import VERSION

KIND = "click model"
PAIR_COLUMNS = ("query", "doc", "impressions", "clicks", "ranks", "coec")


@dataclass(frozen=True, eq=False, repr=False)
class ClickModel(Printable):
    """A click model with its parameters."""

    name: str
    shared: pl.DataFrame
    """parameter, rank, last_click, value, se, note of parameters that no document has."""
    pairs: pl.DataFrame
    """query, doc, impressions, clicks, ranks, coec, and each parameter with _se and _note."""
    fit: Mapping[str, Any] = field(default_factory=dict)
    """How it was fitted: lists, log_likelihood, iterations, converged, prior, starts …"""
    notes: tuple[str, ...] = ()

    @property
    def structure(self) -> ClickModelStructure:
        """What the model assumes."""
        return find_structure(self.name)

    @property
    def stopping(self) -> Judgments:
        """The probability that each document satisfies, as the grades of judgments."""
        names = self.structure.relevance
        if not names:
            raise UsageError(f"the {self.structure.label} has no parameter of documents")
        chance = np.prod([self.value(name) for name in names], axis=0)
        frame = self.pairs.select("query", "doc").with_columns(grade=pl.Series(chance))
        return Judgments.of(frame, Source(f"the click model {self.name}"))

    def value(self, parameter: str) -> Floats:
        """Return the values of a parameter: by pair in the order of ``pairs``, by rank, or one."""
        if parameter in self.pairs.columns:
            return self.pairs[parameter].to_numpy().astype(np.float64)
        rows = self.shared.filter(pl.col("parameter") == parameter)
        return rows["value"].to_numpy().astype(np.float64)

    def values_for(self, lists: ClickLists) -> dict[str, Floats]:
        """Return the values for the pairs of other lists; those of unknown pairs are the mean."""
        place = self.places(lists)
        known = place >= 0
        values = {}
        weight = self.pairs["impressions"].to_numpy().astype(np.float64)
        for each in self.structure.parameters:
            own = self.value(each.name)
            if each.index != "pair":
                values[each.name] = own
                continue
            mean = float(np.average(own, weights=weight)) if weight.sum() else 0.5
            values[each.name] = np.where(known, own[np.maximum(place, 0)], mean)
        return values

    def places(self, lists: ClickLists) -> Ints:
        """Return the place of each pair of the lists among those of the model; −1 if unknown."""
        own = self.pairs.select("query", "doc").with_row_index("place")
        joined = lists.pairs.join(own, on=["query", "doc"], how="left", maintain_order="left")
        return joined["place"].cast(pl.Int64).fill_null(-1).to_numpy()

    def to_json(self) -> str:
        """Return everything as JSON."""
        content = {
            "kind": KIND,
            "assay": VERSION,
            "model": self.name,
            "fit": dict(self.fit),
            "notes": list(self.notes),
            "parameters": json_rows(self.shared),
            "pairs": {name: _plain(self.pairs[name]) for name in self.pairs.columns},
        }
        return json.dumps(
            content, ensure_ascii=False, indent=1 if self.pairs.height < 100 else None
        )

    def save(self, path: str | Path) -> None:
        """Write the model as JSON."""
        write_text(path, self.to_json(), "\n")

    @classmethod
    def load(cls, path: str | Path) -> ClickModel:
        """Read a model that was saved."""
        file = Input(path)
        try:
            content = json.loads(read_json_text(file))
        except ValueError as failure:
            raise FormatError(f"this is not a click model: {failure}", file.name) from None
        if not isinstance(content, dict) or content.get("kind") != KIND:
            hint = "write one with assay clicks fit LOG -o model.json"
            raise FormatError(f"this is not a click model; {hint}", file.name)
        try:
            model = cls(
                str(content["model"]),
                shared_frame(content["parameters"]),
                pl.DataFrame(content["pairs"], schema_overrides=_PAIR_TYPES),
                content["fit"],
                tuple(content["notes"]),
            )
            _check_model(model)
        except AssayError:
            raise
        except (KeyError, TypeError, ValueError, pl.exceptions.PolarsError) as failure:
            raise FormatError(f"this click model is damaged: {failure}", file.name) from failure
        return model


_PAIR_TYPES = {"query": pl.String, "doc": pl.String, "impressions": pl.Float64, "ranks": pl.Int64}


def shared_frame(rows: list[dict[str, Any]]) -> pl.DataFrame:
    """Return the table of shared parameters."""
    schema = {
        "parameter": pl.String,
        "rank": pl.Int64,
        "last_click": pl.Int64,
        "value": pl.Float64,
        "se": pl.Float64,
        "note": pl.String,
    }
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    return frame.with_columns(pl.col("value", "se").fill_null(float("nan")))


def shared_rows(
    parameter: ModelValue, values: Floats, errors: Floats, notes: list[str]
) -> list[dict[str, Any]]:
    """Return the rows of a parameter that no document has."""
    depth = round(len(values) ** 0.5) if parameter.index == "cell" else len(values)
    rows = []
    for place, (value, error, note) in enumerate(zip(values, errors, notes, strict=True)):
        rank: int | None = None
        last: int | None = None
        if parameter.index == "rank":
            rank = place + 1
        elif parameter.index == "cell":
            rank, last = place // depth + 1, place % depth
        row = {"parameter": parameter.name, "rank": rank, "last_click": last}
        rows.append(row | {"value": float(value), "se": float(error), "note": note})
    return rows


def _check_model(model: ClickModel) -> None:
    names = [each.name for each in model.structure.parameters if each.index == "pair"]
    for name in (*PAIR_COLUMNS[:4], *names):
        if name not in model.pairs.columns:
            raise KeyError(f"the pairs have no column {name}")
    for name in names:
        values = model.value(name)
        if f"{name}_se" in model.pairs.columns:
            model.value(f"{name}_se")
        if not ((values >= 0) & (values <= 1)).all():
            raise ValueError(f"the {name} is not a probability")


def _plain(column: pl.Series) -> list[Any]:
    if column.dtype.is_float():
        return [None if value != value else value for value in column.to_list()]
    return column.to_list()

"""Values by query as a Spark frame, which stays on the cluster or goes to Parquet."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.core.errors import DataError
from assay.core.names import measures as measures_named
from assay.core.phrases import quantity
from assay.engine.formula_values import MeasuredQueries
from assay.engine.local import measure_view
from assay.engine.spark.packed_values import PackedValues

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True)
class QueryTable:
    """Turns what executors return into rows of run, query and one column for each measure."""

    measures: tuple[str, ...]
    no_relevant: str
    refuses_bad_rows: bool = True
    """Whether rows without a query, a document or a score are an error."""

    @property
    def schema(self) -> str:
        """The columns for Spark."""
        values = [f"`{name}` double" for name in self.measures]
        return ", ".join(["run string", "query string", *values])

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield the rows of each batch."""
        for batch in batches:
            for state in batch.to_pylist():
                notes = json.loads(state["notes"])
                self._check(notes)
                if state["queries"]:
                    yield self._rows(state, notes)

    def _check(self, notes: dict[str, Any]) -> None:
        if "failure" in notes:
            raise DataError(notes["failure"])
        if self.refuses_bad_rows and notes.get("bad"):
            raise DataError(
                f"the runs: {quantity(notes['bad'], 'row')} of a part without a query, a document"
                " or a number as score; fix them, or leave them out with"
                ' SparkSettings(bad_rows="drop") or --bad-rows drop'
            )

    def _rows(self, state: dict[str, Any], notes: dict[str, Any]) -> pa.RecordBatch:
        import pyarrow as pa

        queries = tuple(state["queries"])
        parsed = measures_named(list(self.measures), "retrieval")
        found = PackedValues.of_state(parsed, notes, state["values"], state["flags"])
        view = MeasuredQueries(queries, found, np.frombuffer(state["missing"], dtype=bool))
        values = [measure_view(view, each, self.no_relevant).values for each in parsed]
        columns = [pa.array([state["run"]] * len(queries)), pa.array(queries)]
        columns += [pa.array(each) for each in values]
        return pa.RecordBatch.from_arrays(columns, names=["run", "query", *self.measures])

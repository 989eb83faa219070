"""Which files are tables with named columns."""

from __future__ import annotations

from pathlib import Path

from assay.core.errors import AssayError
from assay.formats.input_files import WORKBOOK_ENDINGS
from assay.formats.system_names import file_endings

TABLE_ENDINGS = (".csv", ".tsv", ".tab", ".parquet", ".pq", ".feather", ".arrow", *WORKBOOK_ENDINGS)
JSON_ENDINGS = (".json", ".jsonl", ".ndjson")


def is_table_file(path: str | Path) -> bool:
    """Return whether a file is a table, of scores or a leaderboard; otherwise it is a run."""
    ending = "".join(file_endings(path)[-1:])
    return ending in TABLE_ENDINGS or (ending in JSON_ENDINGS and _holds_no_ranking(path))


def _holds_no_ranking(path: str | Path) -> bool:
    from assay.formats.containers import read_table
    from assay.formats.table_columns import ranks_documents

    try:
        return not ranks_documents(read_table(path)[0].columns)
    except AssayError:
        return False

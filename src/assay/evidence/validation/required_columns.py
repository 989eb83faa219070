"""What a view needs of judgments beside grades: a column, and something in each row of it."""

from __future__ import annotations

from assay.core.errors import AlignmentError
from assay.core.tables import Judgments

SECOND_COLUMN_HINT = "as the second column of TREC qrels, or in a column 'subtopic'"
"""Where a judgment says of what or by whom it is."""


def require_columns(judgments: Judgments, *columns: str, need: str, mend: str) -> None:
    """Complain about judgments that have none of these columns, with the first of them."""
    if not len(judgments) or any(name in judgments.frame.columns for name in columns):
        return
    raise AlignmentError(
        f"{judgments.source.place(0)}: the judgments of query {judgments.frame['query'][0]} and all"
        f" others have no {' or '.join(columns)}; {need} ({mend}). Measures such as nDCG@10 need"
        " none"
    )

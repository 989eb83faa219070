"""Results that were saved: scores, and every other result that has ``save``."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from assay.core.errors import UsageError
from assay.core.saved_results import load_result
from assay.engine.scores import Scores
from assay.formats.input_files import Input


def load(path: str | Path) -> Any:
    """Return scores or another result from the file that its ``save`` wrote.

    A damaged or foreign file is refused.
    """
    if not isinstance(path, str | os.PathLike):
        raise UsageError(
            f"`path` is the file that save wrote, not a {type(path).__name__}; a table of scores"
            " is read by assay.read_score_table"
        )
    content = Input(path).content()
    if content.lstrip()[:1] != b"{":
        return Scores.load(path)
    return load_result(content.decode("utf-8", "replace"), path)

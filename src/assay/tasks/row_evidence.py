"""Evidence of tasks over rows with lists: what their systems share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from assay.engine.scores import ALL
from assay.evidence.views.view import View
from assay.tasks.evidence import MemberEvidence, Views

RowView = TypeVar("RowView", bound=View)


@dataclass(frozen=True)
class RowEvidence(MemberEvidence[RowView]):
    """The systems of a task over rows, each with the one view that it allows."""

    sources: Mapping[str, str] = field(default_factory=dict)
    """The file of each system, where each has a file of its own."""

    def views(self, system: str, slice_name: str = ALL) -> Views:
        """Return the view of a system."""
        view = self.members[system]
        return {type(view): lambda: view}

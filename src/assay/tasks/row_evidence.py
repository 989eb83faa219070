"""Evidence of tasks over rows: one view of each system, and one of each of its slices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from assay.engine.result import ALL
from assay.evidence.views.view import View
from assay.evidence.views.weighted_items import WeightedItems
from assay.tasks.evidence import Views
from assay.tasks.table_evidence import MemberEvidence

RowView = TypeVar("RowView", bound=View)


@dataclass(frozen=True)
class RowEvidence(MemberEvidence[RowView]):
    """The systems of a task over rows, each with the one view that it allows."""

    parts: Mapping[str, Mapping[str, WeightedItems]] = field(default_factory=dict)
    """For each system the view of each slice."""

    def slices(self, system: str) -> tuple[str, ...]:
        """Return the names of the slices."""
        return tuple(self.parts.get(system, ()))

    def views(self, system: str, slice_name: str = ALL) -> Views:
        """Return the view of a system, or of one of its slices."""
        view: View = self.members[system]
        if slice_name != ALL:
            view = self.parts[system][slice_name]
        return {type(view): lambda: view}

    def slice_sizes(self) -> dict[str, dict[str, int]]:
        """Return the convention on the items of each slice; nothing without slices."""
        own = next(iter(self.parts.values()), {})
        sizes = {name: view.weight.shape[1] for name, view in own.items()}
        return {"slices": sizes} if sizes else {}

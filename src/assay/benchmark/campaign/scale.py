"""The scale of a campaign: its grades, what they are called, and from which on they count."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from assay.core.errors import UsageError

DEFAULT = "0=not relevant,1=relevant,2=highly relevant"


@dataclass(frozen=True)
class Scale:
    """Grades with their labels; those from ``relevant`` on count as relevant."""

    labels: Mapping[int, str]
    relevant: int = 1

    def __post_init__(self) -> None:
        if len(self.labels) < 2:
            raise UsageError("a scale has two or more grades, such as '0=not relevant,1=relevant'")
        if not min(self.labels) < self.relevant <= max(self.labels):
            raise UsageError(
                f"grades from {self.relevant} on count as relevant, but the scale goes from"
                f" {min(self.labels)} to {max(self.labels)}; name a grade above the lowest"
            )

    @classmethod
    def parse(cls, text: str, relevant: int = 1) -> Scale:
        """Read a scale such as ``0=not relevant,1=relevant``."""
        labels: dict[int, str] = {}
        for part in text.split(","):
            grade, _, label = (each.strip() for each in part.partition("="))
            try:
                number = int(grade)
            except ValueError:
                raise UsageError(
                    f"'{part.strip()}' is not a grade with its label, such as '1=relevant'"
                ) from None
            if number in labels:
                raise UsageError(f"the scale has the grade {number} twice")
            labels[number] = label or grade
        return cls(dict(sorted(labels.items())), relevant)

    def check(self, grade: int, where: str = "") -> int:
        """Return a grade of the scale; refuse another number."""
        if grade in self.labels:
            return grade
        known = ", ".join(f"{each} ({label})" for each, label in self.labels.items())
        raise UsageError(f"{where}{where and ': '}{grade} is not a grade of the scale: {known}")

    def to_json(self) -> dict[str, Any]:
        """Return the scale as it is stored."""
        return {
            "labels": {str(key): label for key, label in self.labels.items()},
            "relevant": self.relevant,
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Scale:
        """Return a stored scale."""
        labels = {int(key): str(label) for key, label in stored["labels"].items()}
        return cls(labels, int(stored["relevant"]))

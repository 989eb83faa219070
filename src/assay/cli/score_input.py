"""Where the scores of a command come from: a task and its inputs, or files of scores."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from assay.cli.file_kinds import is_table
from assay.cli.output import parse_names

if TYPE_CHECKING:
    from assay.engine.scores import Scores


@dataclass(frozen=True)
class ScoreSource:
    """Where the scores come from."""

    measures: tuple[str, ...]
    make: Callable[[Sequence[str] | None], Scores]
    """The scores of the inputs; or of other systems in the place of those given."""
    given: tuple[str, ...] = ()
    """The files of the systems."""
    several: bool = field(default=True)
    """Whether other systems can take the place of those given."""
    saved: bool = False
    """Whether the files given are of scores, so that a baseline's own file is one, too."""

    def read_with_baselines(self, *baselines: str | None) -> tuple[Scores, list[str]]:
        """The scores of all systems, and the names of the baselines among them.

        A baseline that is a file of its own is evaluated too.
        """
        from assay.tasks.scores.merge_scores import merge_scores

        found = self.make(None)
        named = list(
            {
                _baseline_identity(each, found): each for each in baselines if each is not None
            }.values()
        )
        apart = {each: self.make([each]) for each in named if self._is_separate_file(each, found)}
        if not apart:
            return found, named
        whole = merge_scores([found, *apart.values()])
        # Systems keep their order, but those of the same name are called otherwise now.
        places = iter(whole.systems[len(found.systems) :])
        called = {each: [next(places) for _ in own.systems] for each, own in apart.items()}
        return whole, [name for each in named for name in called.get(each, [each])]

    def _is_separate_file(self, baseline: str, found: Scores) -> bool:
        """Whether a baseline is a file of its own, not one that the scores came from."""
        known = (*self.given, *(found.conventions.get("sources") or {}).values())
        return (
            self.several
            and baseline not in found.systems
            and Path(baseline).is_file()
            and Path(baseline).resolve() not in {Path(each).resolve() for each in known}
            and (not self.saved or is_table(baseline))
        )


def _baseline_identity(baseline: str, found: Scores) -> str | Path:
    """What tells that two baselines are the same: their name, or the place of their file."""
    return baseline if baseline in found.systems else Path(baseline).resolve()


def select_measure_names(source: ScoreSource) -> list[str] | None:
    """The measures to look at: all that the scores have, unless some are named."""
    return parse_names(source.measures)

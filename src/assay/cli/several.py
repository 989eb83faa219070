"""Several systems for a task whose own command takes one: several files, or columns of one file.

``assay compare classification a.csv b.csv`` and ``assay compare classification all.csv --predicted
a --predicted b`` evaluate each, and name it by what tells it from the others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from assay.engine.scores import Scores

ANSWERS = ("predicted", "score", "probabilities", "density")
"""Options that name the columns of one system's answers; repeated, there are several systems."""


@dataclass(frozen=True)
class Several:
    """The parameters of a task, of which one names its files."""

    params: tuple[click.Parameter, ...]
    files: str | None
    """The argument of the systems' files, of which there may be many; None where there is none."""
    each: bool = False
    """Whether the task's own command takes one of them at a time."""

    @classmethod
    def of(cls, params: Sequence[click.Parameter]) -> Several:
        """The parameters with room for several systems."""
        arguments = [p for p in params if isinstance(p, click.Argument)]
        many = [p for p in arguments if p.nargs == -1]
        if many or not arguments:
            return cls(tuple(params), str(many[0].name) if many else None)
        one = arguments[-1]
        return cls(tuple(_repeated(p, one) for p in params), str(one.name), each=True)

    def scores(
        self, inputs: dict[str, Any], evaluate: Callable[[dict[str, Any]], Scores]
    ) -> Scores:
        """The scores of all systems."""
        if not self.each or self.files is None:
            return evaluate(inputs)
        from assay.formats.system_names import unique_names
        from assay.tasks.scores.merge_scores import merge_scores
        from assay.tasks.several import columns_of_systems, title

        none = {name: None for name in ANSWERS if name in inputs}
        answers = columns_of_systems({name: inputs[name] for name in none})
        files: tuple[str, ...] = inputs[self.files]
        parts = []
        for file, stem in zip(files, unique_names(files), strict=True):
            for own in answers:
                found = evaluate(inputs | none | own | {self.files: file})
                column = next(iter(own.values()), "")
                name = title(stem, column, len(files), len(answers))
                alone = len(found.systems) == 1
                named = _named(found, name or (stem if alone else ""))
                parts.append(_from(named, file) if len(answers) == 1 and alone else named)
        return merge_scores(parts)


def _repeated(param: click.Parameter, file: click.Parameter) -> click.Parameter:
    if param is file:
        shown = f"{param.metavar or str(param.name).upper()}..."
        return click.Argument([str(param.name)], nargs=-1, required=True, metavar=shown)
    if param.name in ANSWERS and isinstance(param, click.Option) and not param.multiple:
        said = f"{param.help} Repeated: a system each."
        return click.Option(
            [str(param.name), *param.opts], multiple=True, metavar=param.metavar, help=said
        )
    return param


def _named(scores: Scores, name: str) -> Scores:
    """The scores under another name, before that of each system where there are several."""
    several = len(scores.systems) > 1
    names = {each: f"{name} {each}".strip() if several else name for each in scores.systems}
    return replace(
        scores,
        results=tuple(replace(each, system=names[each.system]) for each in scores.results),
        evidence={names[system]: items for system, items in scores.evidence.items()},
    )


def _from(scores: Scores, file: str) -> Scores:
    """The scores of one system, which is the only one of its file and so may be called by it."""
    return replace(scores, conventions=scores.conventions | {"sources": {scores.systems[0]: file}})

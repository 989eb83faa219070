"""Commands whose first word says what to do: a task, or the kind of a figure."""

from __future__ import annotations

from collections.abc import Mapping

import click

from assay.cli.task_hints import misplaced_file_hint


class TaskGroup(click.Group):
    """A group that answers a word it does not know with the nearest, or with what to write."""

    def __init__(self, *args: object, what: str = "task", **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.what = what

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does, but ``help`` is ``--help``, and an unknown word gets a hint."""
        if args and args[0] == "help":
            args = [*args[1:], "--help"]
        known = self.list_commands(ctx)
        if args and args[0] not in known and not args[0].startswith("-"):
            ctx.fail(self._hint(args, {name: self.get_command(ctx, name) for name in known}))
        return super().resolve_command(ctx, args)

    def _hint(self, words: list[str], known: Mapping[str, click.Command | None]) -> str:
        from assay.core.errors import did_you_mean

        if self.what == "task" and (said := misplaced_file_hint(words, str(self.name))):
            return said
        texts = {name: (each.help if each else None) or "" for name, each in known.items()}
        near = did_you_mean(words[0], known, texts)
        return f"'{words[0]}' is not a {self.what}.{near} There are {', '.join(known)}."

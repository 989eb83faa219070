"""Commands whose first word says what to do: a task, or the kind of a figure."""

from __future__ import annotations

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
        if args and args[0] not in self.commands and not args[0].startswith("-"):
            ctx.fail(self._hint(args))
        return super().resolve_command(ctx, args)

    def _hint(self, words: list[str]) -> str:
        from assay.core.errors import did_you_mean

        known = self.list_commands(click.Context(self))
        if self.what == "task" and (said := misplaced_file_hint(words, str(self.name))):
            return said
        texts = {name: self.commands[name].help or "" for name in known}
        near = did_you_mean(words[0], known, texts)
        return f"'{words[0]}' is no {self.what}.{near} There are {', '.join(known)}."

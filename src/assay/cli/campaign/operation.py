"""What the operations of ``assay campaign`` share: the database and who acts."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from assay.cli.output import clean_message
from assay.core.errors import DataError, UsageError

if TYPE_CHECKING:
    from assay.benchmark.campaign.campaign import Campaign


@click.group(
    epilog="""\b
Examples:
  assay campaign new campaign.db --name pilot --documents docs.jsonl --topics topics.tsv
  assay campaign join campaign.db ann --role assessor --capacity 200
  assay campaign submit campaign.db bm25.run --as ben
  assay campaign pool campaign.db --depth 50
  assay campaign assign campaign.db --overlap 0.2
  assay campaign status campaign.db
\b
DATABASE is a file, or postgresql://host/name; for a URL with a password, put it into the variable
ASSAY_DATABASE and write ASSAY_DATABASE. Who can open the database may do everything.
"""
)
def command() -> None:
    """Run a campaign: topics, runs, pools, judgments, results."""


def operation(name: str, example: str, *options: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Decorate a function of a campaign and its options as an operation of that name."""

    def decorate(function: Callable[..., None]) -> Any:
        """Return the command of an operation."""

        @functools.wraps(function)
        def called(database: str, person: str | None, **given: Any) -> None:
            """Open the campaign, and call the operation with it."""
            from assay.benchmark.campaign.campaign import Campaign

            campaign = Campaign.open(database, person, trusted=True)
            try:
                function(campaign, **given)
            finally:
                campaign.close()

        for option in reversed(options):
            called = option(called)
        called = click.option("--as", "person", metavar="NAME", help="Person who does this.")(
            called
        )
        called = click.argument("database", metavar="DATABASE")(called)
        return command.command(name, epilog=f"\b\nExample:\n  {example}\n")(called)

    return decorate


@contextmanager
def errors_of_file(path: str) -> Iterator[None]:
    """Name the file in errors about what it says: a topic or a document that is not there."""
    try:
        yield
    except UsageError as mistake:
        raise DataError(f"{path}: {mistake}") from mistake


def note(text: str) -> None:
    """Print what was done, beside the output."""
    click.echo(clean_message(text), err=True)


def open_new(place: str, campaign: Campaign) -> None:
    """Say that a campaign was created, and close it."""
    campaign.close()
    note(f"created: {place}")

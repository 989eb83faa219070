"""``assay campaign``: versions, publication, exports and backups."""

from __future__ import annotations

import json
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import click

from assay.cli.campaign.operation import command, note, open_new, operation
from assay.cli.options import output_option
from assay.cli.output import TableOutput, print_text, table_options

if TYPE_CHECKING:
    from assay.benchmark.campaign.campaign import Campaign


@operation(
    "aggregate",
    "assay campaign aggregate campaign.db v1 --method dawid-skene",
    click.argument("version", metavar="VERSION"),
    click.option("--method", default="adjudicated", metavar="NAME",
                 help="adjudicated, majority, median, mean, dawid-skene or mace."),
    click.option("--kind", "kinds", multiple=True, metavar="KIND", default=["person"],
                 help="Kinds of assessors that count; may be repeated. [default: person]"),
    table_options,
)  # fmt: skip
def aggregate(
    campaign: Campaign, version: str, method: str, kinds: tuple[str, ...], output: TableOutput
) -> None:
    """Aggregate the judgments into a version."""
    found = campaign.aggregate(version, method, kinds)
    output.show({"grades": found.qrels}, [*found.notes, *found.warnings])


@operation(
    "orders",
    "assay campaign orders campaign.db",
    click.option("--method", default="adjudicated", metavar="NAME", help="What is compared with."),
    table_options,
)
def orders(campaign: Campaign, method: str, output: TableOutput) -> None:
    """Show the order of systems under each assessor and each aggregation."""
    output.show({"orders": campaign.system_orders(method)})


@operation(
    "publish",
    "assay campaign publish campaign.db v1 --folder v1",
    click.argument("version", metavar="VERSION"),
    click.option("--folder", metavar="FOLDER", help="Write its files to a new folder."),
    table_options,
)
def publish(campaign: Campaign, version: str, folder: str | None, output: TableOutput) -> None:
    """Publish a version: topics, judgments, pool, leaderboard, which is shown."""
    from assay.benchmark.campaign.publication import read_leaderboard
    from assay.core.output_files import write_bytes
    from assay.core.output_folders import new_folder

    with nullcontext() if folder is None else new_folder(Path(folder)):
        files = campaign.publish(version)
        for name, content in files.items() if folder is not None else ():
            write_bytes(Path(folder or "", name), content)
    board = read_leaderboard(files)
    warnings = json.loads(files["about.json"]).get("warnings", [])
    output.show({} if board is None else {"leaderboard": board}, warnings)


@operation(
    "page",
    "assay campaign page campaign.db v1 -o v1.html",
    click.argument("version", metavar="VERSION"),
    output_option("-o", "--output", required=True, help="Write the page to this HTML file."),
)
def page(campaign: Campaign, version: str, output: str) -> None:
    """Write the page of a published version, complete in one file."""
    from assay.core.output_files import write_text
    from assay.reports.pages.campaign import published_page

    write_text(output, published_page(campaign.published(version), version))
    note(f"The page is in {output}: open it in a browser.")


@operation(
    "reproduce",
    "assay campaign reproduce campaign.db v1",
    click.argument("version", metavar="VERSION"),
)
def reproduce(campaign: Campaign, version: str) -> None:
    """Make the files of a version again and compare their bytes."""
    found = campaign.reproduce(version)
    for name, same in found.items():
        print_text(f"{name}: {'the same bytes' if same else 'DIFFERENT'}")
    if not all(found.values()):
        raise SystemExit(1)


@operation(
    "export",
    "assay campaign export campaign.db exported",
    click.argument("folder", metavar="FOLDER"),
)
def export(campaign: Campaign, folder: str) -> None:
    """Write the campaign to a new folder, without sign-in data."""
    note(f"rows: {campaign.export(folder):,}")


@operation(
    "backup",
    "assay campaign backup campaign.db backup.db",
    click.argument("file", metavar="FILE"),
)
def backup(campaign: Campaign, file: str) -> None:
    """Copy the database, with sign-in data, to a new SQLite file."""
    note(f"rows: {campaign.backup(file):,}")


@command.command("import", epilog="\b\nExample:\n  assay campaign import copy.db exported\n")
@click.argument("database", metavar="DATABASE")
@click.argument("folder", metavar="FOLDER")
def import_export(database: str, folder: str) -> None:
    """Create a campaign from an export."""
    from assay.benchmark.campaign.campaign import Campaign

    open_new(database, Campaign.read_export(database, folder))


@command.command("restore", epilog="\b\nExample:\n  assay campaign restore backup.db campaign.db\n")
@click.argument("backup_file", metavar="BACKUP")
@click.argument("database", metavar="DATABASE")
def restore(backup_file: str, database: str) -> None:
    """Create a campaign from a backup."""
    from assay.benchmark.campaign.campaign import Campaign

    open_new(database, Campaign.restore(backup_file, database))

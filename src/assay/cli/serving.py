"""Serving a campaign for one person: the address, the browser, and the file of judgments."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from assay.benchmark.campaign.campaign import Campaign


def serve_one_person(
    campaign: Campaign, output: Path, port: int, pictures: str | None, browser: bool
) -> None:
    """Serve the campaign of one assessor until it is stopped, and write the judgments."""
    from assay.core.output_files import refuse_unwritable
    from assay.web.one_person import PERSON, QrelsWriter
    from assay.web.server import ServeOptions, address, open_socket, run, web_settings

    refuse_unwritable(output)
    writer = QrelsWriter(campaign, output)
    options = ServeOptions(f"{output}.db", port=port, pictures=pictures)
    settings = web_settings(options, on_save=writer.note_change)
    listening = open_socket(options.host, port)
    link = f"{address(options.host, listening)}/enter?token={settings.accounts.entry_link(PERSON)}"
    click.echo(link)
    click.echo("Stop with Ctrl-C.", err=True)
    if browser:
        import webbrowser

        webbrowser.open(link)
    try:
        run(options, settings, listening)
    finally:
        click.echo(f"{output}: {writer.write()} judgments", err=True)


def serve_demo_campaign(folder: Path, port: int) -> None:
    """Lay out a small campaign, once, and serve it until it is stopped."""
    from assay.core.output_folders import make_folder
    from assay.demo.campaign import PERSON, create_demo_campaign
    from assay.web.server import ServeOptions, address, open_socket, run, web_settings

    make_folder(folder)
    place = folder / "campaign.db"
    if not place.exists():
        create_demo_campaign(place).close()
    options = ServeOptions(str(place), port=port)
    settings = web_settings(options)
    listening = open_socket(options.host, port)
    base = address(options.host, listening)
    click.echo(f"{base}/enter?token={settings.accounts.entry_link(PERSON)}")
    click.echo(
        f"Open this address. You are signed in as '{PERSON}', an assessor and the coordinator;"
        " press 0, 1 or 2 to judge. Ranks and known grades are hidden until you have judged all."
        " Stop with Ctrl-C.",
        err=True,
    )
    run(options, settings, listening)

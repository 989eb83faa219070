"""``assay serve``."""

from __future__ import annotations

import click

from assay.cli.options import count_option

GROUP = "benchmarks"


@click.command(
    "serve",
    epilog="""\b
Examples:
  assay serve campaign.db
  assay serve campaign.db --link carla
\b
DATABASE is as for assay campaign; on PostgreSQL there may be several --workers. While nobody has a
password, a link for a coordinator is printed.
""",
)
@click.argument("database", metavar="DATABASE")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True,
              help="Port; 0 takes a free one.")  # fmt: skip
@click.option("--name", "names", multiple=True, metavar="HOST",
              help="A name by which browsers reach the server; may be repeated.")  # fmt: skip
@click.option("--secure", is_flag=True, help="Send cookies over TLS only (a proxy has TLS).")
@click.option("--pictures", metavar="FOLDER", help="Folder with pictures of documents.")
@click.option("--link", metavar="NAME", help="Print a link by which a person enters once.")
@count_option("--workers", default=1, help="Processes; more than one on PostgreSQL only.")
def command(link: str | None, **given: object) -> None:
    """Open the web app of a campaign, to judge and see results."""
    from assay.web.server import ServeOptions, address, open_socket, run, web_settings

    given["place"] = given.pop("database")
    options = ServeOptions(**given)  # type: ignore[arg-type]
    settings = web_settings(options)
    listening = open_socket(options.host, options.port)
    base = address(options.host, listening)
    if name := link or settings.accounts.first_coordinator():
        token = settings.accounts.entry_link(name)
        click.echo(f"{base}/enter?token={token}  (for {name}, once, within 24 hours)")
    click.echo(f"{base}  (with a name and a password)")
    if not options.is_loopback:
        click.echo(
            "Other machines can reach this server. Put a proxy with TLS in front of it (nginx,"
            " Caddy), pass on the Host header, and use --secure and --name.",
            err=True,
        )
    run(options, settings, listening)

"""Campaigns for the tests of the web app."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from assay.benchmark.campaign.accounts import Accounts
from assay.benchmark.campaign.campaign import Campaign
from assay.web.application import create_application
from assay.web.server import ServeOptions, web_settings

TEXT = "The wing in a supersonic flow, and how heat moves through a plate. " * 5


def judging_campaign(
    place: str, items: int = 20, assessors: tuple[str, ...] = ("ann",), **options: Any
) -> Campaign:
    """Create a campaign in which every assessor has items to judge."""
    import polars as pl

    shared = options.pop("shared", False)
    documents = [(f"d{n}", f"Title {n}", None, f"Document {n}. {TEXT}") for n in range(items)]
    campaign = Campaign.new(
        place, "small", documents=documents, guidelines="Judge as you like.", **options
    )
    campaign.join("carla", "coordinator")
    for name in assessors:
        campaign.join(name, "assessor")
    fields = {"title": "supersonic wing", "description": "Wings in fast flows."}
    campaign.propose_topics({"1": fields, "2": {"title": "heat"}})
    campaign.choose_topics("all")
    campaign.phase("runs")
    pool = pl.DataFrame(
        {"query": ["1" if n % 2 else "2" for n in range(items)],
         "doc": [f"d{n}" for n in range(items)]}
    )  # fmt: skip
    empty = {"stratum": pl.String, "probability": pl.Float64, "best_rank": pl.Int64}
    columns = {name: pl.lit(None, kind) for name, kind in {**empty, "runs": pl.String}.items()}
    campaign.add_to_pool(pool.with_columns(**columns))
    campaign.phase("judging")
    campaign.assign(shared=shared)
    return campaign


def entry(campaign: Campaign, name: str, base: str = "") -> str:
    """Return a link by which a person enters once."""
    return f"{base}/enter?token={Accounts(campaign.session.database).entry_link(name)}"


def stored(campaign: Campaign) -> list[dict[str, Any]]:
    """Return the judgments that stand."""
    return campaign.table("judgments").to_dicts()


def client(place: str, **settings: Any) -> TestClient:
    """Return a client of the application of a database."""
    made = web_settings(ServeOptions(place, pictures=settings.pop("pictures", None)), **settings)
    return TestClient(
        create_application(made), base_url="http://127.0.0.1:8000", follow_redirects=False
    )


def signed_in(place: str, campaign: Campaign, name: str, **settings: Any) -> TestClient:
    """Return a client in which a person is signed in."""
    opened = client(place, **settings)
    answer = opened.get(entry(campaign, name))
    assert answer.status_code == 303, answer.text
    return opened


def csrf(opened: TestClient) -> str:
    """Return the token that forms of this session carry."""
    import hashlib

    token = opened.cookies["assay_session"]
    return hashlib.sha256(f"csrf {token}".encode()).hexdigest()


def shared_folder(folder: Path) -> Path:
    """Return a folder with a picture and, beside it, a file that must stay hidden."""
    pictures = folder / "pictures"
    pictures.mkdir()
    (pictures / "d1.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    (folder / "secret.png").write_bytes(b"content of another file")
    return pictures

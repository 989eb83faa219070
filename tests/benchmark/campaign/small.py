"""A small campaign: three topics, two runs, two assessors."""

from __future__ import annotations

from pathlib import Path

from assay.benchmark.campaign.campaign import Campaign

DOCUMENTS = [(f"d{number}", f"title {number}", None, f"text {number}") for number in range(12)]


def small_campaign(place: str, folder: Path, **rules: object) -> Campaign:
    """Create a campaign up to the phase of judging, with a pool and no assignment."""
    campaign = Campaign.new(place, "small", documents=DOCUMENTS, **rules)
    campaign.join("carla", "coordinator")
    campaign.join("ann", "participant", "assessor")
    campaign.join("ben", "participant", "assessor")
    campaign.propose_topics({str(topic): {"title": f"topic {topic}"} for topic in (1, 2, 3)})
    campaign.choose_topics("all")
    campaign.phase("runs")
    for owner, step in (("ann", 1), ("ben", 5)):
        run = folder / f"{owner}.run"
        run.write_text(
            "".join(
                f"{topic} Q0 d{(rank * step + topic) % 12} {rank} {20 - rank} {owner}\n"
                for topic in (1, 2, 3)
                for rank in range(1, 7)
            )
        )
        named = Campaign.open(place, owner)
        named.submit(run)
        named.close()
    campaign.pool(5)
    campaign.phase("judging")
    return campaign


def judge_everything(place: str, name: str, grade: int = 1) -> int:
    """Judge the whole queue of an assessor; return how many items it had."""
    campaign = Campaign.open(place, name)
    count = 0
    while task := campaign.next():
        campaign.judge(task.query, task.doc, grade)
        count += 1
    campaign.close()
    return count

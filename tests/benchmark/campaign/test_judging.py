"""Judging: leases, idempotent requests, corrections, withdrawals, what each role sees."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from tests.benchmark.campaign.small import judge_everything, small_campaign

from assay.benchmark.campaign.campaign import Campaign
from assay.core.errors import AssayError, UsageError


def test_who_asks_again_gets_the_same_item_until_it_is_judged(place: str, tmp_path: Path) -> None:
    small_campaign(place, tmp_path).assign()
    ann = Campaign.open(place, "ann")
    first = ann.next()
    assert first is not None
    again = Campaign.open(place, "ann").next()
    assert again is not None
    assert (again.query, again.doc) == (first.query, first.doc)
    ann.judge(first.query, first.doc, 1)
    after = ann.next()
    assert after is not None
    assert (after.query, after.doc) != (first.query, first.doc)


def test_a_request_that_is_sent_twice_is_stored_once(place: str, tmp_path: Path) -> None:
    campaign = small_campaign(place, tmp_path)
    campaign.assign()
    ann = Campaign.open(place, "ann")
    task = ann.next()
    assert task is not None
    one = ann.judge(task.query, task.doc, 2, request="key")
    two = ann.judge(task.query, task.doc, 2, request="key")
    assert (two.judgment, two.repeated) == (one.judgment, True)
    done = campaign.status()["by_assessor"]
    assert done.filter(assessor="ann")["done"].to_list() == [1]


def test_a_correction_supersedes_and_a_withdrawal_keeps_the_record(
    place: str, tmp_path: Path
) -> None:
    campaign = small_campaign(place, tmp_path)
    campaign.assign()
    ann = Campaign.open(place, "ann")
    task = ann.next()
    assert task is not None
    first = ann.judge(task.query, task.doc, 0)
    second = ann.judge(task.query, task.doc, 2)
    assert second.supersedes == first.judgment
    with pytest.raises(UsageError, match="no judgment"):
        ann.withdraw(first.judgment, "it is superseded")
    assert campaign.aggregate("with").qrels["grade"].to_list() == [2.0]
    ann.withdraw(second.judgment, "by mistake")
    with pytest.raises(AssayError, match="no judgment to aggregate"):
        campaign.aggregate("without")
    again = ann.next()
    assert again is not None
    assert (again.query, again.doc) == (task.query, task.doc)


def test_a_lease_runs_out_and_the_late_judgment_is_kept(place: str, tmp_path: Path) -> None:
    campaign = small_campaign(place, tmp_path, lease_minutes=1)
    campaign.assign(shared=True)
    now = [1000.0]
    ann = Campaign.open(place, "ann", clock=lambda: now[0])
    ben = Campaign.open(place, "ben", clock=lambda: now[0])
    held = ann.next()
    other = ben.next()
    assert held is not None
    assert other is not None
    assert (held.query, held.doc) != (other.query, other.doc)
    ben.judge(other.query, other.doc, 1)
    now[0] += 61
    taken = ben.next()
    assert taken is not None
    assert (taken.query, taken.doc) == (held.query, held.doc)
    ben.judge(taken.query, taken.doc, 0)
    with pytest.raises(UsageError, match="not assigned"):
        Campaign.open(place, "ann").judge(other.query, other.doc, 1)


def test_a_shared_queue_gives_each_item_to_one_assessor(place: str, tmp_path: Path) -> None:
    campaign = small_campaign(place, tmp_path)
    total = campaign.assign(shared=True)
    ann, ben = Campaign.open(place, "ann"), Campaign.open(place, "ben")
    seen = []
    while True:
        tasks = [person.next() for person in (ann, ben)]
        if tasks == [None, None]:
            break
        for person, task in zip((ann, ben), tasks, strict=True):
            if task is not None:
                seen.append((task.query, task.doc))
                person.judge(task.query, task.doc, 1)
    assert len(seen) == len(set(seen)) == total


def test_a_grade_outside_the_scale_and_unknown_items_are_refused(
    place: str, tmp_path: Path
) -> None:
    campaign = small_campaign(place, tmp_path)
    campaign.assign()
    ann = Campaign.open(place, "ann")
    task = ann.next()
    assert task is not None
    with pytest.raises(UsageError, match=r"7 is not a grade of the scale: 0 \(not relevant\)"):
        ann.judge(task.query, task.doc, 7)
    with pytest.raises(UsageError, match="no topic '9'"):
        ann.judge("9", task.doc, 1)
    with pytest.raises(UsageError, match="not in the pool"):
        ann.judge(task.query, "nothing", 1)
    assert campaign.status()["by_assessor"]["done"].sum() == 0


def test_the_scale_changes_until_the_first_judgment(place: str, tmp_path: Path) -> None:
    campaign = small_campaign(place, tmp_path)
    campaign.set_gold({("1", "d2"): 2})
    with pytest.raises(UsageError, match="gold items have the grade 2"):
        campaign.set_scale("0=no,1=yes")
    assert campaign.set_scale("0=no,1=partly,2=yes", 2).relevant == 2
    assert campaign.scale().labels == {0: "no", 1: "partly", 2: "yes"}
    assert campaign.set_guidelines("Read all of it.") == 2
    campaign.assign()
    ann = Campaign.open(place, "ann")
    task = ann.next()
    assert task is not None
    receipt = ann.judge(task.query, task.doc, 2)
    ann.withdraw(receipt.judgment, "a slip")
    with pytest.raises(UsageError, match="the scale is fixed"):
        campaign.set_scale(relevant=1)


def test_training_gives_feedback_and_does_not_count(place: str, tmp_path: Path) -> None:
    campaign = small_campaign(place, tmp_path)
    campaign.phase("topics")
    campaign.choose_topics("3", state="practice")
    campaign.phase("training")
    rows = campaign.status()
    assert rows["phase"] == "training"
    ann = Campaign.open(place, "ann")
    campaign.assign()
    task = ann.next()
    assert task is not None
    assert task.query == "3"
    campaign.set_gold({(task.query, task.doc): 2})
    assert ann.judge(task.query, task.doc, 0).feedback == 2
    campaign.phase("judging")
    with pytest.raises(AssayError, match="no judgment to aggregate"):
        campaign.aggregate("draft")


def test_assessors_never_see_runs_and_participants_see_their_own(
    place: str, tmp_path: Path
) -> None:
    campaign = small_campaign(place, tmp_path)
    campaign.join("eve", "assessor")
    assert [run.name for run in campaign.runs()] == ["ann", "ben"]
    assert [run.name for run in Campaign.open(place, "ann").runs()] == ["ann"]
    with pytest.raises(UsageError, match=r"eve .* may not do 'see-own-runs'"):
        Campaign.open(place, "eve").runs()
    assert "runs" not in Campaign.open(place, "eve").status()


def test_an_excluded_assessor_is_left_out_with_the_reason(place: str, tmp_path: Path) -> None:
    campaign = small_campaign(place, tmp_path)
    campaign.assign(overlap=1.0)
    judge_everything(place, "ann", 2)
    judge_everything(place, "ben", 0)
    campaign.exclude("ben", "one grade only")
    found = campaign.aggregate("v1", "majority")
    assert set(found.qrels["grade"]) == {2.0}
    assert found.notes == ("left out: ben (one grade only)",)


@pytest.mark.parametrize("by", ["topic", "comparison", "bandit", "disagreement"])
def test_queues_have_the_order_that_is_asked_for(tmp_path: Path, by: str) -> None:
    place = str(tmp_path / "campaign.db")
    campaign = small_campaign(place, tmp_path)
    campaign.assign(overlap=1.0)
    ann = Campaign.open(place, "ann")
    judged = []
    for _ in range(6):
        task = ann.next()
        assert task is not None
        judged.append((task.query, task.doc))
        ann.judge(task.query, task.doc, 2 if len(judged) % 2 else 0)
    campaign.join("eve", "assessor")
    open_items = campaign.order(by)
    left = campaign.status()["by_assessor"]["left"].sum()
    assert open_items == left
    task = ann.next()
    assert task is not None
    assert (task.query, task.doc) not in judged
    if by == "bandit":
        pool = {(row[0], row[1]): row[5].split() for row in campaign.items().rows()}
        good = {run for key in judged[::2] for run in pool[key]}
        assert good & set(pool[task.query, task.doc])


def test_disagreements_come_first_for_a_third_assessor(tmp_path: Path) -> None:
    place = str(tmp_path / "campaign.db")
    campaign = small_campaign(place, tmp_path)
    campaign.join("eve", "assessor")
    campaign.assign(overlap=1.0, per_item=3)
    for name, grade in (("ann", 0), ("ben", 0)):
        judge_everything(place, name, grade)
    query, doc = campaign.items().select("query", "doc").rows()[7]
    Campaign.open(place, "ben").judge(query, doc, 2)
    campaign.order("disagreement")
    task = Campaign.open(place, "eve").next()
    assert task is not None
    assert (task.query, task.doc) == (query, doc)


def test_gold_items_that_do_not_exist_are_not_mixed_in_silently(place: str, tmp_path: Path) -> None:
    campaign = small_campaign(place, tmp_path)
    with pytest.raises(UsageError, match="no item has a known grade yet; declare"):
        campaign.assign(gold=5)
    with pytest.raises(UsageError, match="nobody has a queue of their own"):
        campaign.assign(gold=5, shared=True)
    assert campaign.assign() > 0


def test_a_gold_grade_that_nobody_gave_counts_as_missed(place: str, tmp_path: Path) -> None:
    campaign = small_campaign(place, tmp_path)
    campaign.set_gold({("1", "d2"): 2, ("1", "d3"): 1})
    campaign.assign()
    for name in ("ann", "ben"):
        judge_everything(place, name, grade=1)
    table = campaign.review().filter(pl.col("gold items") > 0)
    right = table["gold items"] * table["gold accuracy"]
    assert (table["gold items"].sum(), right.sum()) == (2, 1.0)

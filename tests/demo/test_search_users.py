"""The simulated search engine: offline, interleaving and A/B agree, and one case where not."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.terminal import call

from assay.cli.user_demo import user_chapters
from assay.demo.search_users import write_user_files


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("users")


def test_the_evidence_agrees_and_then_it_does_not(folder: Path) -> None:
    agree, slow = user_chapters(folder)
    assert agree.result.directions() == {
        "offline": {"new"},
        "interleaving": {"new"},
        "A/B test": {"new"},
    }
    assert agree.result.verdicts()[0].startswith("The evidence agrees")
    assert slow.result.directions()["A/B test"] == {"old"}
    said = " ".join(slow.result.verdicts())
    assert said.startswith("The evidence disagrees: offline favors new; interleaving favors new")
    assert "cannot see the whole page" in said
    assert "The guardrail seconds is harmed." in said
    page = slow.write_page().read_text()
    for words in ("The evidence disagrees", "Offline", "Interleaving", "A/B test", "<svg"):
        assert words in page


def test_the_same_bytes_come_out_again(folder: Path, tmp_path: Path) -> None:
    one, other = write_user_files(folder / "again"), write_user_files(tmp_path / "more")
    for name in ("clicks", "visits", "slow_visits", "lists"):
        assert getattr(one, name).read_bytes() == getattr(other, name).read_bytes()


def test_the_report_on_the_command_line(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_user_files(folder)
    monkeypatch.chdir(folder)
    runs = ("--baseline", "old.run", "--system", "new.run")
    online = ("--lists", "lists.csv", "--log", "clicks.csv", "--experiment", "slow-visits.csv")
    options = ("--outcome", "clicks/queries", "--control", "old", "-o", "page.html")
    done = call("report", "online", "--qrels", "qrels.txt", *runs, *online, *options)
    assert done.code == 0, done.err
    assert "The evidence disagrees" in done.out
    assert "The evidence disagrees" in Path("page.html").read_text()
    names = ("--baseline", "old", "--system", "new")
    done = call("report", "online", *names, "--lists", "lists.csv", "--log", "clicks.csv")
    assert "There is one kind of evidence: interleaving favors new" in " ".join(done.out.split())
    done = call("report", "online", *names, "--lists", "lists.csv")
    assert "interleaving needs both" in done.err
    done = call("report", "online", *names)
    assert "nothing to combine" in done.err
    done = call("report", "online", "--baseline", "x", *names[2:], *online[:4])
    assert "interleaving has no pair new and x; it has new, old" in done.err

"""Pages in a real browser: they work, they are reachable, they run nothing that was given."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.cli.terminal import call
from tests.reports.report_inputs import EVIL, EVIL_TEXT, write_decisions, write_retrieval

pytestmark = pytest.mark.browser
Open = Callable[..., Any]


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pages")
    for name, evil in (("plain", False), ("evil", True)):
        place = folder / name
        place.mkdir()
        write_retrieval(place, evil=evil)
        texts = ("--topics", str(place / "topics.tsv"), "--documents", str(place / "docs.jsonl"))
        runs = sorted(str(path) for path in (place / "runs").iterdir())
        _report(folder / f"{name}.html", "retrieval", str(place / "qrels.txt"), *runs, *texts,
                "-m", "nDCG@5 AP")  # fmt: skip
    place = folder / "plain"
    _report(folder / "alone.html", "retrieval", str(place / "qrels.txt"),
            str(place / "runs" / "system1.run"), "-m", "nDCG@5")  # fmt: skip
    data = str(write_decisions(folder))
    _report(folder / "decisions.html", "classification", data, "--truth", "truth", "--score",
            "score", "--predicted", "guess", "--positive", "P")  # fmt: skip
    (folder / "clusters.csv").write_text("c,topic\n1,x\n1,x\n2,o\n2,<b>x</b>\n")
    _report(folder / "clusters.html", "clustering", str(folder / "clusters.csv"),
            "--cluster", "c", "--classes", "topic")  # fmt: skip
    (folder / "values.csv").write_text("y,yhat\n1,1.5\n2,1.5\n3,3.5\n")
    _report(folder / "values.html", "regression", str(folder / "values.csv"), "--truth", "y",
            "--predicted", "yhat")  # fmt: skip
    _pages_of_several(folder)
    return folder


def _pages_of_several(folder: Path) -> None:
    """Classes by their probabilities, two classifiers, assessors, and two orders."""
    items = [
        (truth, said) for truth in "abcd" for said in (truth, truth, "abcd"["badc".index(truth)])
    ]
    wide = ["t,one,two,p_a,p_b,p_c,p_d"]
    for n, (truth, said) in enumerate(items):
        chances = [0.7 if each == said else 0.1 for each in "abcd"]
        wide.append(f"{truth},{said},{'abcd'[n % 4]},{','.join(map(str, chances))}")
    (folder / "wide.csv").write_text("\n".join(wide) + "\n")
    data = str(folder / "wide.csv")
    _report(folder / "classes.html", "classification", data, "--truth", "t", "--predicted", "one",
            "--probabilities", "p_*")  # fmt: skip
    _report(folder / "two.html", "classification", data, "--truth", "t", "--predicted", "one",
            "--predicted", "two")  # fmt: skip
    rows = [
        f"{item},{who},{(item + place) % 3}" for item in range(6) for place, who in enumerate("xyz")
    ]
    (folder / "ratings.csv").write_text("\n".join(["item,who,label", *rows]) + "\n")
    _report(folder / "ratings.html", "agreement", str(folder / "ratings.csv"), "--item", "item",
            "--assessor", "who", "--label", "label")  # fmt: skip
    (folder / "orders.csv").write_text("s,one,two\na,3,1\nb,2,3\n<b>c</b>,1,2\n")
    _report(folder / "orders.html", "correlation", str(folder / "orders.csv"), "--item", "s",
            "--first", "one", "--second", "two")  # fmt: skip


def _report(output: Path, *arguments: str) -> None:
    done = call("report", *arguments, "-o", str(output))
    assert done.code == 0, done.err


PAGES = [
    "plain", "evil", "alone", "decisions", "clusters", "values", "classes", "two",
    "ratings", "orders",
]  # fmt: skip


@pytest.mark.parametrize("name", PAGES)
def test_nothing_complains_and_nothing_leaves_the_page(
    pages: Path, opened: Open, name: str
) -> None:
    page = opened(pages / f"{name}.html", viewport={"width": 390, "height": 800})
    assert page.locator("h2").count() >= 3
    wide = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    assert wide <= 0, "a phone can show it without scrolling sideways"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing(pages: Path, opened: Open, axe: str, name: str, scheme: str) -> None:
    """Contrast, names, roles and order; in both themes."""
    page = opened(pages / f"{name}.html", color_scheme=scheme, bypass_csp=True)
    page.evaluate(axe)
    found = page.evaluate("axe.run()")["violations"]
    assert [(each["id"], each["nodes"][0]["html"]) for each in found] == []


def test_names_and_texts_are_shown_and_never_run(pages: Path, opened: Open) -> None:
    page = opened(pages / "evil.html")
    board = page.locator("#leaderboard tbody th").all_inner_texts()
    assert EVIL in board
    page.select_option("#query", label=f"{EVIL}: {EVIL_TEXT.strip()}"[:90])
    assert page.locator("#query-text").text_content().strip() == EVIL_TEXT.strip()
    assert EVIL_TEXT.strip() in page.locator("#query-rankings .text").first.text_content()
    assert page.locator("img").count() == 0


def test_an_injected_script_would_be_blocked(pages: Path, opened: Open) -> None:
    """The page allows only its own scripts, by their digests."""
    page = opened(pages / "clusters.html")
    policy = page.locator("meta[http-equiv]").get_attribute("content")
    assert "'unsafe-inline'" not in policy.split("script-src")[1].split(";")[0]
    assert "default-src 'none'" in policy


def test_the_leaderboard_sorts_by_keyboard(pages: Path, opened: Open) -> None:
    page = opened(pages / "plain.html")
    head = page.locator("#leaderboard thead th", has_text="system")
    rows = page.locator("#leaderboard tbody th")
    assert rows.all_inner_texts()[0] == "system0"
    head.locator("button").focus()
    page.keyboard.press("Enter")
    assert head.get_attribute("aria-sort") == "ascending"
    page.keyboard.press("Enter")
    assert rows.all_inner_texts() == ["system2", "system1", "system0"]
    page.locator("#leaderboard thead th", has_text="AP").locator("button").click()
    assert rows.all_inner_texts()[0] == "system0"
    cells = page.locator("#leaderboard tbody td:nth-last-child(2)").all()
    values = [float(cell.get_attribute("data-value")) for cell in cells]
    assert values == sorted(values, reverse=True)


def test_everything_is_reached_by_tab(pages: Path, opened: Open) -> None:
    page = opened(pages / "plain.html")
    wanted = {"theme", "measure", "first", "second", "query", "next"}
    seen = set()
    for _ in range(80):
        page.keyboard.press("Tab")
        seen.add(page.evaluate("document.activeElement.id"))
    assert wanted <= seen, wanted - seen


def test_choosing_systems_changes_the_comparison(pages: Path, opened: Open) -> None:
    page = opened(pages / "plain.html")
    before = page.locator("#changes-said").inner_text()
    page.select_option("#first", label="system0")
    page.select_option("#second", label="system2")
    said = page.locator("#changes-said").inner_text()
    assert said != before
    assert "system2 is better than system0 on 0 queries, worse on 4, the same on 2" in said
    page.locator("#changes-list button").first.click()
    heads = page.locator("#query-rankings h3").all_inner_texts()
    assert [head.split(":")[0] for head in heads] == ["system0", "system2"]
    assert page.locator("#query-rankings .unjudged").count() == 2


def test_the_slider_moves_matrix_and_rates(pages: Path, opened: Open) -> None:
    """The rows of the lecture's table: at .54 TP 5, FP 1, FN 5, TN 9."""
    page = opened(pages / "decisions.html")
    slider = page.locator("#threshold")
    slider.focus()
    page.keyboard.press("End")
    assert _matrix(page) == ["1", "0", "9", "10"]
    for _ in range(5):
        page.keyboard.press("ArrowLeft")
    assert page.locator("#threshold-said").inner_text() == "0.54"
    assert _matrix(page) == ["5", "1", "5", "9"]
    assert page.locator("#margin-tpr").inner_text() == "50.0 %"
    heads = page.locator("#thresholds table", has_text="Youden").locator("th").all_inner_texts()
    assert page.locator(f"#rate-{heads.index('ACC')}").inner_text() == "0.7000"
    point = page.locator("#roc-point")
    plane = page.locator("#roc svg").get_attribute("data-plane")
    left, top, width, height = map(float, plane.split())
    assert float(point.get_attribute("cx")) == pytest.approx(left + 0.1 * width)
    assert float(point.get_attribute("cy")) == pytest.approx(top + 0.5 * height)
    page.keyboard.press("Home")
    assert _matrix(page) == ["10", "10", "0", "0"]


def _matrix(page: Any) -> list[str]:
    return [page.locator(f"#cell-{name}").inner_text() for name in ("tp", "fp", "fn", "tn")]


def test_the_theme_can_be_changed(pages: Path, opened: Open) -> None:
    page = opened(pages / "values.html", color_scheme="light")
    ground = "getComputedStyle(document.querySelector('section')).backgroundColor"
    light = page.evaluate(ground)
    page.locator("#theme").click()
    dark = page.evaluate(ground)
    assert (light, dark) == ("rgb(255, 255, 255)", "rgb(22, 24, 29)")
    page.emulate_media(media="print")
    assert page.evaluate(ground) == light


def test_one_panel_of_several_is_shown(pages: Path, opened: Open) -> None:
    """Each class has its own slider, and the one that is chosen moves its own matrix."""
    page = opened(pages / "classes.html")
    assert page.locator("#question-1").is_visible()
    assert not page.locator("#question-2").is_visible()
    page.select_option("#question", label="b")
    assert page.locator("#question-2").is_visible()
    assert not page.locator("#question-1").is_visible()
    before = page.locator("#cell-tp").text_content()
    page.locator("#threshold-2").focus()
    page.keyboard.press("Home")
    assert page.locator("#cell-tp-2").inner_text() == "3"
    assert page.locator("#cell-fn-2").inner_text() == "0"
    assert page.locator("#cell-tp").text_content() == before


def test_the_matrix_shows_its_clusters(pages: Path, opened: Open) -> None:
    page = opened(pages / "classes.html")
    heads = page.locator("#matrix-order-1-1 tbody th")
    order = "".join(each[0] for each in heads.all_inner_texts()[:4])
    assert {"".join(sorted(order[:2])), "".join(sorted(order[2:]))} == {"ab", "cd"}
    assert page.locator("#matrix-order-1-1 .cluster").all_inner_texts() == ["A", "B"]
    page.select_option("#matrix-order-1", label="by label")
    assert page.locator("#matrix-order-1-2").is_visible()
    assert page.locator("#matrix-order-1-2 .cluster").count() == 0


def test_a_query_without_its_work_names_the_command(pages: Path, opened: Open) -> None:
    page = opened(pages / "evil.html")
    page.select_option("#measure", label="AP")
    said = page.locator("#query-rankings code").first.inner_text()
    assert said.startswith("assay explain retrieval ")
    assert "-m AP --query" in said


def test_one_system_shows_its_worst_queries(pages: Path, opened: Open) -> None:
    page = opened(pages / "alone.html")
    assert (
        "nDCG@5 of system1 on 6 queries, from the lowest"
        in page.locator("#changes-said").inner_text()
    )
    assert not page.locator("#first").is_visible()
    captions = page.locator("#changes-list caption").all_inner_texts()
    assert captions == ["Worst", "Best"]
    values = [
        float(each)
        for each in page.locator("#changes-list table:first-child td:last-child").all_inner_texts()
    ]
    assert values == sorted(values)
    assert page.locator("#query-rankings > div").count() == 1


def test_documents_further_down_and_last_digits(tmp_path: Path, opened: Open) -> None:
    """What is below the shown documents is there; four decimals are those of the command line."""
    docs = [f"d{n}" for n in range(60)]
    (tmp_path / "qrels.txt").write_text("q 0 d31 1\n")
    for name, order in (("one", docs[:59]), ("two", ["d59", *docs[1:51], "d0"])):
        lines = [f"q Q0 {doc} {n} {100 - n} {name}\n" for n, doc in enumerate(order, 1)]
        (tmp_path / f"{name}.run").write_text("".join(lines))
    files = [str(tmp_path / name) for name in ("qrels.txt", "one.run", "two.run")]
    _report(tmp_path / "page.html", "retrieval", *files, "-m", "RR")
    page = opened(tmp_path / "page.html")
    lists = page.locator("#query-rankings ol")
    assert "rank 52 in two" in lists.nth(0).locator("li").first.inner_text()
    assert "not in one" in lists.nth(1).locator("li").first.inner_text()
    told = page.locator("#query-rankings h3").all_inner_texts()
    assert told == ["one: RR 0.0312", "two: RR 0.0312"]
    values = [-0.15625, 0.09375, 0.0588539, 235 / 253, 0.5]
    shown = page.evaluate("(values) => values.map(decimals)", values)
    assert shown == [f"{value:.4f}" for value in values]

"""The pictures of the documents, from the data of the demo: python scripts/pictures.py demo-output

Pages need playwright and a browser (ASSAY_BROWSER, or chromium on PATH).
"""

from __future__ import annotations

import math
import os
import random
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import assay

PICTURES = Path(__file__).resolve().parent.parent / "docs" / "pictures"
RUNS = ["qrels.txt", *(f"runs/{name}.run" for name in ("pixels", "pca", "projections", "random"))]
PAIR = [*RUNS, "--from", "pixels", "--to", "projections"]
SCORED = ["predictions.csv", "--truth", "is_eight", "--score", "p_eight"]
PLOTS = {
    "pr": RUNS,
    "gain": RUNS,
    "per-query": PAIR,
    "scatter": PAIR,
    "roc": SCORED,
    "thresholds": SCORED,
    "densities": [*SCORED, "--threshold", "0.5"],
    "calibration": SCORED,
    "confusion": ["predictions.csv", "--truth", "label", "--predicted", "guess"],
    "contingency": ["clusters.csv", "--cluster", "c", "--classes", "digit"],
    "residuals": ["values.csv", "--truth", "y", "--predicted", "yhat"],
    "methods": ["methods.csv"],
    "silhouette": ["points.csv", "--cluster", "k3", "--features", "x*"],
    "elbow": ["points.csv", "--cluster", "k*", "--features", "x*"],
    "orders": ["orders.csv", "--item", "system", "--first", "nDCG@10", "--second", "AP"],
    "roc-classes": ["classes.csv", "--truth", "digit", "--probabilities", "p_*"],
    "judged-dense": ["dense.csv"],
    "judged-sparse": ["sparse.csv"],
}
"""Inputs by picture; a picture is called by the kind of its figure, and perhaps by more."""
CLICKS = [
    *("behavior", "simulate", "qrels.txt", "runs/pixels.run", "runs/random.run"),
    *("--sessions", "20000", "--shuffle", "0.3", "--attractiveness", "0=0.1,1=0.3,2=0.6"),
    *("--satisfaction", "0=0.1,1=0.3,2=0.6"),
]
COMMANDS = {
    "click-rates": ["behavior", "summary", "clicks.csv"],
    "click-models": [
        *("clicks", "compare", "clicks.csv", "--model", "rank-ctr", "--model", "doc-ctr"),
        *("--model", "pbm", "--model", "sdbn", "--model", "dbn", "--model", "ccm"),
    ],
    "click-relevance": [
        *("clicks", "judgments", "model.json", "--qrels", "qrels.txt", "--least", "200"),
    ],
}
"""Commands that draw a picture, over the simulated clicks of ``CLICKS``."""
KINDS = {"roc-classes": "roc", "judged-dense": "judged", "judged-sparse": "judged"}
METHODS = "method,tp,fp,fn,tn\nA,95,30,5,70\nB,40,80,60,20\nC,90,70,10,30\nD,60,5,40,95\n"


@dataclass(frozen=True)
class Photograph:
    """A part of a page of the demo, seen in a window."""

    page: str
    part: str | None = None
    """What stands at the top of the window; the top of the page if nothing is said."""
    height: int = 1000
    dark: bool = False


PAGES = {
    "report-retrieval": Photograph("report.html"),
    "report-query": Photograph("report.html", "#query-panel", height=760),
    "report-classification": Photograph("eights.html", "#thresholds", dark=True),
    "report-confusion": Photograph("digits.html", "#confusion", height=880),
}


def points() -> str:
    """Three groups of points, cut into two to five clusters by their first coordinate."""
    rows = ["k2,k3,k4,k5,x1,x2"]
    for n in range(90):
        group, turn = n % 3, (n * 37) % 30
        x, y = 3.4 * group + turn / 15, (turn * 7 % 30) / 10 + group
        rows.append(
            ",".join([*(str(int(x * k / 9)) for k in (2, 3, 4, 5)), f"{x:.3f}", f"{y:.3f}"])
        )
    return "\n".join(rows) + "\n"


def orders(folder: Path) -> str:
    """The systems of the demo by two measures."""
    scores = assay.load(folder / "leaderboard.parquet")
    values = zip(scores["nDCG@10"].items(), scores["AP"].values(), strict=True)
    rows = [f"{system},{first},{second}" for (system, first), second in values]
    return "\n".join(["system,nDCG@10,AP", *rows]) + "\n"


def classes() -> str:
    """Items of five classes, with probabilities from scores that are less and less certain."""
    drawn, names = random.Random(5), "03568"
    rows = ["digit," + ",".join(f"p_{name}" for name in names)]
    for n in range(400):
        true = n % len(names)
        scores = [
            math.exp(drawn.gauss(2.4 - 0.35 * place if place == true else 0.0, 1.0))
            for place in range(len(names))
        ]
        rows.append(",".join([names[true], *(f"{each / sum(scores):.9f}" for each in scores)]))
    return "\n".join(rows) + "\n"


def judgments(queries: int, pool: int, apart: int, share: float) -> str:
    """Judgments of a pool for each query; pools begin some documents apart, so they overlap."""
    drawn = random.Random(4)
    rows = [
        f"q{query + 1},d{query * apart + place},{int(drawn.random() < share)}"
        for query in range(queries)
        for place in range(pool)
    ]
    return "\n".join(["query,doc,grade", *rows]) + "\n"


def main(folder: Path) -> None:
    made = {"methods": METHODS, "points": points(), "orders": orders(folder), "classes": classes()}
    made |= {"dense": judgments(6, 22, 18, 0.25), "sparse": judgments(40, 1, 3, 1.0)}
    for name, content in made.items():
        (folder / f"{name}.csv").write_text(content, encoding="utf-8")
    PICTURES.mkdir(exist_ok=True)
    for name, inputs in PLOTS.items():
        kind, output = KINDS.get(name, name), PICTURES / f"{name}.png"
        subprocess.run(
            [sys.executable, "-m", "assay", "plot", kind, *inputs, "-o", str(output)],
            cwd=folder,
            check=True,
        )
    assay_command = [sys.executable, "-m", "assay"]
    subprocess.run([*assay_command, *CLICKS, "-o", "clicks.csv"], cwd=folder, check=True)
    many = [*CLICKS, "--sessions", "200000", "-o", "many.parquet"]
    for words in (many, ["clicks", "fit", "many.parquet", "--starts", "1", "-o", "model.json"]):
        subprocess.run([*assay_command, *words], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    for name, words in COMMANDS.items():
        option = "--plot" if name == "click-relevance" else "-o"
        drawn = [*assay_command, *words, option, str(PICTURES / f"{name}.png")]
        subprocess.run(drawn, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    subprocess.run([sys.executable, Path(__file__).with_name("learning_pictures.py")], check=True)
    photograph(folder)


def photograph(folder: Path) -> None:
    from playwright.sync_api import sync_playwright

    program = os.environ.get("ASSAY_BROWSER") or shutil.which("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        for name, wanted in PAGES.items():
            page = browser.new_page(
                viewport={"width": 1100, "height": wanted.height},
                device_scale_factor=1.5,
                color_scheme="dark" if wanted.dark else "light",
            )
            page.goto((folder / wanted.page).resolve().as_uri())
            if wanted.part:
                page.locator(wanted.part).evaluate(
                    "part => part.scrollIntoView({behavior: 'instant'})"
                )
                page.wait_for_timeout(300)
            page.screenshot(path=PICTURES / f"{name}.png")
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))

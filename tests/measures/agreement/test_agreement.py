"""Agreement of assessors, beside other libraries and published values."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import assay
from assay import AssayError, measure
from assay.core.tables import Ratings
from assay.evidence.views.rating_table import build_rating_table
from assay.testing import rated


def coders(rows: Any) -> Any:
    """Rows of coders as the published tables print them: labels parted by blanks, * for none."""
    triples = [
        {"item": f"u{unit:02}", "assessor": f"c{coder}", "label": label}
        for coder, row in enumerate(rows)
        for unit, label in enumerate(row.split())
        if label != "*"
    ]
    return build_rating_table(Ratings.of(pl.DataFrame(triples)))


KRIPPENDORFF_2011 = (
    "1 2 3 3 2 1 4 1 2 * * *",
    "1 2 3 3 2 2 4 1 2 5 * 3",
    "* 3 3 3 2 3 4 2 2 5 1 *",
    "1 2 3 3 2 4 4 1 2 5 1 *",
)


def random_words(assessors: int, items: int, seed: int, gaps: bool = False) -> Any:
    random = np.random.default_rng(seed)
    truth = random.integers(0, 4, items)
    words = []
    for _ in range(assessors):
        said = np.where(random.random(items) < 0.6, truth, random.integers(0, 4, items))
        text = "".join(map(str, said))
        if gaps:
            text = "".join("." if random.random() < 0.3 else mark for mark in text)
        words.append(text)
    return words


@pytest.mark.oracle
@pytest.mark.parametrize("weights", ["none", "linear", "quadratic"])
def test_cohen_equals_scikit_learn(weights: str) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    one, two = random_words(2, 80, 1)
    theirs = None if weights == "none" else weights
    expected = metrics.cohen_kappa_score(list(one), list(two), weights=theirs)
    ours = measure(f"kappa(weights={weights})", "agreement")(rated(one, two).by("pair"))[0]
    assert ours == pytest.approx(expected, abs=1e-12)


@pytest.mark.oracle
def test_fleiss_equals_statsmodels() -> None:
    inter_rater = pytest.importorskip("statsmodels.stats.inter_rater")
    words = random_words(5, 60, 2)
    table, _ = inter_rater.aggregate_raters(np.asarray([list(word) for word in words]).T)
    expected = inter_rater.fleiss_kappa(table)
    assert measure("fleiss")(rated(*words))[0] == pytest.approx(expected, abs=1e-12)


@pytest.mark.oracle
@pytest.mark.parametrize("scale", ["nominal", "ordinal", "interval", "ratio"])
def test_alpha_equals_krippendorff(scale: str) -> None:
    krippendorff = pytest.importorskip("krippendorff")
    words = random_words(4, 50, 3, gaps=True)
    data = [[np.nan if mark == "." else float(mark) for mark in word] for word in words]
    expected = krippendorff.alpha(data, level_of_measurement=scale)
    ours = measure(f"alpha(scale={scale})")(rated(*words))[0]
    assert ours == pytest.approx(expected, abs=1e-12)


@pytest.mark.shared
def test_published_alphas(shared_data: Path) -> None:
    cases = json.loads((shared_data / "agreement/krippendorff_examples.json").read_text())
    for case in cases.values():
        if "rows_are_coders" not in case:
            continue
        view = coders(case["rows_are_coders"])
        for scale, value in case["published_alpha"].items():
            ours = measure(f"alpha(scale={scale})")(view)[0]
            assert ours == pytest.approx(value, abs=5e-4)
        for scale, value in case["computed_alpha"].items():
            assert measure(f"alpha(scale={scale})")(view)[0] == pytest.approx(value, abs=1e-12)
    easy = cases["nltk_easy"]
    table = pl.DataFrame(easy["triples"], schema=["assessor", "item", "label"], orient="row")
    scores = assay.agreement(table, "alpha", interval=None)
    assert scores["alpha"]["assessors"] == pytest.approx(easy["alpha_nominal"])


@pytest.mark.shared
def test_artstein_and_poesio(shared_data: Path) -> None:
    """Table 1 of Artstein and Poesio 2008: 88 of 100 items alike; π .7995 and κ .8013 by hand."""
    text = (shared_data / "agreement/artstein_poesio_example.txt").read_text()
    rows = [line.split() for line in text.splitlines() if line.strip()]
    table = pl.DataFrame(rows, schema=["assessor", "item", "label"], orient="row")
    scores = assay.agreement(table, "percent kappa pi alpha", interval=None)
    assert scores["percent"]["assessors"] == pytest.approx(0.88)
    assert scores["kappa"]["assessors"] == pytest.approx(0.8013, abs=5e-4)
    assert scores["pi"]["assessors"] == pytest.approx(0.7995, abs=5e-4)


def test_gwet_and_fleiss_with_missing_ratings_as_published() -> None:
    """The four raters of Krippendorff 2011 in Gwet's handbook: AC1 .77544, Fleiss .76117."""
    view = coders(KRIPPENDORFF_2011)
    assert measure("AC1")(view)[0] == pytest.approx(0.77544, abs=5e-6)
    assert measure("fleiss")(view)[0] == pytest.approx(0.76117, abs=5e-6)


def test_the_paradox_of_kappa_is_none_for_gwet() -> None:
    # 118 yes-yes, 5 yes-no, 2 no-yes, 0 no-no: Feinstein and Cicchetti's kind of table.
    one, two = "y" * 118 + "y" * 5 + "n" * 2, "y" * 118 + "n" * 5 + "y" * 2
    assert measure("kappa", "agreement")(rated(one, two).by("pair"))[0] < 0
    assert measure("AC1")(rated(one, two))[0] > 0.9


def test_quadratic_weights_count_full_agreement_as_one() -> None:
    for weights in ("none", "linear", "quadratic"):
        assert measure(f"AC1(weights={weights})")(rated("0123", "0123"))[0] == 1


@pytest.mark.parametrize(
    ("name", "words", "reason"),
    [
        ("kappa", ("aaa", "aaa"), "the same single label"),
        ("kappa", ("aa..", "..bb"), "share no item"),
        ("percent", ("aa..", "..bb"), "share no item"),
        ("pi", ("aaa", "aaa"), "the same single label"),
        ("alpha", ("aaa", "aaa"), "all ratings are one label"),
        ("alpha", ("ab..", "..ab"), "no item was rated twice"),
        ("fleiss", ("aaa", "aaa"), "all ratings are one label"),
        ("AC1", ("aaa", "aaa"), "only one label"),
        ("relevant_overlap", ("000", "000"), "neither found anything relevant"),
    ],
)
def test_undefined_with_its_reason(name: str, words: Any, reason: str) -> None:
    asked = measure(name, "agreement")
    view = rated(*words)
    values = asked(view.by(asked.definition.unit))
    assert np.isnan(values).all()
    declared = asked.definition.undefined
    assert reason in f"{declared.truth} {declared.answer}"


def test_each_assessor_against_the_rest() -> None:
    words = ("aabbaabb", "aabbaabb", "abababab")
    values = measure("percent_rest")(rated(*words).by("assessor"))
    assert values.tolist() == [0.75, 0.75, 0.5]


def test_resamples_count_items_again() -> None:
    words = random_words(3, 12, 5, gaps=True)
    counts = np.random.default_rng(6).integers(0, 3, (3, 12)).astype(float)
    for name in ("alpha", "fleiss", "AC1", "kappa", "percent_rest"):
        asked = measure(name, "agreement")
        values = asked(rated(*words).reweight(counts).by(asked.definition.unit)).reshape(3, -1)
        for row, value in zip(counts.astype(int), values, strict=True):
            again = ["".join(mark * n for mark, n in zip(w, row, strict=True)) for w in words]
            alone = asked(rated(*again).by(asked.definition.unit))
            assert value == pytest.approx(alone, abs=1e-12, nan_ok=True)


def ratings(**changed: Any) -> Any:
    data = {"item": ["x", "x", "y", "y"], "assessor": ["a", "b"] * 2, "label": [1, 1, 2, 1]}
    return data | changed


def test_by_topic_items_of_two_topics_are_different() -> None:
    data = ratings(item=["d1", "d1", "d1", "d1"], topic=["t1", "t1", "t2", "t2"])
    scores = assay.agreement(data, "percent", topic="topic", interval=None)
    assert scores["percent"] == {"assessors": 0.5}
    assert scores.slices == ("topic=t1", "topic=t2")
    assert [scores.of("percent", part)[0].value for part in scores.slices] == [1.0, 0.0]


def test_a_topic_may_be_called_like_the_system(tmp_path: Path) -> None:
    data = ratings(item=["d1"] * 4, topic=["assessors", "assessors", "all", "all"])
    scores = assay.agreement(data, "percent", topic="topic", interval=None)
    scores.save(tmp_path / "scores.parquet")
    again = assay.load(tmp_path / "scores.parquet")
    assert [len(each.units) for each in again.results] == [1, 1, 1]
    assert again.to_json() == scores.to_json()


@pytest.mark.parametrize(
    ("data", "options", "complaint"),
    [
        (
            ratings(item=["x"] * 4),
            {},
            "row 3: the item x of assessor a occurs twice",
        ),
        (ratings(label=[1, 1, 9, 1]), {"labels": ["1", "2"]}, "row 3: the label '9' is not among"),
        (ratings(label=["p", "q", "p", "p"]), {"scale": "interval"}, "row 1: the label 'p' is not"),
        (ratings(label=["p", "q", "p", "p"]), {"scale": "ordinal"}, "name the labels in their"),
        (ratings(label=[1, 1, -2, 1]), {"scale": "ratio"}, "row 3: the label -2 is below 0"),
        (ratings(label=[1, None, 2, 1]), {}, "row 2: there is no label"),
    ],
)
def test_bad_ratings_are_refused_with_their_row(data: Any, options: Any, complaint: str) -> None:
    with pytest.raises(AssayError, match=complaint):
        assay.agreement(data, **options)


def test_numbers_are_ordered_by_size() -> None:
    labels = build_rating_table(Ratings.of(pl.DataFrame(ratings(label=[10, 9, 2, 10])))).labels
    assert labels == ("2", "9", "10")


def test_the_scale_reaches_every_measure_that_takes_one() -> None:
    scores = assay.agreement(ratings(), "alpha kappa", scale="ordinal", interval=None)
    assert scores.measures == ("alpha(scale=ordinal)", "kappa")

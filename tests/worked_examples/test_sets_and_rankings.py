"""The worked examples of the lectures on sets of documents and rankings, binary and graded."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from tests.cli.terminal import call

import assay

LIST = "++-+-+------+-"
"""Five relevant documents in all, at ranks 1, 2, 4, 6 and 13 of 14."""


Table = dict[str, dict[str, float]]


def tables(*words: str) -> tuple[Table, Table]:
    """Judgments and scores that make the rankings drawn, a query each."""
    qrels: Table = {}
    run: Table = {}
    grades = {"+": 1, "-": 0} | {str(digit): digit for digit in range(10)}
    for query, word in enumerate(words):
        found, _, rest = word.partition("|")
        marks = enumerate(found + rest)
        qrels[str(query)] = {f"d{n}": grades[mark] for n, mark in marks if mark != "?"}
        run[str(query)] = {f"d{n}": float(-n) for n in range(len(found))}
    return qrels, run


def through_dicts(name: str, *words: str) -> float:
    """The same through the public function: a dict of judgments and a dict of scores."""
    return assay.retrieval(*tables(*words), [name], interval=None).results[0].value


one = through_dicts


Sizes = tuple[int, int, int]
"""Retrieved, retrieved and relevant, relevant."""


def drawn(*sizes: Sizes) -> tuple[str, ...]:
    """The sets as words: what is found first, then other documents, then what is missed."""
    return tuple(
        "+" * found + "?" * (retrieved - found) + "|" + "+" * (relevant - found)
        for retrieved, found, relevant in sizes
    )


def values(name: str, *sizes: Sizes, corpus: int | None = None) -> np.ndarray:
    """The value of each set, a query each."""
    scores = assay.retrieval(*tables(*drawn(*sizes)), [name], corpus=corpus, interval=None)
    return np.asarray(scores.results[0].values)


def through_the_command(folder: Path, names: str, *words: str, options: str = "") -> list[float]:
    """The same through files and ``assay retrieval``."""
    qrels, run = tables(*words)
    judged = [f"{q} 0 {doc} {grade}" for q, docs in qrels.items() for doc, grade in docs.items()]
    listed = [f"{q} Q0 {doc} 1 {score} x" for q, docs in run.items() for doc, score in docs.items()]
    (folder / "qrels").write_text("\n".join(judged) + "\n")
    (folder / "run").write_text("\n".join(listed) + "\n")
    files = [str(folder / "qrels"), str(folder / "run")]
    called = call("retrieval", *files, "-m", names, "--format", "json", *options.split())
    assert called.code == 0, called.err
    return [row["value"] for row in json.loads(called.out)["summary"]]


def printed(value: float, digits: int = 2) -> object:
    """Equal within half a unit of the last digit printed."""
    return pytest.approx(value, abs=0.5 * 10**-digits + 1e-9)


class TestSets:
    @pytest.mark.parametrize(
        ("given", "precision", "recall", "f"),
        [((14, 7, 20), 0.50, 0.35, 0.41), ((6, 4, 20), 0.67, 0.20, 0.31)],
    )
    def test_two_methods(self, given: Sizes, precision: float, recall: float, f: float) -> None:
        for name, wanted in (("P", precision), ("R", recall), ("F", f)):
            assert values(name, given)[0] == printed(wanted)

    def test_f_in_its_two_forms(self) -> None:
        sizes = ((14, 7, 20), (6, 4, 20), (9, 0, 3), (5, 5, 5))
        for beta in (0.5, 1, 2, 3):
            alpha = 1 / (1 + beta**2)
            both = [values(f"F({each})", *sizes) for each in (f"beta={beta}", f"alpha={alpha}")]
            assert np.allclose(*both)
        assert np.allclose(values("F(beta=0)", *sizes), values("P", *sizes))
        assert np.allclose(values("F(beta=1e9)", *sizes), values("R", *sizes))

    def test_fallout_and_generality(self) -> None:
        sizes = ((14, 7, 20), (6, 4, 20), (30, 1, 2))
        f, p, g, r = (
            values(name, *sizes, corpus=100) for name in ("fallout", "P", "generality", "R")
        )
        assert np.allclose(f * p * (1 - g), r * g * (1 - p))
        assert np.array_equal(values("total_recall", *sizes, corpus=100), g)

    def test_without_the_size_of_the_collection_they_are_undefined_with_a_reason(self) -> None:
        for name in ("fallout", "generality", "ACC"):
            for policy in ("undefined", "zero"):
                judged, run = tables(*drawn((14, 7, 20)))
                chosen = {"no_relevant": policy}
                scores = assay.retrieval(judged, run, name, policies=chosen, interval=None)
                assert math.isnan(scores.results[0].value)
                assert "collection" in str(scores.results[0].reasons[0])

    def test_micro_and_macro(self) -> None:
        judged, run = tables(*drawn((14, 7, 20), (6, 4, 20)))
        names = ["P", "P(average=micro)", "R", "R(average=micro)"]
        found = [each.value for each in assay.retrieval(judged, run, names, interval=None).results]
        assert found == pytest.approx([(7 / 14 + 4 / 6) / 2, 11 / 20, 11 / 40, 11 / 40])

    def test_every_measure_of_sets_can_be_pooled(self) -> None:
        # Together 24 retrieved, 11 of them relevant, 44 relevant; the third retrieves nothing.
        judged, run = tables(*drawn((14, 7, 20), (10, 4, 20), (0, 0, 4)))
        expected = {
            "P": 11 / 24,
            "R": 11 / 44,
            "F": 2 * 11 / (24 + 44),
            "F(form=count)": 2 * 11 / (24 + 44),
            "relP": 11 / (14 + 10 + 0),
            "fallout": (24 - 11) / (300 - 44),
            "generality": 44 / 300,
            "ACC": (11 + 300 - 24 - 44 + 11) / 300,
            "TNR": (300 - 24 - 44 + 11) / (300 - 44),
            "FNR": 33 / 44,
            "error_rate": (13 + 33) / 300,
            "Jaccard": 11 / (24 + 44 - 11),
            "SetAP": (49 + 16) / (14 * 20 + 10 * 20),
            "utility": (11 - 13) / 3,
        }
        for name, wanted in expected.items():
            asked = f"{name}:average=micro"
            found = assay.retrieval(judged, run, asked, corpus=100, interval=None).results[0]
            assert found.value == pytest.approx(wanted), name

    def test_five_models(self) -> None:
        models = {
            "method": [f"M{n}" for n in range(1, 6)],
            "retrieved": [80, 90, 120, 0, 50],
            "relevant_retrieved": [80, 70, 100, 0, 50],
            "relevant": [100] * 5,
            "corpus": [120] * 5,
        }
        evidence = assay.ConfusionEvidence.read(models)
        nothing = math.nan
        expected = {
            "P": [1, 0.78, 0.83, nothing, 1],
            "R": [0.8, 0.7, 1, 0, 0.5],
            # The lecture truncates the fourth to .16.
            "ACC": [0.83, 0.58, 0.83, 0.17, 0.58],
            "F": [0.89, 0.74, 0.91, nothing, 0.67],
            "F(form=count)": [0.89, 0.74, 0.91, 0, 0.67],
        }
        for name, row in expected.items():
            results = evidence.scores([name], interval=None).results
            for result, wanted in zip(results, row, strict=True):
                undefined = math.isnan(wanted)
                assert math.isnan(result.value) if undefined else result.value == printed(wanted)
        result = evidence.scores("P", interval=None).results[3]
        assert result.undefined == {"no item was predicted to be of the class": 1}


class TestBinaryRankings:
    def test_precision_and_recall_at_each_rank(self) -> None:
        precision = [1, 1, 0.67, 0.75, 0.60, 0.67, 0.57, 0.50, 0.44, 0.40, 0.36, 0.33, 0.38, 0.36]
        recall = [0.2, 0.4, 0.4, 0.6, 0.6, *[0.8] * 7, 1, 1]
        for rank, (p, r) in enumerate(zip(precision, recall, strict=True), 1):
            assert one(f"P@{rank}", LIST) == printed(p)
            assert one(f"R@{rank}", LIST) == printed(r)
        assert one("P@3", LIST) == pytest.approx(2 / 3)
        assert one("R@3", LIST) == pytest.approx(2 / 5)
        assert one("AP", LIST) == printed(0.76)
        assert through_dicts("AP", LIST) == printed(0.76)

    def test_system_efficiency(self) -> None:
        assert one("E", LIST) == printed(0.725, 3)
        assert one("E(form=curve)", LIST) == printed(0.725, 3)
        # At the standard recalls the curve may come less near than the points do.
        assert one("E", "++|+") > one("E(form=curve)", "++|+")

    def test_points_and_interpolated_curve(self) -> None:
        word = "-+--+--+--|+"
        points = [(one(f"R@{rank}", word), one(f"P@{rank}", word)) for rank in (2, 5, 8)]
        assert [r for r, _ in points] == [0.25, 0.50, 0.75]
        assert [p for _, p in points] == [printed(0.50), printed(0.40), printed(0.38)]
        wanted = [0.5, 0.5, 0.5, 0.4, 0.4, 0.4, 0.38, 0.38, 0, 0, 0]
        found = [one(f"IPrec@{level / 10}", word) for level in range(11)]
        assert found == [printed(each) for each in wanted]
        (curve,) = assay.plot("pr", *tables(word)).points.values()
        assert curve["precision"].tolist() == found

    def test_interpolation_of_given_points(self) -> None:
        precision = [0.1, 0.5, 0.6, 0.6, 0.5, 0.5, 0.7, 0.9, 1]
        recall = [1, 0.9, 0.7, 0.5, 0.4, 0.4, 0.3, 0.1, 0]
        found = assay.pr({"precision": precision, "recall": recall})
        at = dict(zip(found.interpolated["recall"], found.interpolated["points"], strict=True))
        assert [at[level] for level in (0, 0.5, 0.9, 1)] == [1, 0.6, 0.5, 0.1]
        assert found.summary["11pt_avg"][0] == printed(0.62)

    def test_average_over_what_was_found(self) -> None:
        # The lecture prints .75 for the second: it uses the precisions of the first again.
        lists = {"+-+++--+": 0.77, "+-+-++-+": 0.71, "+-+-++--": 0.73}
        for word, wanted in lists.items():
            assert one("AP(denominator=found)", word + "|+++") == printed(wanted)
        assert through_dicts("AP(denominator=found)", "+-+++--+", "+-+-++--") == printed(0.75)
        # As the formula is printed there, it divides by the documents: 3.84 / 8.
        assert one("AP(denominator=retrieved)", "+-+++--+|+++") == printed(0.48)

    def test_the_denominators_of_average_precision(self) -> None:
        word = "+-+|+++"
        total = 1 + 2 / 3
        assert one("AP", word) == pytest.approx(total / 5)
        assert one("AP@3", word) == pytest.approx(total / 5)
        assert one("AP(denominator=reachable)@3", word) == pytest.approx(total / 3)
        assert one("AP(denominator=found)", word) == pytest.approx(total / 2)
        assert one("AP(denominator=retrieved)", word) == pytest.approx(total / 3)

    def test_three_meanings_of_r_precision(self) -> None:
        assert one("Rprec", "-++") == pytest.approx(1 / 2)
        assert one("Rprec(form=largest,recall=0.5)", "-++") == printed(0.67)
        assert one("Rprec(form=first,recall=0.5)", "-++") == printed(0.5)

    def test_average_precision_over_interpolated_precision(self) -> None:
        assert one("AP", "-++") == pytest.approx((1 / 2 + 2 / 3) / 2)
        assert one("AP(interpolated=true)", "-++") == pytest.approx(2 / 3)
        assert one("AUPRC(form=interpolated)", "-++") == pytest.approx(2 / 3)

    def test_break_even_point(self) -> None:
        rank = 5
        assert one(f"P@{rank}", LIST) == one(f"R@{rank}", LIST) == one("BEP", LIST)
        assert one("BEP(form=curve)", LIST) == pytest.approx(2 / 3)

    def test_curves_of_many_queries_in_two_ways(self) -> None:
        judged, run = tables("+-+-", "-+|+")
        (ranked,) = assay.plot("pr", judged, run, ranks=[1, 2]).points.values()
        assert ranked["precision"].tolist() == [0.5, 0.5]
        assert ranked["recall"].tolist() == [0.25, 0.5]
        (recalled,) = assay.plot("pr", judged, run).points.values()
        at = dict(zip(recalled["recall"].tolist(), recalled["precision"].tolist(), strict=True))
        assert [at[0.5], at[1]] == pytest.approx([(1 + 1 / 2) / 2, (2 / 3 + 0) / 2])


class TestGradedRankings:
    WORD = "0213020313|3322222222"
    """The collection has five documents of grade 3 and ten of grade 2."""

    ROWS = (
        # k, CG, CG/(3k), DCG, IDCG, nDCG
        (1, 0, 0.00, 0.00, 3.00, 0.00),
        (2, 2, 0.33, 1.26, 4.89, 0.26),
        (3, 3, 0.33, 1.76, 6.39, 0.28),
        (4, 6, 0.50, 3.05, 7.68, 0.40),
        (5, 6, 0.40, 3.05, 8.85, 0.35),
        (6, 8, 0.44, 3.77, 9.56, 0.39),
        (7, 8, 0.38, 3.77, 10.22, 0.37),
        (8, 11, 0.46, 4.71, 10.86, 0.43),
        (9, 12, 0.44, 5.01, 11.46, 0.44),
        (10, 15, 0.50, 5.88, 12.04, 0.49),
    )

    @pytest.mark.parametrize(("k", "cg", "share", "dcg", "ideal", "ndcg"), ROWS)
    def test_the_table(
        self, k: int, cg: float, share: float, dcg: float, ideal: float, ndcg: float
    ) -> None:
        assert one(f"CG@{k}", self.WORD) == cg
        assert one(f"nCG(gmax=3)@{k}", self.WORD) == printed(share)
        assert one(f"DCG@{k}", self.WORD) == printed(dcg)
        assert one(f"IDCG@{k}", self.WORD) == printed(ideal)
        assert one(f"nDCG@{k}", self.WORD) == printed(ndcg)
        assert through_dicts(f"nDCG@{k}", self.WORD) == printed(ndcg)

    def test_precision_with_any_grade_as_relevant(self) -> None:
        assert one("P@10", self.WORD) == printed(0.70)

    def test_six_documents(self) -> None:
        # The lecture prints 7.2 for the ideal, and a formula with (rel − 1)/(log2 i + 1).
        word = "323012"
        assert one("CG", word) == 11
        assert one("DCG", word) == printed(6.9, 1)
        assert one("IDCG", word) == printed(7.1, 1)
        assert one("nDCG", word) == printed(0.96)
        with_more = word + "|33"
        assert one("nDCG(ideal=retrieved)", with_more) == printed(0.96)
        assert one("nDCG", with_more) < 0.9

    def test_normalized_gain_of_binary_relevance_is_precision(self) -> None:
        for k in (1, 3, 7, 20):
            assert one(f"nCG(gmax=1)@{k}", LIST) == pytest.approx(one(f"P@{k}", LIST))

    def test_mean_reciprocal_rank(self) -> None:
        assert through_dicts("RR", "+--", "--+", "-+-", "---|+") == printed(0.458, 3)

    def test_discounts_and_gains(self) -> None:
        assert one("DCG(discount=older)", "323") == pytest.approx(3 + 2 / 1 + 3 / math.log2(3))
        assert one("DCG(gain=exp)", "32") == pytest.approx(7 + 3 / math.log2(3))
        assert one("DCG(base=10)", "32") == pytest.approx(3 / math.log10(2) + 2 / math.log10(3))

    def test_expected_reciprocal_rank(self) -> None:
        assert one("ERR(gmax=3)", "302") == printed(0.891, 3)
        for word in ("+--", "--+", "-+-+", "---|+"):
            assert one("ERR(gmax={1:1})", word) == one("RR", word)


class TestTheCommand:
    def test_sets(self, tmp_path: Path) -> None:
        word = "+" * 80 + "|" + "+" * 20
        found = through_the_command(tmp_path, "P R ACC F", word, options="--corpus 120")
        assert found == [printed(each) for each in (1, 0.8, 0.83, 0.89)]

    def test_binary_rankings(self, tmp_path: Path) -> None:
        found = through_the_command(tmp_path, "P@3 R@3 AP", LIST)
        assert found == [printed(each) for each in (0.67, 0.4, 0.76)]
        assert through_the_command(tmp_path, "E", LIST) == [printed(0.725, 3)]

    def test_graded_rankings(self, tmp_path: Path) -> None:
        found = through_the_command(tmp_path, "CG@10 DCG@10 nDCG@10", TestGradedRankings.WORD)
        assert found == [printed(each) for each in (15, 5.88, 0.49)]
        found = through_the_command(tmp_path, "ERR(gmax=3)", "302")
        assert found == [printed(0.891, 3)]
        found = through_the_command(tmp_path, "RR", "+--", "--+", "-+-", "---|+")
        assert found == [printed(0.458, 3)]

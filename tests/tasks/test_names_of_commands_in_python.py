"""What commands do, in Python under the same names; what a slip of a user gets as an answer."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.cli.terminal import call

import assay
from assay.core.errors import UsageError

QRELS = {"q1": {"a": 1}, "q2": {"c": 1}}
RUNS = {
    "one": {"q1": {"b": 2.0, "a": 1.0}, "q2": {"c": 1.0}},
    "two": {"q1": {"a": 1.0}, "q2": {"x": 2.0, "c": 1.0}},
}


def test_one_number_is_explained() -> None:
    scores = assay.retrieval(QRELS, RUNS, "RR")
    assert assay.explain(scores, "RR", "q1", system="one").value == 0.5
    with pytest.raises(UsageError, match="no system 'three' \\(there are one, two"):
        assay.explain(scores, "RR", "q1", system="three")
    with pytest.raises(UsageError, match="query by query"):
        assay.explain(scores, "RR", system="one")
    classes = assay.classification([1, 0, 1, 1], [1, 0, 0, 1])
    assert assay.explain(classes, "ACC").value == 0.75
    with pytest.raises(UsageError, match="no queries"):
        assay.explain(classes, "ACC", "q1")


def test_loaded_scores_have_no_items_to_explain_or_draw(tmp_path: Path) -> None:
    scores = assay.classification([1, 0, 1, 1], y_score=[0.9, 0.2, 0.4, 0.8])
    scores.save(tmp_path / "scores.parquet")
    loaded = assay.load(tmp_path / "scores.parquet")
    with pytest.raises(UsageError, match="evaluate again"):
        assay.explain(loaded, "ACC")
    with pytest.raises(UsageError, match=r"have no items, so that 'roc' cannot be drawn; plot\(\)"):
        loaded.plot("roc")
    with pytest.raises(UsageError, match=r"no figure 'rco'.*Did you mean roc"):
        loaded.plot("rco")
    with pytest.raises(UsageError, match=r"cannot be drawn for classification; there are.* roc"):
        scores.plot("venn")


def test_the_measures_of_a_task() -> None:
    found = assay.catalogue("clustering")
    assert {each.task for each in found.values()} == {"clustering"}
    assert len(found) == len(assay.catalogue().of_task("clustering"))
    assert "clustering.purity" in str(found)
    with pytest.raises(UsageError, match=r"no task 'clusterin'.*Did you mean clustering"):
        assay.catalogue("clusterin")


def test_what_is_not_fitted_is_said() -> None:
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    items, truth = np.arange(8.0)[:, None], np.arange(8) % 2
    with pytest.raises(UsageError, match="LogisticRegression is not fitted: call fit"):
        assay.evaluate(LogisticRegression(), items, truth)
    pipeline = make_pipeline(StandardScaler(), LogisticRegression())
    with pytest.raises(UsageError, match="lr is not fitted"):
        assay.evaluate({"lr": pipeline}, items, truth)
    with pytest.raises(UsageError, match="lr is not an estimator"):
        assay.evaluate({"lr": LogisticRegression}, items, truth)
    with pytest.raises(UsageError, match="not an estimator"):
        assay.evaluate("LogisticRegression", items, truth)


def test_scores_without_costs() -> None:
    with pytest.raises(UsageError, match="no costs; give them"):
        assay.cost(assay.retrieval(QRELS, RUNS, "RR"))


def test_fused_queries_are_in_natural_order_and_no_file_is_named() -> None:
    queries = [f"q{number}" for number in range(1, 12)]
    runs = [{query: {"a": 1.0, "b": 0.5} for query in queries} for _ in range(2)]
    fused = assay.fuse(runs)
    assert fused.frame["query"].unique(maintain_order=True).to_list() == queries
    judged = {query: {"a": 1} for query in queries}
    assert "files:" not in str(assay.retrieval(judged, {"one": runs[0], "fused": fused}, "AP"))


def test_a_task_is_compared_and_gated_by_a_column_of_its_items(tmp_path: Path) -> None:
    rows = [f"{n % 2},{n % 2},{int(n % 3 > 0)},{'old' if n < 20 else 'young'}" for n in range(40)]
    table = tmp_path / "items.csv"
    table.write_text("\n".join(["y,a,b,age", *rows]) + "\n")
    columns = ("--truth", "y", "--predicted", "a", "--predicted", "b", "--by", "age")
    given = (str(table), *columns, "-m", "ACC")
    compared = call("compare", "classification", *given)
    assert "age=old" in compared.out
    assert "age=young" in compared.out
    gated = call("gate", "classification", *given, "--floor", "0.9")
    assert gated.code == 3
    assert "age=young" in gated.out


def test_several_orders_are_a_dict() -> None:
    first = [1.0, 2.0, 3.0, 4.0]
    scores = assay.correlation(first, {"same": first, "reverse": first[::-1]}, "tau")
    assert scores["tau"] == {"same": 1.0, "reverse": -1.0}


def test_saved_scores_whose_bytes_changed_are_no_table(tmp_path: Path) -> None:
    path = tmp_path / "scores.parquet"
    assay.retrieval(QRELS, RUNS, "RR").save(path)
    content = bytearray(path.read_bytes())
    content[53] ^= 53  # The size of a page: Polars would ask for more memory than there is.
    path.write_bytes(content)
    for command in ("report", "check", "classification"):
        done = call(command, str(path))
        assert done.code == 1
        assert "its bytes changed after it was saved" in done.out + done.err

"""Notes on grades that the requested measures cannot use."""

from __future__ import annotations

import assay

RUN = {"q1": {"a": 2.0, "b": 1.0}, "q2": {"c": 1.0}}


def test_a_relevance_level_above_every_grade() -> None:
    binary = {"q1": {"a": 1, "b": 0}, "q2": {"c": 1}}
    found = assay.retrieval(binary, RUN, "P(rel=2) AP(rel=2)@5 nDCG AP(rel=3) P", interval=None)
    two, three = found.warnings
    assert two.startswith("P(rel=2), AP(rel=2)@5: no document has a grade of 2 or higher")
    assert two.endswith("the highest grade in qrels is 1")
    assert three.startswith("AP(rel=3): ")
    by_option = assay.retrieval(binary, RUN, "P nDCG", rel=2, interval=None)
    assert [each.partition(":")[0] for each in by_option.warnings] == ["P(rel=2)"]


def test_grades_that_reach_the_level() -> None:
    graded = {"q1": {"a": 2, "b": 0}, "q2": {"c": 1}}
    assert assay.retrieval(graded, RUN, "P(rel=2) AP", interval=None).warnings == ()

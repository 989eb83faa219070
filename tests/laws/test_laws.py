"""The laws, over the whole catalogue: a measure that is declared is tried, with its variants."""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any

import pytest
import tests.laws.views
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.laws.law import Law, ViewLaws

from assay.core.catalogue import catalogue
from assay.core.names import Measure, declared_variants


def _known() -> dict[type, ViewLaws]:
    found = pkgutil.iter_modules(tests.laws.views.__path__, "tests.laws.views.")
    listed = [importlib.import_module(each.name).LAWS for each in found]
    return {laws.view: laws for laws in listed}


KNOWN = _known()
MEASURES = [each for definition in catalogue().values() for each in declared_variants(definition)]
PLAIN = {declared_variants(definition)[0] for definition in catalogue().values()}
"""The measures as they stand; their variants, which share the code, are tried on fewer examples."""
CASES = [
    pytest.param(measure, law, id=f"{measure.definition.task}.{measure}-{law.name}")
    for measure in MEASURES
    if measure.definition.view in KNOWN
    for law in KNOWN[measure.definition.view].all_laws()
]


def _exemption(measure: Measure, law: Law) -> bool:
    return any(each.law == law.name for each in measure.definition.exempt)


@pytest.mark.parametrize(("measure", "law"), CASES)
def test_law(measure: Measure, law: Law) -> None:
    if _exemption(measure, law):
        return

    @settings(max_examples=law.tries if measure in PLAIN else (law.tries + 2) // 3)
    @given(law.examples)
    def check(example: object) -> None:
        assert law.holds(measure, example), f"{measure} breaks the law '{law.name}' on {example!r}"

    check()


EXEMPTIONS = [
    pytest.param(measure, exemption, id=f"{measure.definition.key}-{exemption.law}")
    for measure in MEASURES
    for exemption in measure.definition.exempt
]


@pytest.mark.parametrize(("measure", "exemption"), EXEMPTIONS or [pytest.param(None, None)])
def test_exemption_has_a_true_counterexample(measure: Measure | None, exemption: Any) -> None:
    if measure is None:
        return
    laws = {law.name: law for law in KNOWN[measure.definition.view].all_laws()}
    assert exemption.law in laws, f"there is no law '{exemption.law}'"
    assert exemption.why
    variants = declared_variants(measure.definition)
    assert any(
        not laws[exemption.law].holds(each, _plain(exemption.example)) for each in variants
    ), "the example does not break the law: the exemption is not needed"


def _plain(example: object) -> object:
    return example[0] if isinstance(example, tuple) and len(example) == 1 else example


@pytest.mark.parametrize("view", sorted({d.view for d in catalogue().values()}, key=str))
def test_every_view_has_laws(view: type) -> None:
    assert view in KNOWN, f"write tests/laws/views/….py for {view.__name__}"


@given(st.sampled_from(MEASURES))
def test_a_name_prints_as_it_reads(measure: Measure) -> None:
    from assay.core.names import measure as read

    assert read(measure.name, measure.definition.task) == measure
    assert read(f"{measure.definition.task}.{measure.name}") == measure

from __future__ import annotations

import pytest
from scipy.special import ndtr, stdtrit

from assay.core.closed_form_intervals import normal_cdf, student_quantile


@pytest.mark.parametrize("freedom", [1, 2, 3, 7, 29, 49, 249, 1000, 6979, 1_000_000])
@pytest.mark.parametrize("share", [0.4999, 0.25, 0.1, 0.05, 0.025, 0.005, 1e-4, 1e-8])
def test_points_of_student(freedom: int, share: float) -> None:
    assert student_quantile(freedom, share) == pytest.approx(stdtrit(freedom, share), rel=1e-9)


@pytest.mark.parametrize("point", [-8.0, -1.96, -0.1, 0.0, 1.0, 3.0])
def test_shares_of_the_normal_distribution(point: float) -> None:
    assert normal_cdf(point) == pytest.approx(float(ndtr(point)), rel=1e-13)

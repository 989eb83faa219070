"""Names that significance tests have elsewhere, or had before."""

from __future__ import annotations

TEST_ALIASES = {
    "randomised-tukey": "randomized-tukey",
    "nemenyi": "friedman",
    "delong": "randomization",
    **dict.fromkeys(("ttest_rel", "ttest", "t-test", "student", "paired-t"), "t"),
    **dict.fromkeys(("permutation", "fisher"), "randomization"),
}
"""Other names of tests, and the test that is meant; areas have DeLong's test whatever the name."""
CORRECTION_ALIASES = {
    **dict.fromkeys(("fdr", "fdr_bh", "benjamini-hochberg"), "bh"),
    **dict.fromkeys(("fdr_by", "benjamini-yekutieli"), "by"),
    "simes-hochberg": "hochberg",
}
"""Names that statsmodels and others have for corrections."""
AREA_TEST = "delong"
"""The name under which only areas are compared."""

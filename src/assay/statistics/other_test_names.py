"""Names that significance tests have elsewhere, or had before."""

from __future__ import annotations

TEST_ALIASES = {
    "randomised-tukey": "randomized-tukey",
    "nemenyi": "friedman",
    "delong": "randomization",
}
"""Other names of tests, and the test that is meant; areas have DeLong's test whatever the name."""
AREA_TEST = "delong"
"""The name under which only areas are compared."""

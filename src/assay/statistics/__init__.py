"""Statistics: intervals, tests, corrections, effect sizes, power."""

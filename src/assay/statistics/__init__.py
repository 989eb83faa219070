"""How sure: intervals, tests, corrections, effect sizes, power."""

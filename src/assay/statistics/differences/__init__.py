"""Differences of systems: values paired by unit, effect sizes and tests."""

"""Groupings by the points alone, without a gold standard."""

"""Alignment: judgments and a run to ranked lists, in one place."""

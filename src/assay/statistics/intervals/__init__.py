"""Intervals: settings, methods and resampling."""

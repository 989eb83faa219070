"""Tests of many systems at once: one file is one test, found by its file.

Each takes a table of units × systems without gaps, and yields a p-value for every pair of systems
that already holds for the whole family of pairs.
"""

"""Paired tests: one file is one test, found by its file.

Each takes differences, a row for each unit and a column for each pair of systems, and tests all
columns at once. A column's result depends on that column alone.
"""

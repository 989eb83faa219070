"""Paired tests: every module of this folder declares one test or several variants of it.

A test takes differences, with a row for each unit and a column for each pair of systems, and tests
all columns at once. The result of a column depends on that column alone.
"""

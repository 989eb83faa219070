"""Tests of many systems at once: every module of this folder declares one test or its variants.

A test takes a table of units × systems without gaps, and returns a p-value for every pair of
systems that is corrected for the whole family of pairs.
"""

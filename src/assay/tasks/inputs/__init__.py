"""Inputs of tasks: named columns, missing values, slices, ratings."""

"""Splits of data into parts for training, development and evaluation."""

"""Tuning: parameters are chosen on validation data, and the choice is reported on test data."""

"""A choice: thresholds by a goal."""

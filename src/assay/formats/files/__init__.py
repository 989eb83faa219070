"""File formats of judgments and runs: a module each, with a variable `FORMAT`."""

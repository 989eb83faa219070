"""The command line: one file is one command, thin over the library."""

from assay.cli.application import main, start

__all__ = ["main", "start"]

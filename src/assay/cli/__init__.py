"""The command line: one file is one command, thin over the library."""

from assay.cli.application import main

__all__ = ["main"]

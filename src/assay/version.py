"""The version of Assay."""

VERSION = "0.1.0"

"""The version of Assay, said once."""

VERSION = "0.1.0"

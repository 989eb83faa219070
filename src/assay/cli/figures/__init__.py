"""The figures that ``assay plot`` draws, kind by kind."""

"""Views to numbers, curves and traces: the catalogue, one place per measure."""

"""Views: flat arrays from which measures are computed."""

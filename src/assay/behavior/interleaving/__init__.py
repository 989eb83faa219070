"""Interleaving: lists merged from the rankings of several systems, and whom users prefer."""

"""Builders: tables to views."""

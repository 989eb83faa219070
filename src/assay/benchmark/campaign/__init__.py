"""Campaigns: many people make one benchmark."""

"""The database of a campaign: the only part that knows SQL."""

"""Making test collections: what assessors said, put together."""

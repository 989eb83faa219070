"""Passwords and tokens: only their hashes are stored."""

from __future__ import annotations

import functools
import hashlib
import secrets
from typing import Any

from assay.core.errors import MissingExtra, UsageError

SHORTEST = 10
LONGEST = 1000
"""Characters of a password; a longer one costs time to hash."""


@functools.cache
def _hasher() -> Any:
    try:
        import argon2
    except ModuleNotFoundError as missing:
        raise MissingExtra("argon2-cffi", "web") from missing
    return argon2.PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)


@functools.cache
def _hash_of_nobody() -> str:
    return str(_hasher().hash(secrets.token_hex()))


def hash_password(password: str) -> str:
    """Return the Argon2 hash of a password; refuse one that is too short or too long."""
    if not SHORTEST <= len(password) <= LONGEST:
        raise UsageError(f"a password has {SHORTEST} to {LONGEST} characters")
    return str(_hasher().hash(password))


def check_password(stored: str | None, password: str) -> bool:
    """Return whether a password is right; without a stored one, take as long and say no."""
    import argon2

    try:
        right = _hasher().verify(stored or _hash_of_nobody(), password[:LONGEST])
    except (argon2.exceptions.VerificationError, argon2.exceptions.InvalidHashError):
        return False
    return bool(right) and stored is not None


def new_token() -> str:
    """Return a random token that fits into an address."""
    return secrets.token_urlsafe(32)


def hash_token(token: str) -> str:
    """Return the hash of a random token, under which it is stored."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()

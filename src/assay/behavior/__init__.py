"""User behavior: interleaving, online experiments and laboratory experiments."""

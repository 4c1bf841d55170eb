"""Chance that can be checked afterwards, and tokens that cannot be forged."""

"""Miniatures solved: the whole tree of a small game, CFR+, and exact best responses."""

from typing import Final

MOST_NODES: Final = 2_000_000
"""The largest tree that is built unless somebody asks for more."""

"""Miniatures solved: the whole tree of a small game, CFR+, and exact best responses."""

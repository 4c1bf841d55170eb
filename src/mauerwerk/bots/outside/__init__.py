"""Bots of other people: classes of other packages, and programs in any language."""

"""Puzzles: what would you play? Three a day, cut from finished games."""

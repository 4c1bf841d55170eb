"""Evenings: several games in a row among the same people, with one ranking."""

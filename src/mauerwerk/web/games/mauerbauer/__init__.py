"""Mauerbauer on the web."""

"""Burgbaumeister on the web."""

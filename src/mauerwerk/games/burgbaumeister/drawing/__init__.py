"""Burgbaumeister drawn: as a picture, and as text for a terminal."""

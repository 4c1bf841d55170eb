"""Die Mauer drawn: as a picture, and as text for a terminal."""

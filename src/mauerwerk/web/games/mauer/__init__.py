"""Die Mauer on the web."""

"""Statistics of uniform games, counted in compiled code."""

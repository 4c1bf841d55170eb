"""Results: finished games, figures and ratings."""

"""Results: finished games, figures, ratings and the leaderboard."""

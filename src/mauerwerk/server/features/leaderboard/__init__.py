"""The leaderboard: people who joined it and bots, on one scale for each game."""

"""Finished games, position by position, and a bot's analysis of them."""

"""The scoring helper for people who own the printed game."""

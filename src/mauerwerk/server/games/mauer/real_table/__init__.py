"""The score sheet for people who own the printed game."""

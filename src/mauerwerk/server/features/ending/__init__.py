"""The end of a game: places as towers, where the points came from, how it went, and sharing it."""

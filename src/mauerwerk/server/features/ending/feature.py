"""The end of a game: places as towers, where the points came from, how it went, and sharing it."""

from mauerwerk.server.feature import Feature

FEATURE = Feature(name="ending")

"""The table: its page, its live stream, and everything that players do there."""

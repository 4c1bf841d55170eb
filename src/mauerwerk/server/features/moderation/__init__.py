"""Moderation: what the hosts of a server decide, by command, API or page."""

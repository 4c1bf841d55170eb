"""Conditional moves in games over days: "if they only do this, I play that"."""

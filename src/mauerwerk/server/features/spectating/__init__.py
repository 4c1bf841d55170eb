"""Spectating: who watches, what they may see, and games that people follow."""

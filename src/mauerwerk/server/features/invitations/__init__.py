"""Invitations: personal links to seats, and invitations among people who have played together."""

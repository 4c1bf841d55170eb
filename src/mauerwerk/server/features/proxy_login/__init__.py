"""Signing in by the proxy in front of the server, which says who somebody is in a header."""

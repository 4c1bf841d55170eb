"""The server: tables over a network, an API for programs, and pages for people."""

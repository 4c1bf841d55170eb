"""Rules of thumb for Burgbaumeister."""

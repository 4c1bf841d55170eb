"""Rules of thumb for Mauerbauer."""

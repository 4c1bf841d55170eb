"""Rules of thumb for Die Mauer."""

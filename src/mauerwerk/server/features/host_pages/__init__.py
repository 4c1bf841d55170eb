"""Pages of the host: how to reach them, privacy, and terms, from files that the settings name."""

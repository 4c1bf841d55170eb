"""The home page: games, your tables, open tables, and a quick start."""

"""Where tables are stored: SQLite or PostgreSQL."""

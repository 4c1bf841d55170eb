"""Chat at tables: smileys, phrases and free text."""

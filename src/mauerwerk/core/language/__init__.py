"""Sentences in the reader's language: templates, translations, names and numbers."""

"""Calling people back to their tables: in the browser, by Web Push, by e-mail."""

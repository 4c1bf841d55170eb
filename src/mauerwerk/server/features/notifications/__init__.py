"""Notifications that it is somebody's turn: in the browser, by Web Push, by e-mail."""

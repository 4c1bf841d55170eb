"""Retention: how long things are kept, and the job that deletes them."""

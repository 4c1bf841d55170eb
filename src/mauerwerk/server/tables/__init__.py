"""What a table is, and what can be asked of it: values and pure functions, no I/O."""

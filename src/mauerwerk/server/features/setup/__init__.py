"""Setting up a table: the form and the order that it makes."""

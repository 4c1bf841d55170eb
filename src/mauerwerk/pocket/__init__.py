"""The pocket edition: the server inside a browser, from a folder of static files."""

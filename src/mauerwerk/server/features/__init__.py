"""What the server offers, one package for each feature."""

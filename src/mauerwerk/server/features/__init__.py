"""What the server offers: one package per feature, and the list of them."""

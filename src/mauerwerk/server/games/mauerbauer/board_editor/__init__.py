"""The workshop: boards for Mauerbauer, drawn by hand and studied; the address is the board."""

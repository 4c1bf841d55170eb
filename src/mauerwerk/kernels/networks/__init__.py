"""Networks at play: files that are safe to load, and the forward pass, compiled or in NumPy."""

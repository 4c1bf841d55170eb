"""Pictures that the server draws as pixels: cards for links, and games that move."""

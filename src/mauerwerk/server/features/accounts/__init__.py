"""What is a visitor's own: their games, figures and settings, on one page."""

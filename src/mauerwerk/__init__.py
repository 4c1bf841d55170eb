"""Three board games about building walls, as one piece of software."""

__version__ = "0.2.0"

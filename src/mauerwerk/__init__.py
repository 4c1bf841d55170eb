"""Three board games about building walls, as one piece of software."""

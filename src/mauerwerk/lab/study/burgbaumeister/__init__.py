"""What a study counts and shows of Burgbaumeister."""

"""What a study counts and shows of Die Mauer."""

"""For people who own the printed games: what each game offers them, and dice by hand."""

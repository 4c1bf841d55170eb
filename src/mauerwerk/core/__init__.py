"""The words everything is said in: games, options, sights, records, laws, drawings."""

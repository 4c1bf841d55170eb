"""What all layers share: games, options, sights, records, laws, languages, drawings."""

"""Many games between bots: matches, studies, analyses, datasets, and workers that play them."""

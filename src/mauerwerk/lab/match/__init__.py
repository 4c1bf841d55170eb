"""Games between bots: matches, contests, ladders, and how sure their results are."""

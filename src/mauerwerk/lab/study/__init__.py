"""Studies: a game is played many times, and the counts answer a designer's questions."""

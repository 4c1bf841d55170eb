"""Learning to play: `mauerwerk train` (extra `train`). What was learnt plays without PyTorch."""

"""Tables: who sits where, what was played, and chance that anybody can check afterwards."""

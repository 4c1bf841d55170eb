"""Tables over a network: an interface for programs, and what pages stand on."""

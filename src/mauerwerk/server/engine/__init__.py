"""Tables in a running process: requests, viewers, bots and analyses."""

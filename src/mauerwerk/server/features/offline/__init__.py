"""An app on the phone: what makes the site installable, and what works without a network.

Pages always come from the server while it can be reached, so none is ever out of date; what was
kept is shown only without a network. Files have the hash of their content in their address. A new
version of the worker has a store of its own, and deletes the one before.
"""

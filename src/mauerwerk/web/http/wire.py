"""The messages of the API, under their former name."""

from mauerwerk.web.api.messages import *  # noqa: F403

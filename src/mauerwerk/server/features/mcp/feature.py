"""The Model Context Protocol at `/mcp`."""

from starlette.routing import Route

from mauerwerk.server.feature import Feature
from mauerwerk.server.features.mcp.endpoint import Endpoint

FEATURE = Feature(name="mcp", routes=(Route("/mcp", Endpoint()),))

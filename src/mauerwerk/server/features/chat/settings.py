"""What people may say at the tables of a server."""

from mauerwerk.core.game import Value
from mauerwerk.server.tables.charter import ChatRule


class ChatSettings(Value, tag=False):
    """What people may say at tables."""

    allowed: ChatRule = "phrases"
    """Smileys and `phrases`; also `free` text, where a table wants it; or `off`."""

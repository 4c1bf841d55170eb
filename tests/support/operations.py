"""All operations of the API, and their document."""

from collections.abc import Mapping
from typing import Any

from mauerwerk.server.api.openapi import Document
from mauerwerk.server.feature import operations_of
from mauerwerk.server.features.registry import FEATURES

DOCUMENT = Document(operations_of(FEATURES.values(), for_hosts=False))
OPERATIONS = (*operations_of(FEATURES.values(), for_hosts=False), DOCUMENT.operation)
"""Everything that a program can ask for without the hosts' token."""


def document_for_hosts() -> Mapping[str, Any]:
    """The document of a server that has a token for its hosts."""
    return Document(operations_of(FEATURES.values(), for_hosts=True)).read()

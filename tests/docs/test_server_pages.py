"""The pages about the server agree with the code."""

import re
from pathlib import Path

from docs.spec import limit_table, retention_table
from tests.support.operations import OPERATIONS

from mauerwerk.cli.server_options import serve
from mauerwerk.server.features.moderation import api
from mauerwerk.server.features.retention.store import Retention
from mauerwerk.server.http import errors, response
from mauerwerk.server.http.settings import Limits

HOW_TO = Path(__file__).parents[2] / "docs" / "how-to"
API = (HOW_TO / "use-the-api.md").read_text(encoding="utf-8")
HOST = (HOW_TO / "host-a-server.md").read_text(encoding="utf-8")


def test_the_page_lists_every_operation() -> None:
    """All operations, each once."""
    listed = re.findall(r"^\| `([A-Z]+) (/api/\S+)` \|", API, re.MULTILINE)

    assert sorted(listed) == sorted((each.method, each.path) for each in OPERATIONS)


def test_the_page_for_hosts_lists_what_they_can_do() -> None:
    """All operations that need the token, in the order of the source."""
    listed = re.findall(r"^\| `([A-Z]+) (/api/admin/\S+)` \|", HOST, re.MULTILINE)

    assert listed == [(each.method, each.path) for each in api.OPERATIONS]


def test_the_page_lists_every_status_and_code() -> None:
    """Every status and code that a program may get."""
    rows = re.findall(r"^\| (\d{3}) \| (.*?) \|", API, re.MULTILINE)
    words = {word for _, cell in rows for word in re.findall(r"`(\w+)`", cell)}
    server = Path(errors.__file__).parents[1]
    places = ("*.py", "http/*.py", "features/*/[acv]*.py", "features/spectating/*.py")
    paths = [path for place in places for path in server.glob(place)]
    source = "".join(path.read_text(encoding="utf-8") for path in paths)
    found = re.findall(r'code="(\w+)"|\(\d{3}, "(\w+)"\)', source)
    said = {*response.REASONS.values(), *(one or other for one, other in found)}

    assert {int(status) for status, _ in rows} == set(errors.CODES)
    assert said <= words
    assert words <= said | set(errors.CODES.values())


def test_the_page_lists_every_setting() -> None:
    """Every option of the command."""
    listed = set(re.findall(r"`(--[a-z-]+)`", HOST.partition("## On the internet")[0]))
    options = {
        name for parameter in serve.params for name in (*parameter.opts, *parameter.secondary_opts)
    }

    assert listed == options


def test_the_page_lists_every_limit() -> None:
    """Each with what it limits and its value, as in the code; `make docs` rewrites the table."""
    for row in (*limit_table(), *retention_table()):
        assert f"| {' | '.join(row)} |" in HOST
    listed = re.findall(r"^\| `(\w+)` \| .* \| [\d.,]+ \|$", HOST, re.MULTILINE)
    assert set(listed) == {*Limits.__struct_fields__, *Retention.__struct_fields__}

"""Every operation of the API and every form of the pages is tried, or a reason says why not."""

import re
from collections.abc import Iterator

from tests.server.bystanders.acts import accounts, evenings, lobby, moderation, table
from tests.server.bystanders.law import Asked

from mauerwerk.server import games
from mauerwerk.server.feature import operations_of
from mauerwerk.server.features.registry import FEATURES

ACTS = (*table.ACTS, *lobby.ACTS, *accounts.ACTS, *evenings.ACTS, *moderation.ACTS)

UNTRIED: dict[str, str] = {}
"""Operations and forms without an act, and why nobody else can notice them."""


def offered() -> Iterator[str]:
    """Everything that changes something: operations of the API, and forms."""
    for operation in operations_of(FEATURES.values(), for_hosts=True):
        if operation.method != "GET":
            yield f"{operation.method} {operation.path}"
    for feature in FEATURES.values():
        yield from (f"POST {page.path}" for page in feature.pages if page.post)
        yield from (f"POST {route.path}" for route in feature.routes)
    for game in games.WEB_GAMES.values():
        yield from (f"POST {page.path}" for page in game.pages if page.post)
    yield "POST /preferences"


def test_everything_is_tried_or_has_a_reason() -> None:
    """Whoever adds an operation or a form says here whom it touches."""
    tried = {act.do.covers for act in ACTS if isinstance(act.do, Asked)}
    missing = set(offered()) - tried - UNTRIED.keys()
    assert not missing, f"add an act in tests/server/bystanders/acts for {sorted(missing)}"
    assert not set(UNTRIED) - set(offered())
    assert not tried - set(offered())


def test_acts_have_names_of_their_own() -> None:
    """A failure says which act it was."""
    names = [act.name for act in ACTS]
    assert len(names) == len(set(names))


def test_rules_are_sentences() -> None:
    """A rule says why somebody may be touched."""
    rules = {why for act in ACTS for why in act.touches.values()}
    assert all(re.fullmatch(r"[a-z][^.]{15,}", why) for why in rules)

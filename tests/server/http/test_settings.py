"""Limits are settings: a file says them, and a mistake in it is one clear line."""

from pathlib import Path

import pytest

from mauerwerk.server.api.openapi import meanings
from mauerwerk.server.features.chat.service import ChatSettings
from mauerwerk.server.http.errors import HttpError
from mauerwerk.server.http.limits import Connections, Limiter
from mauerwerk.server.http.settings import (
    Limits,
    Settings,
    SettingsError,
    Trusted,
    limit_names,
    read_settings,
)


def written(folder: Path, text: str) -> Path:
    """A file of settings."""
    path = folder / "settings.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_file_says_what_differs(tmp_path: Path) -> None:
    """All else stays as it is at first."""
    text = '[limits]\ntables = 7\nbot_wait = 5\n[trusted]\nnetworks = ["10.1.0.0/16"]\n'
    found = read_settings(written(tmp_path, text), {"chat": ChatSettings})

    assert found.limits == Limits(tables=7, bot_wait=5.0)
    assert found.trusted == Trusted(networks=("10.1.0.0/16",))


def test_a_feature_has_its_own_section(tmp_path: Path) -> None:
    """It is found by its type, as it is at first where the file does not have it."""
    found = read_settings(written(tmp_path, '[chat]\nallowed = "free"\n'), {"chat": ChatSettings})

    assert found.section(ChatSettings) == ChatSettings("free")
    assert Settings().section(ChatSettings) == ChatSettings()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[limits]\ntabels = 7\n", "there is no setting tabels in [limits]; perhaps tables?"),
        ("[trusted]\nips = 7\n", "there is no setting ips in [trusted], only networks and factor"),
        ("[limits]\nrequests = nan\n", "limits.requests: nan is not a number to count with"),
        ("[limits]\nrequests = 1e999\n", "limits.requests: inf is not a number to count with"),
        ('[chat]\nallowed = "yes"\n', "chat.allowed: can be free, off or phrases"),
        (
            "[limit]\n",
            ("there is no section [limit], only [limits], [trusted], [backups] and [chat]"),
        ),
        ("[limits]\nstreams = 0\n", "limits.streams: Expected `int` >= 1"),
        ('[limits]\nstreams = "many"\n', "limits.streams: Expected `int`, got `str`"),
        ("[limits\n", "is not TOML"),
        ('[trusted]\nnetworks = ["school"]\n', "trusted.networks: school is not a network"),
        ("limits = 7\n", "[limits] is a section"),
    ],
)
def test_a_mistake_is_one_clear_line(tmp_path: Path, text: str, said: str) -> None:
    """It names the file, the setting and what is wrong."""
    with pytest.raises(SettingsError) as caught:
        read_settings(written(tmp_path, text), {"chat": ChatSettings})
    assert said in str(caught.value)
    assert "settings.toml" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_every_limit_is_described() -> None:
    """The documentation is made from this."""
    described = meanings(Limits)
    assert set(described) == set(limit_names()) == set(Limits.__struct_fields__)
    assert all(described.values())


SCHOOL = Trusted(networks=("203.0.113.0/24", "2001:db8:7::/48"), factor=3.0)


def asked(limiter: Limiter, client: str) -> int:
    """How many requests of a client are answered at once."""
    for number in range(100):
        try:
            limiter.request(client)
        except HttpError:
            return number
    return 100


@pytest.mark.parametrize(
    ("client", "many"),
    [("203.0.113.9", 30), ("2001:db8:7:1::/64", 30), ("198.51.100.1", 10), ("unknown", 10)],
)
def test_a_class_behind_one_address_may_do_more(client: str, many: int) -> None:
    """Clients in trusted networks have larger limits."""
    limiter = Limiter(Limits(requests=0.001, burst=10), lambda: 0.0, SCHOOL)
    assert asked(limiter, client) == many


def test_a_class_may_have_more_connections() -> None:
    """Of connections and streams, too."""
    guard = Connections(Settings(limits=Limits(connections=2), trusted=SCHOOL))
    assert [guard.add("203.0.113.9") is not None for _ in range(7)] == [True] * 6 + [False]
    assert [guard.add("198.51.100.1") is not None for _ in range(3)] == [True, True, False]

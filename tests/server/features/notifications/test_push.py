"""Messages for a browser are encrypted as RFC 8291 says."""

from base64 import urlsafe_b64decode, urlsafe_b64encode

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from tests.support.hosts import folder, opened

from mauerwerk.server.app import App
from mauerwerk.server.features.accounts import passkeys
from mauerwerk.server.features.notifications import delivery, push
from mauerwerk.server.features.notifications.delivery import Push
from mauerwerk.server.features.notifications.store import Device
from mauerwerk.server.http.settings import Settings, SettingsError

__all__ = ["folder"]  # pytest finds a fixture by its name

BROWSER = Device(
    "https://push.example/to/ada",
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    "BTBZMqHH6r4Tts7J_aSIgg",
)
KEY, SALT = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw", "DGv6ra1nlYgDCS1FRnbzlw"
SEALED = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS"
    "6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qu"
    "lcy4a-fN"
)
"""The example in section 5 of the RFC."""


def bytes_of(said: str) -> bytes:
    return urlsafe_b64decode(said + "=" * (-len(said) % 4))


def test_the_example_of_the_rfc_is_sealed_as_it_says() -> None:
    """The same keys, the same salt, the same bytes."""
    key = ec.derive_private_key(int.from_bytes(bytes_of(KEY)), ec.SECP256R1())
    content = b"When I grow up, I want to be a watermelon"

    sealed = push.sealed(BROWSER, content, key, bytes_of(SALT))

    assert urlsafe_b64encode(sealed).rstrip(b"=").decode() == SEALED


def test_a_key_that_is_no_point_is_refused() -> None:
    """As one line for the browser that says so, not as a fault of the server."""
    nowhere = urlsafe_b64encode(b"\x04" + bytes(64)).rstrip(b"=").decode()
    with pytest.raises(ValueError, match=r".+"):
        push.encrypted(Device(BROWSER.endpoint, nowhere, BROWSER.auth), b"hello")


@pytest.mark.anyio
@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_push_without_its_extra_is_refused_in_one_line(
    folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server does not start and promise what it cannot do."""
    monkeypatch.setattr(delivery, "AVAILABLE", False)
    settings = Settings(sections=(Push(on=True, contact="mailto:host@walls.example"),), log=False)
    async with opened(folder) as host:
        with pytest.raises(SettingsError, match=r"\[push\] needs an extra: pip install"):
            App(host, settings)


def test_all_extras_are_installed_where_tests_run() -> None:
    """Otherwise tests of push and passkeys would prove nothing."""
    assert push.AVAILABLE
    assert passkeys.AVAILABLE

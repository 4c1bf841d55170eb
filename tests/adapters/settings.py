"""Games to try the adapters on: every game, few seats and many, and options that change much."""

from typing import Any, Final

import pytest

TRIED: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "mauer": ("mauer", {"seats": 3, "rounds": 1}),
    "mauer-lot": ("mauer", {"seats": 6, "first": "lot", "stall": 3, "rounds": 1}),
    "mauer-miniature": ("mauer", {"seats": 4, "pieces": "TC1", "rounds": 2}),
    "burgbaumeister": ("burgbaumeister", {"seats": 2}),
    "burgbaumeister-variant": (
        "burgbaumeister",
        {"seats": 3, "variant": True, "first": "lot", "depot": "chaotic", "memory_aid": True},
    ),
    "mauerbauer-small": ("mauerbauer", {"seats": 2, "board": "small"}),
    "mauerbauer-early": ("mauerbauer", {"seats": 3, "board": "small", "early": True}),
}

each_setting = pytest.mark.parametrize(("game", "options"), TRIED.values(), ids=TRIED)

ALWAYS: Final = {"mauer-lot", "burgbaumeister-variant", "mauerbauer-small"}
"""A setting of each game, in which much happens. The others are for `make thorough`."""

each_game = pytest.mark.parametrize(
    ("game", "options"),
    [
        pytest.param(*tried, id=name, marks=[] if name in ALWAYS else [pytest.mark.thorough])
        for name, tried in TRIED.items()
    ],
)

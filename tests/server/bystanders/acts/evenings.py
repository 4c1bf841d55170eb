"""What is done at an evening."""

from typing import Final

from tests.server.bystanders.law import EVENING, OWN, THEIRS, Act, asks, sends

API: Final = "/api/evenings/{evening}"
PAGE: Final = "/e/{evening}"

ACTS: Final = (
    Act("begin an evening", asks("Hal", "/api/evenings", title="Monday")),
    Act("begin an evening on the page", sends("Hal", "/evening", title="Monday")),
    Act(
        "take part",
        asks("Hal", f"{API}/join", evening="friday"),
        touches={"Bob: own home": OWN, "Cleo: evening": EVENING},
    ),
    Act(
        "take part on the page",
        sends("Hal", f"{PAGE}/join", evening="friday"),
        touches={"Bob: own home": OWN, "Cleo: evening": EVENING},
    ),
    Act(
        "go home",
        asks("Dan", f"{API}/leave", evening="friday"),
        touches={"Bob: own home": OWN, "Cleo: evening": EVENING},
    ),
    Act(
        "go home on the page",
        sends("Dan", f"{PAGE}/leave", evening="friday"),
        touches={"Bob: own home": OWN, "Cleo: evening": EVENING},
    ),
    Act(
        "send somebody home during a round",
        sends("Bob", f"{PAGE}/leave", evening="friday", person=2),
        touches={
            "Cleo: own tables, turns": OWN,
            "Cleo: evening": EVENING,
            "Dan: own tables, turns, evenings": THEIRS,
        },
        first=(asks("Bob", f"{API}/start", evening="friday", round=0),),
    ),
    Act(
        "add a game",
        asks("Bob", f"{API}/games", evening="friday", game="burgbaumeister"),
        touches={"Cleo: evening": EVENING},
    ),
    Act(
        "add a game on the page",
        sends("Bob", f"{PAGE}/games", evening="friday", game="burgbaumeister"),
        touches={"Cleo: evening": EVENING},
    ),
    Act(
        "drop a game on the page",
        sends("Bob", f"{PAGE}/games/drop", evening="friday", round=1, programme="mauer mauerbauer"),
        touches={"Cleo: evening": EVENING},
    ),
    Act(
        "swap two people",
        asks("Bob", f"{API}/swap", evening="friday", one=0, other=1),
        touches={"Cleo: evening": EVENING},
    ),
    Act(
        "swap two people on the page",
        sends("Bob", f"{PAGE}/swap", evening="friday", one=0, other=1),
        touches={"Cleo: evening": EVENING},
    ),
    Act(
        "pair in another way on the page",
        sends("Bob", f"{PAGE}/format", evening="friday", format="swiss"),
    ),
    Act(
        "start a round",
        asks("Bob", f"{API}/start", evening="friday", round=0),
        touches={"Cleo, Dan: data, own tables, turns": OWN, "Cleo: evening": EVENING},
    ),
    Act(
        "start a round on the page",
        sends("Bob", f"{PAGE}/start", evening="friday", round=0),
        touches={"Cleo, Dan: data, own tables, turns": OWN, "Cleo: evening": EVENING},
    ),
)

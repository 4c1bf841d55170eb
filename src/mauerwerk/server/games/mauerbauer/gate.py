"""Mauerbauer at a device that several people share: what is secret."""

from mauerwerk.games.mauerbauer.events import View


def private(view: View) -> str:
    """Every choice is made with one's cards in sight; all look when a city has been scored."""
    return f"turn {view.turns}, scoring" if view.city else f"turn {view.turns}"

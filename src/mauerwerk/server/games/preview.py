"""What a choice would do, shown before it is made."""

from collections.abc import Mapping

import msgspec

from mauerwerk.core.game import Value


class Preview(Value):
    """What a viewer sees of a choice that they only think about, made from their view alone."""

    sentence: str
    """What it does: `closes a city of 3 fields`; shown below the question, and said to screen
    readers."""

    act: str = ""
    """What the button says that confirms it: `Build here`; empty: what the action says."""

    label: str = ""
    """A few words in a bubble at the target; may be empty."""

    drawing: str = ""
    """SVG that goes into the board's `<g id="preview">`, or HTML for an element of that id."""

    aloud: str = ""
    """What screen readers are told besides: the badges in words, for these are not read."""

    badges: Mapping[str, str] = msgspec.field(default_factory=dict[str, str])
    """A short text for elements of the page, by their id: `{"card-3": "+8"}`."""

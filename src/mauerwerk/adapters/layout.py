"""What stands where in an observation, part by part, for people; `docs/how-to` has it as tables."""

from mauerwerk.adapters.setting import Setting
from mauerwerk.core.game import Value


class Part(Value):
    """A stretch of an observation."""

    name: str
    begin: int
    end: int
    """The first place after it."""
    largest: int
    """No number in it is ever larger at such a table."""
    meaning: str


def layout_of(setting: Setting) -> tuple[Part, ...]:
    """All parts of an observation, in order.

    >>> from mauerwerk.adapters.setting import setting_of
    >>> layout_of(setting_of("mauer"))[1]
    Part(name='waiting', begin=6, end=12, largest=1, meaning='who must do it')
    """
    encoding = setting.encoding
    highest = encoding.bounds.highest
    return tuple(
        Part(name, place.start, place.stop, int(highest[place].max()), encoding.meanings[name])
        for name, place in encoding.layout.items()
    )

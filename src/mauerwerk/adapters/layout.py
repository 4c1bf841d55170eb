"""What stands where in an observation, part by part, for people; `docs/how-to` has it as tables."""

from mauerwerk.adapters.setting import Setting
from mauerwerk.core.game import Value


class Part(Value):
    """A stretch of an observation."""

    name: str
    begin: int
    end: int
    """The first place after it."""
    meaning: str


def layout_of(setting: Setting) -> tuple[Part, ...]:
    """All parts of an observation, in order.

    >>> from mauerwerk.adapters.setting import setting_of
    >>> layout_of(setting_of("mauer"))[1]
    Part(name='waiting', begin=6, end=12, meaning='who must do it')
    """
    encoding = setting.encoding
    return tuple(
        Part(name, place.start, place.stop, encoding.meanings[name])
        for name, place in encoding.layout.items()
    )

"""What messages of several operations have in common."""

from typing import Annotated, Literal

from msgspec import Meta

from mauerwerk.core.game import Value

IdempotencyKey = Annotated[
    str,
    Meta(
        max_length=64,
        pattern=r"^[^\x00]*$",
        description="Yours to choose, new each time. A request that is repeated with the same "
        "key gets the same answer, and is carried out once.",
    ),
]
Which = Annotated[
    int | None,
    Meta(description="Which of your seats; not needed where you have one."),
]
Viewing = Annotated[
    int | Literal["none"] | None,
    Meta(
        description="Through whose eyes: a seat of yours, or `none` for a spectator. "
        "Yours, where you have one; a spectator's, where you have none."
    ),
]
Version = Annotated[
    int, Meta(ge=0, description="The `number` of the table view or notice that this answers.")
]
Count = Annotated[int, Meta(ge=1, le=100, description="How many at most.")]
Before = Annotated[
    Annotated[int, Meta(ge=0, le=2**53)] | None,
    Meta(description="Only tables changed before this: `changed` of the last one you have."),
]


class Ask(Value, tag=False):
    """What a request brings: the fields of its body, or of its query."""


class Nothing(Ask):
    """No fields."""


class Answer(Value, tag=False):
    """What a request gets."""


class Reported(Answer):
    """The people who run the server will see it."""

    reported: bool = True

"""The messages of the API about evenings."""

from functools import partial
from typing import Annotated, Final

from msgspec import Meta, convert, field

from mauerwerk.core.game import Value
from mauerwerk.games import GAMES
from mauerwerk.server.api import operation
from mauerwerk.server.features.evenings import service, values
from mauerwerk.server.features.evenings.store import evenings_of
from mauerwerk.server.games.room import MIDDLE
from mauerwerk.server.http.identity import cleaned, guest_in
from mauerwerk.server.http.request import Request
from mauerwerk.server.http.response import Response, reply

OPERATIONS: Final = operation.Operations()


SecondsPerMove = Annotated[
    int, Meta(ge=0, le=86_400, description="Seconds for a decision; then a bot plays. 0: no limit.")
]
Size = Annotated[
    int, Meta(ge=0, le=6, description="People at a table; 0: as many as the game allows.")
]
Person = Annotated[int, Meta(ge=0, description="A person, by number.")]
Number = Annotated[int, Meta(ge=0, description="A round, from 0.")]


class NewEvening(operation.Ask):
    """Somebody wants to spend an evening with others."""

    title: Annotated[str, Meta(max_length=60, description="What it is called; may be empty.")] = ""
    format: Annotated[
        values.Way,
        Meta(description="Whether everybody meets everybody, or people with similar points."),
    ] = "mixed"
    seconds_per_move: SecondsPerMove = 300


class AddGame(operation.Ask):
    """The host puts a game at the end of the programme."""

    game: str
    options: dict[str, str] = field(default_factory=dict[str, str])
    size: Size = 0


class SwapPeople(operation.Ask):
    """The host lets two people change places in the next round."""

    one: Person
    other: Person


class StartRound(operation.Ask):
    """The host starts a round."""

    round: Number


class LeaveEvening(operation.Ask):
    """Somebody goes home."""

    person: Annotated[
        Person | None, Meta(description="Somebody else, if you are the host; you, if left out.")
    ] = None


class EveningPerson(Value, tag=False):
    """Somebody who takes part."""

    number: int
    name: str
    here: bool
    """Whether they play the next round."""
    you: bool
    host: bool


class EveningTable(Value, tag=False, rename={"id": "table"}):
    """A table of a round."""

    id: str
    people: Annotated[tuple[int, ...], Meta(description="The person at each seat; -1 for a bot.")]
    over: bool
    ranks: tuple[int, ...]
    points: tuple[int, ...]
    stand_ins: Annotated[
        tuple[int, ...], Meta(description="People for whom a bot played at the end.")
    ]


class EveningRound(Value, tag=False):
    """A game of the programme."""

    game: str
    options: dict[str, str]
    size: int
    started: int
    """Milliseconds since 1970; 0 before it starts."""
    tables: tuple[EveningTable, ...]


class EveningRank(Value, tag=False):
    """A line of the ranking."""

    place: int
    person: int
    points: tuple[float | None, ...]
    """What each round brought: by place 3, 2, 1, of two 3, 1; shared by those who tie."""
    total: float


class EveningInfo(Value, tag=False):
    """An evening: who takes part, what was and what will be played, and the ranking."""

    evening: str
    title: str
    link: str
    format: values.Way
    seconds_per_move: int
    people: tuple[EveningPerson, ...]
    rounds: tuple[EveningRound, ...]
    current: int | None
    """The round that is being played."""
    next_tables: tuple[tuple[int, ...], ...]
    """The tables of the next round: people in the order of the seats."""
    ranking: tuple[EveningRank, ...]


class EveningShort(Value, tag=False):
    """An evening in a list."""

    evening: str
    title: str
    created: int


class EveningList(Value, tag=False):
    """Evenings in which somebody takes part."""

    evenings: tuple[EveningShort, ...]


EVENING: Final = "/api/evenings/{evening}"


@OPERATIONS.get("/api/evenings")
async def list_evenings(request: Request) -> EveningList:
    """Evenings in which you take part, those changed last first."""
    found = await evenings_of(request.host.store, guest_in(request).id)
    return EveningList(
        evenings=tuple(EveningShort(id_, each.title, each.created) for id_, each in found)
    )


@OPERATIONS.post("/api/evenings", EveningInfo, status=201, example={"title": "Friday at Ada's"})
async def begin_evening(request: Request, ask: NewEvening) -> Response:
    """Begin an evening; you are its host. Others take part by its link."""
    guest = guest_in(request)
    request.app.limiter.table(request.client)
    evening = values.Evening(
        title=cleaned(ask.title, values.LONGEST_TITLE),
        way=ask.format,
        seconds_per_move=ask.seconds_per_move,
        level=MIDDLE,
    )
    id_ = await service.create(request.host, evening, guest)
    made = _info(request, await service.load(request.host, id_))
    return reply(made, 201, [(b"location", f"/api/evenings/{id_}".encode())])


@OPERATIONS.get(EVENING)
async def get_evening(request: Request) -> EveningInfo:
    """An evening as it stands. Anybody with its id may look."""
    return await _answer(request)


@OPERATIONS.post(f"{EVENING}/join", refuses=(409,), example={})
async def join_evening(request: Request) -> EveningInfo:
    """Take part in an evening, or come back."""
    await service.join(request.host, _id(request), guest_in(request))
    return await _answer(request)


@OPERATIONS.post(f"{EVENING}/leave", refuses=(409,), example={})
async def leave_evening(request: Request, ask: LeaveEvening) -> EveningInfo:
    """Go home. Your points stay, and a bot finishes your game."""
    await service.leave(request.host, _id(request), guest_in(request), ask.person)
    return await _answer(request)


@OPERATIONS.post(f"{EVENING}/games", refuses=(409,), example={"game": next(iter(GAMES)), "size": 0})
async def add_game(request: Request, ask: AddGame) -> EveningInfo:
    """Put a game at the end of the programme, as the host."""
    work = partial(values.with_game, game=ask.game, options=ask.options, size=ask.size)
    await service.change(request.host, _id(request), guest_in(request), work)
    return await _answer(request)


@OPERATIONS.post(f"{EVENING}/swap", refuses=(409,), example={"one": 0, "other": 1})
async def swap_people(request: Request, ask: SwapPeople) -> EveningInfo:
    """Let two people change places in the next round, as the host."""
    work = partial(values.swapped, one=ask.one, other=ask.other)
    await service.change(request.host, _id(request), guest_in(request), work)
    return await _answer(request)


@OPERATIONS.post(f"{EVENING}/start", refuses=(409,), example={"round": 0})
async def start_round(request: Request, ask: StartRound) -> EveningInfo:
    """Start the next round, as the host, when all tables are done. Asking twice starts it once."""
    guest = guest_in(request)
    request.app.limiter.table(request.client)
    return _info(request, await service.start(request.host, _id(request), guest, ask.round))


def _id(request: Request) -> str:
    return request.path_params["evening"]


async def _answer(request: Request) -> EveningInfo:
    return _info(request, await service.load(request.host, _id(request)))


def _info(request: Request, loaded: service.LoadedEvening) -> EveningInfo:
    evening = loaded.evening
    guest = request.identity.guest
    own = evening.person_of(guest.id) if guest else None
    return EveningInfo(
        evening=loaded.id,
        title=evening.title,
        link=request.address(f"/e/{loaded.id}"),
        format=evening.way,
        seconds_per_move=evening.seconds_per_move,
        people=tuple(
            EveningPerson(
                number=each.number,
                name=each.name,
                here=not each.left,
                you=each == own,
                host=each.number == evening.host,
            )
            for each in evening.people
        ),
        rounds=convert(evening.rounds, tuple[EveningRound, ...], from_attributes=True),
        current=evening.current,
        next_tables=values.next_tables(evening),
        ranking=tuple(
            EveningRank(
                place=line.place,
                person=line.person,
                points=tuple(None if each is None else float(each) for each in line.points),
                total=float(line.total),
            )
            for line in values.ranking(evening)
        ),
    )

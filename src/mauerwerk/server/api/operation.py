"""Operations of the API, declared beside their handlers: their routes, and common messages."""

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Final, Literal, NamedTuple, TypeVar

import msgspec
from starlette.routing import Route
from starlette.types import ASGIApp, Receive

from mauerwerk.core.game import Value
from mauerwerk.server.http import errors, identity, response
from mauerwerk.server.http import request as requests
from mauerwerk.server.http.request import Request
from mauerwerk.server.http.settings import Role

TABLE: Final = "/api/tables/{table}"
Handler = Callable[..., Awaitable[Any]]
H = TypeVar("H", bound=Handler)


class Operation(NamedTuple):
    """An operation: its route, the message it takes and the message it answers with."""

    method: str
    path: str
    handler: Handler
    """Takes the request and the message, if there is one; returns a value for JSON, or an ASGI app
    that answers."""
    ask: type[msgspec.Struct]
    answer: type | str
    """The type of the answer as JSON, or the media type of another answer."""
    refuses: Sequence[int] = ()
    """Error statuses of this operation, in addition to those that all can have."""
    status: int = 200
    example: Mapping[str, Any] | None = None
    """An example of a message."""
    for_hosts: bool = False
    """Whether it is for those who run the server, who show their token."""
    role: Role = Role.VIEWER
    """The role that they need."""

    @property
    def name(self) -> str:
        """The name of the operation in the documentation."""
        return self.handler.__name__

    @property
    def summary(self) -> str:
        """What the operation does, in one line."""
        return (self.handler.__doc__ or "").strip().partition("\n")[0]


class Operations:
    """The operations of a feature, to which its handlers are added.

    The message that an operation takes is the type of the handler's second parameter, if it has
    one. What it answers with is what the handler returns, unless `answer` says more.
    """

    def __init__(self, *, for_hosts: bool = False) -> None:
        self._operations: list[Operation] = []
        self._for_hosts = for_hosts

    def __iter__(self) -> Iterator[Operation]:
        """In the order of the source."""
        return iter(self._operations)

    def get(self, path: str, answer: type | str | None = None, **more: Any) -> Callable[[H], H]:  # noqa: ANN401 - as Operation has them
        """Declare a handler that answers and changes nothing."""
        return self._added("GET", path, answer, more)

    def post(self, path: str, answer: type | str | None = None, **more: Any) -> Callable[[H], H]:  # noqa: ANN401 - as above
        """Declare a handler that does something."""
        return self._added("POST", path, answer, more)

    def _added(
        self, method: str, path: str, answer: type | str | None, more: Mapping[str, Any]
    ) -> Callable[[H], H]:
        def add(handler: H) -> H:
            _, *asked, returned = handler.__annotations__.values()
            ask = asked[0] if asked else Nothing
            answered = returned if answer is None else answer
            self._operations.append(
                Operation(method, path, handler, ask, answered, for_hosts=self._for_hosts, **more)
            )
            return handler

        return add


class Resource:
    """All operations at one path: Starlette would name the methods of the first alone in a 405."""

    def __init__(self, operations: Sequence[Operation]) -> None:
        self._by_method = {each.method: each for each in operations}
        self._decoders = {each.method: msgspec.json.Decoder(each.ask) for each in operations}
        if "GET" in self._by_method:
            self._by_method["HEAD"] = self._by_method["GET"]

    async def answer(self, request: Request, receive: Receive) -> ASGIApp:
        """Read the message, do what it asks, and answer. Raises HttpError."""
        operation = self._by_method.get(request.method)
        if operation is None:
            raise errors.MethodError(*sorted(self._by_method))
        request.identity = identity.identify(request)
        if not operation.for_hosts:  # who could not lift a block of their own network
            identity.check_block(request, request.identity)
        if request.is_safe:
            ask = requests.query_fields(request.raw_query, operation.ask)
        else:
            requests.check_media(request, "application/json")
            ask = requests.decoded(
                await requests.body_of(request, receive), self._decoders[request.method]
            )
        if operation.for_hosts:
            _check_host(request, operation.role)
        given = () if operation.ask is Nothing else (ask,)
        answer = await operation.handler(request, *given)
        if callable(answer):
            return answer  # type: ignore[no-any-return]
        return response.reply(answer, operation.status)


def _check_host(request: Request, role: Role) -> None:
    """Refuse a sender who is not a host with this role. Raises HttpError."""
    request.admin = request.host.service(identity.HostAccess).check_header(request)
    identity.check_role(request.admin, role)
    if any("\0" in each for each in request.path_params.values()):  # no database has such an id
        raise errors.HttpError(404, "there is nothing here")


def routes(operations: Iterable[Operation]) -> list[Route]:
    """A route for each path; those that are asked for most come first, as they are found first."""
    paths: dict[str, list[Operation]] = {f"{TABLE}/moves": [], TABLE: []}
    for operation in operations:
        paths.setdefault(operation.path, []).append(operation)
    return [
        Route(path, response.Endpoint(Resource(operations).answer))
        for path, operations in paths.items()
        if operations
    ]


# --- What messages of several operations have in common --------------------------------------


IdempotencyKey = Annotated[
    str,
    msgspec.Meta(
        max_length=64,
        pattern=r"^[^\x00]*$",
        description="Yours to choose, new each time. A request that is repeated with the same "
        "key gets the same answer, and is carried out once.",
    ),
]
Which = Annotated[
    int | None,
    msgspec.Meta(description="Which of your seats; not needed where you have one."),
]
Viewing = Annotated[
    int | Literal["none"] | None,
    msgspec.Meta(
        description="Through whose eyes: a seat of yours, or `none` for a spectator. "
        "Yours, where you have one; a spectator's, where you have none."
    ),
]
Version = Annotated[
    int,
    msgspec.Meta(ge=0, description="The `number` of the table view or notice that this answers."),
]
Count = Annotated[int, msgspec.Meta(ge=1, le=100, description="How many at most.")]
Before = Annotated[
    Annotated[int, msgspec.Meta(ge=0, le=2**53)] | None,
    msgspec.Meta(
        description="Only tables changed before this: `changed` of the last one you have."
    ),
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

"""What hosts can do, each declared once: the command, the operation and the form are made of it.

The fields of an action are what it needs. A field without a default is an argument of the command,
any other is an option; a field in the braces of the address is part of it, the others are the body;
a form asks for the fields that `FORM` names. `store.carry_out` does it.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, ClassVar, Final, Literal, TypeAlias, get_args

from msgspec import Meta

from mauerwerk.core.game import Value
from mauerwerk.core.language import message
from mauerwerk.server.engine.blocklist import Blocked
from mauerwerk.server.features.moderation.state import Action, name_of, network_of
from mauerwerk.server.http.settings import Role

HOUR: Final = 3_600_000
DAY: Final = 24 * HOUR
PLAIN: Final = r"^[^\x00]*$"
"""A text that every database can hold."""

Reason = Annotated[
    str, Meta(max_length=200, pattern=PLAIN, description="Why; for the log, or for who is blocked.")
]
BlockTarget = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=64,
        pattern=PLAIN,
        description="The id of a guest, a network, or a word in names; `*` is anything.",
    ),
]
Days = Annotated[
    Annotated[float, Meta(ge=0, le=36_500)] | None,
    Meta(description="For how many days; none or 0: for ever."),
]
ReportId = Annotated[
    str, Meta(max_length=64, pattern=PLAIN, description="The report that this deals with, if any.")
]


class Input(Value):
    """A field for which the page asks."""

    name: str
    label: str
    choices: tuple[tuple[int, str], ...] = ()
    """Among which values one chooses; none for a text."""
    chosen: int = 0
    longest: int = 200
    required: bool = False
    placeholder: str = ""


class AdminAction(Value, tag=False):
    """Something that hosts do."""

    NAME: ClassVar[str]
    """The command, and the word in the form."""
    PATH: ClassVar[str]
    """The address of the operation."""
    ACTION: ClassVar[Action]
    """What it is in the log."""
    AUDIT: ClassVar[str]
    """How the page tells that it was done."""
    ROLE: ClassVar[Role] = Role.MODERATOR
    """Who may do it over the network."""
    EXAMPLE: ClassVar[Mapping[str, Any]] = {}
    SEVERAL: ClassVar[bool] = False
    """Whether the command takes several values for the first field."""
    CONFIRM: ClassVar[str] = ""
    """What the command asks first; `{}` is the first field."""
    QUESTION: ClassVar[str] = ""
    """What the page asks first."""
    NOTE: ClassVar[str] = ""
    """What it adds to the question."""
    BUTTON: ClassVar[str] = ""
    KEEP: ClassVar[str] = message("Leave it")
    """The link that does nothing."""
    FORM: ClassVar[tuple[Input, ...]] = ()
    """What the page asks for, as far as the row does not say it."""


# --- Tables ----------------------------------------------------------------------------------


class EndTable(AdminAction):
    """End a running game. Nobody wins; the players are told, and can replay the game."""

    table: str
    reason: Reason = ""
    NAME = "end"
    PATH = "/api/admin/tables/{table}/end"
    EXAMPLE: ClassVar = {"reason": "the evening is over"}
    ACTION = Action.END_TABLE
    AUDIT = message("ended a game")
    SEVERAL = True
    QUESTION = message("End {game} ({who})?")
    NOTE = message("It counts as unfinished, and the replay stays.")
    BUTTON = message("End it")
    KEEP = message("Keep it")


class DeleteTable(AdminAction):
    """Delete a table for good, with its game."""

    table: str
    reason: Reason = ""
    NAME = "delete"
    PATH = "/api/admin/tables/{table}/delete"
    ACTION = Action.DELETE_TABLE
    AUDIT = message("deleted a table")
    SEVERAL = True
    CONFIRM = "Delete {}? This cannot be undone."
    QUESTION = message("Delete {game} ({who})?")
    NOTE = message("The game and its replay are gone for good.")
    BUTTON = message("Delete it")
    KEEP = message("Keep it")


class VoidGame(AdminAction):
    """Take a finished game out of all ratings, as if it had not been rated; ratings follow."""

    table: str
    reason: Reason = ""
    NAME = "void"
    PATH = "/api/admin/tables/{table}/void"
    EXAMPLE: ClassVar = {"reason": "one person at two seats"}
    ACTION = Action.VOID
    AUDIT = message("took a game out of the ratings")
    SEVERAL = True
    QUESTION = message("Take {game} ({who}) out of the ratings?")
    NOTE = message("The result and the replay stay. All ratings are worked out again without it.")
    BUTTON = message("Take it out")
    KEEP = message("Let it count")


# --- Guests and networks ---------------------------------------------------------------------


class _Blocking(AdminAction):
    """What is done to a guest, a network or a name."""

    kind: Blocked
    what: BlockTarget

    @property
    def target(self) -> str:
        """Which, in its usual form. Raises AdminError."""
        match self.kind:
            case Blocked.NETWORK:
                return network_of(self.what)
            case Blocked.NAME:
                return name_of(self.what)
            case Blocked.GUEST:
                return self.what


class Block(_Blocking):
    """Block a guest by their id, a network such as 192.0.2.0/24, or a name such as '*word*'.

    Bots play on for a guest. A name is refused where somebody chooses it; case, accents and digits
    for letters make no difference.
    """

    reason: Reason = ""
    days: Days = None
    report: ReportId = ""
    NAME = "block"
    PATH = "/api/admin/blocks"
    EXAMPLE: ClassVar = {
        "kind": "network",
        "what": "192.0.2.0/24",
        "reason": "too many tables",
        "days": 7,
    }
    ACTION = Action.BLOCK
    AUDIT = message("blocked")
    QUESTION = message("Block {who}?")
    NOTE = message("A bot plays on in their place. They are shown the reason.")
    BUTTON = message("Block")
    KEEP = message("Do not block")
    FORM = (
        Input(
            "what",
            message("Network or address"),
            longest=64,
            required=True,
            placeholder="192.0.2.0/24",
        ),
        Input(
            "days",
            message("How long"),
            (
                (1, message("a day")),
                (7, message("a week")),
                (30, message("a month")),
                (0, message("for ever")),
            ),
            chosen=7,
        ),
        Input("reason", message("Reason")),
    )

    def until(self, now: int) -> int | None:
        """When the block ends."""
        return now + int(self.days * DAY) if self.days else None


class LiftBlock(_Blocking):
    """Let a guest or a network in again, or allow a name."""

    NAME = "unblock"
    PATH = "/api/admin/blocks/lift"
    EXAMPLE: ClassVar = {"kind": "guest", "what": "c2VjcmV0"}
    ACTION = Action.UNBLOCK
    AUDIT = message("let in again")


class LogOutGuest(AdminAction):
    """Log a guest out everywhere: their cookies, tokens and personal links are invalid.

    `mauerwerk admin links TABLE` prints a new link, which you can pass on to the right person.
    """

    guest: str
    NAME = "log-out"
    PATH = "/api/admin/guests/{guest}/log-out"
    ACTION = Action.LOG_OUT
    AUDIT = message("logged a guest out")
    QUESTION = message("Log {who} out everywhere?")
    NOTE = message("Their personal links stop working; “mauerwerk admin links” prints new ones.")
    BUTTON = message("Log out")


class RenameGuest(AdminAction):
    """Give a guest another name, also at their tables and in what was told there."""

    guest: str
    name: Annotated[str, Meta(min_length=1, description="At most 32 characters.")]
    report: ReportId = ""
    NAME = "rename"
    PATH = "/api/admin/guests/{guest}/rename"
    EXAMPLE: ClassVar = {"name": "Mason"}
    ACTION = Action.RENAME
    AUDIT = message("renamed a guest")
    QUESTION = message("Rename {who}")
    BUTTON = message("Rename")
    FORM = (Input("name", message("New name of {who}"), longest=32, required=True),)


# --- Reports and the server ------------------------------------------------------------------


class ResolveReport(AdminAction):
    """Note that a report was dealt with."""

    report: str
    how: Annotated[
        Literal["dismissed", "renamed", "blocked"], Meta(description="What was done about it.")
    ] = "dismissed"
    NAME = "resolve"
    PATH = "/api/admin/reports/{report}/resolve"
    EXAMPLE: ClassVar = {"how": "dismissed"}
    ACTION = Action.RESOLVE
    AUDIT = message("dealt with a report")


class CloseServer(AdminAction):
    """Take no new tables; games that run go on."""

    NAME = "close"
    ROLE = Role.OWNER
    PATH = "/api/admin/close"
    ACTION = Action.CLOSE
    AUDIT = message("closed for new tables")


class ReopenServer(AdminAction):
    """Take new tables again."""

    NAME = "reopen"
    ROLE = Role.OWNER
    PATH = "/api/admin/reopen"
    ACTION = Action.REOPEN
    AUDIT = message("opened for new tables")


class RotateSecret(AdminAction):
    """Sign links and cookies with a new secret.

    People who visit the server within the time of grace notice nothing: their browsers get new
    cookies. After that time, old links and cookies are invalid. If somebody else may know the
    secret, let it be 0 days: everybody is logged out, and `mauerwerk admin links` prints new links.
    """

    grace_days: Annotated[
        int,
        Meta(ge=0, le=365, description="How long old links and cookies stay valid; 0: not at all."),
    ] = 14
    NAME = "rotate-secret"
    ROLE = Role.OWNER
    PATH = "/api/admin/secret"
    EXAMPLE: ClassVar = {"grace_days": 14}
    ACTION = Action.ROTATE
    AUDIT = message("replaced the secret")
    QUESTION = message("Sign links and cookies with a new secret?")
    NOTE = message(
        "If somebody else may know the old one, old links and cookies must not stay valid."
    )
    BUTTON = message("Replace")
    FORM = (
        Input(
            "grace_days",
            message("How long old links stay valid"),
            ((14, message("valid for 14 days")), (0, message("invalid now"))),
            chosen=14,
        ),
    )


AnyAction: TypeAlias = (
    EndTable
    | DeleteTable
    | VoidGame
    | Block
    | LiftBlock
    | LogOutGuest
    | RenameGuest
    | ResolveReport
    | CloseServer
    | ReopenServer
    | RotateSecret
)
"""All of them; type checkers name what a `match` leaves out."""
ACTIONS: Final[Mapping[str, type[AnyAction]]] = {each.NAME: each for each in get_args(AnyAction)}


def moment(at: int) -> str:
    """A time, as people and programs sort it."""
    return f"{datetime.fromtimestamp(at / 1_000, UTC):%Y-%m-%d %H:%M:%S}"

"""`mauerwerk admin`, its commands and options; `mauerwerk.cli.admin` does what they say."""

from typing import Any, Final, cast

import click
from msgspec import inspect

from mauerwerk.cli.common import AS_JSON, Number
from mauerwerk.cli.server_options import address_option, with_place
from mauerwerk.server.features.moderation import actions

MOST: Final = click.option("--most", type=click.IntRange(1, 10_000), default=50, help="How many.")
ANY_ID: Final = {"ignore_unknown_options": True}
"""An id may begin with a hyphen, and is no option then."""


def _work() -> Any:
    from mauerwerk.cli import admin  # noqa: PLC0415 - imports the server

    return admin


@click.group("admin")
def admin() -> None:
    """Manage a server: tables, guests, networks, reports, the secret.

    Servers on the same database follow within seconds. Every action is written to a log.

    Example: mauerwerk admin tables --data games --which silent
    """


# --- Actions ---------------------------------------------------------------------------------


def command_of(action: type[actions.AnyAction]) -> click.Command:
    """The command that does this: its arguments and options are the fields of the action."""
    fields = cast("inspect.StructType", inspect.type_info(action)).fields
    first = fields[0].name if fields else ""

    @with_place
    def run(*, place: str, yes: bool = True, **given: Any) -> None:
        named: tuple[Any, ...] = given[first] if action.SEVERAL else (given.get(first),)
        if not yes:
            click.confirm(action.CONFIRM.format(", ".join(named)), abort=True)
        _work().act(place, action, [{**given, first: each} if first else {} for each in named])

    parameters = [
        _parameter(field, several=action.SEVERAL and field.name == first) for field in fields
    ]
    if action.CONFIRM:
        parameters.append(click.Option(["--yes"], is_flag=True, help="Do not ask."))
    command = click.Command(
        action.NAME, context_settings=ANY_ID, callback=run, params=parameters, help=action.__doc__
    )
    command.params += getattr(run, "__click_params__", [])[::-1]
    return command


def _parameter(field: inspect.Field, *, several: bool) -> click.Parameter:
    """An argument for what must be given, an option for what need not."""
    kind, about = field.type, ""
    if isinstance(kind, inspect.Metadata):
        schema = cast("dict[str, str]", kind.extra_json_schema or {})  # pyright: ignore[reportUnknownMemberType] # msgspec has a bare dict
        about = schema.get("description", "")
        kind = kind.type
    if field.required:
        metavar = f"{field.name.upper()}..." if several else None
        count = -1 if several else 1
        return click.Argument(
            [field.name], type=_type_of(kind), nargs=count, required=True, metavar=metavar
        )
    return click.Option(
        [f"--{field.name.replace('_', '-')}"],
        type=_type_of(kind),
        default=field.default,
        show_default=field.default not in {"", None},
        help=about,
    )


class _Text(click.ParamType[str]):
    """A text that is neither too short nor too long."""

    name = "text"

    def __init__(self, least: int, most: int | None) -> None:
        self._least = least
        self._most = most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The text. Raises BadParameter."""
        text = str(value)
        if len(text) < self._least:
            self.fail("it is empty.", param, ctx)
        if self._most is not None and len(text) > self._most:
            self.fail(f"it is longer than {self._most} characters.", param, ctx)
        return text


def _type_of(kind: inspect.Type) -> click.ParamType[Any]:
    match kind:
        case inspect.EnumType():
            return click.Choice([each.value for each in kind.cls])
        case inspect.LiteralType():
            return click.Choice([str(each) for each in kind.values])
        case inspect.IntType():
            return click.IntRange(kind.ge, kind.le)
        case inspect.FloatType():
            return Number(kind.ge, kind.le)
        case inspect.StrType():
            return _Text(kind.min_length or 0, kind.max_length)
        case inspect.UnionType():
            (inner,) = (each for each in kind.types if not isinstance(each, inspect.NoneType))
            return _type_of(inner)
        case _:
            return click.STRING


for _action in actions.ACTIONS.values():
    admin.add_command(command_of(_action))


# --- Lists -----------------------------------------------------------------------------------


@admin.command("tables")
@click.option(
    "--which",
    type=click.Choice(["all", "open", "running", "finished", "silent"]),
    default="all",
    help="silent: nobody has played for a week.",
)
@click.option("--guest", metavar="ID", help="At which this guest sits, or opened.")
@click.option("--find", metavar="TEXT", help="A name, or the beginning of an id.")
@MOST
@AS_JSON
@with_place
def list_tables(**options: Any) -> None:
    """List tables, those changed last first."""
    _work().list_tables(**options)


@admin.command("links", context_settings=ANY_ID)
@click.argument("table")
@address_option("The public address of the server.")
@with_place
def show_links(**options: Any) -> None:
    """Print new personal links for the people at a table, to pass on.

    Anybody who has such a link can play at that seat.
    """
    _work().show_links(**options)


@admin.command("guests")
@MOST
@AS_JSON
@with_place
def list_guests(**options: Any) -> None:
    """List guests: blocked, reported and busy ones first."""
    _work().list_guests(**options)


@admin.command("blocks")
@AS_JSON
@with_place
def list_blocks(**options: Any) -> None:
    """List who is blocked."""
    _work().list_blocks(**options)


@admin.command("reports")
@click.option("--resolved", is_flag=True, help="Those that were dealt with.")
@MOST
@AS_JSON
@with_place
def list_reports(**options: Any) -> None:
    """List what players reported."""
    _work().list_reports(**options)


@admin.command("ratings")
@click.option("--again", is_flag=True, help="Work all of them out again from the finished games.")
@with_place
def check_ratings(**options: Any) -> None:
    """Check that results follow from the games, and ratings from the results.

    The exit code is 1 if one does not. --again makes the ratings anew, for example after a ladder
    has given the bots other ones. A server may run meanwhile.

    Example: mauerwerk admin ratings --data games
    """
    _work().check_ratings(**options)


@admin.command("audit")
@MOST
@AS_JSON
@with_place
def show_audit(**options: Any) -> None:
    """List what was done, the last first."""
    _work().show_audit(**options)


@admin.command("queues")
@click.option("--server", default="http://127.0.0.1:8080", metavar="URL", help="Which.")
@AS_JSON
def show_queues(**options: Any) -> None:
    """Show who fills the queues of a running server.

    It is asked over its API, with the token in the variable MAUERWERK_ADMIN_TOKEN.
    """
    _work().show_queues(**options)

"""How much a host takes on. The people who run a server can change each of these numbers."""

from typing import Annotated

from msgspec import Meta

from mauerwerk.core.game import Value


class HostLimits(Value, tag=False, kw_only=True):
    """Limits of one process on tables, bots and analyses."""

    unfinished_tables: Annotated[
        int, Meta(ge=1, description="unfinished tables at which one guest sits")
    ] = 50
    bot_tables: Annotated[
        int, Meta(ge=0, description="running tables of bots alone that one guest opened")
    ] = 5
    stored_bytes: Annotated[
        int,
        Meta(ge=0, description="bytes that the tables of one opener take up; 0: no limit"),
    ] = 32 * 2**20
    live_tables: Annotated[
        int, Meta(ge=4, description="tables in memory; idle ones are put away first")
    ] = 2_000
    live_entries: Annotated[
        int,
        Meta(ge=40, description="log entries of all tables in memory, about 800 bytes for each"),
    ] = 400_000
    live_seconds: Annotated[
        float,
        Meta(ge=1, description="seconds after which a table that nobody uses leaves the memory"),
    ] = 120.0
    unread_notices: Annotated[
        int, Meta(ge=8, description="batches of notices that may wait for a slow reader")
    ] = 256
    analyses: Annotated[
        int, Meta(ge=1, description="games of one client that may wait to be analysed")
    ] = 4
    all_analyses: Annotated[
        int, Meta(ge=1, description="games of all clients that may wait to be analysed")
    ] = 40
    analysed_moves: Annotated[int, Meta(ge=100, description="moves of a game that is analysed")] = (
        4_000
    )
    kept_analyses: Annotated[
        int, Meta(ge=0, description="analyses that are kept in the folder of the server")
    ] = 1_000
    hints: Annotated[
        int, Meta(ge=1, description="requests for hints at the same time, for each bot worker")
    ] = 2
    house_rules: Annotated[
        bool, Meta(description="whether tables may change what was printed, such as the walls")
    ] = False
    bot_threads: Annotated[
        int, Meta(ge=1, le=256, description="cores that each bot that looks ahead may use")
    ] = 1
    bot_wait: Annotated[
        float,
        Meta(ge=0.1, le=600, description="seconds that a bot waits for a process, among people"),
    ] = 3.0
    bot_wait_alone: Annotated[
        float,
        Meta(ge=0.1, le=600, description="seconds that a bot waits for a process, among bots"),
    ] = 30.0
    bot_delay_alone: Annotated[
        float,
        Meta(ge=0, le=600, description="seconds for a bot's move where nobody plays or watches"),
    ] = 3.0

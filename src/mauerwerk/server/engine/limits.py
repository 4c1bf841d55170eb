"""How much a host takes on. The people who run a server can change each of these numbers."""

from typing import Annotated

from msgspec import Meta

from mauerwerk.core.game import Value


class HostLimits(Value, tag=False, kw_only=True):
    """Limits of one process on tables, bots and analyses."""

    unfinished_tables: Annotated[int, Meta(ge=1)] = 50
    """Unfinished tables at which one guest sits."""
    bot_tables: Annotated[int, Meta(ge=0)] = 5
    """Running tables of bots alone that one guest opened."""
    stored_bytes: Annotated[int, Meta(ge=0)] = 32 * 2**20
    """Bytes that the tables of one opener take up; 0: no limit."""
    live_tables: Annotated[int, Meta(ge=4)] = 2_000
    """Tables in memory; idle ones are put away first."""
    live_entries: Annotated[int, Meta(ge=40)] = 400_000
    """Log entries of all tables in memory, about 800 bytes for each."""
    live_seconds: Annotated[float, Meta(ge=1)] = 120.0
    """Seconds after which a table that nobody uses leaves the memory."""
    unread_notices: Annotated[int, Meta(ge=8)] = 256
    """Batches of notices that may wait for a slow reader."""
    analyses: Annotated[int, Meta(ge=1)] = 4
    """Games of one client that may wait to be analysed."""
    all_analyses: Annotated[int, Meta(ge=1)] = 40
    """Games of all clients that may wait to be analysed."""
    analysed_moves: Annotated[int, Meta(ge=100)] = 4_000
    """Moves of a game that is analysed."""
    kept_analyses: Annotated[int, Meta(ge=0)] = 1_000
    """Analyses that are kept in the folder of the server."""
    hints: Annotated[int, Meta(ge=1)] = 2
    """Requests for hints at the same time, for each bot worker."""
    house_rules: bool = False
    """Whether tables may change what was printed, such as the walls."""
    bot_threads: Annotated[int, Meta(ge=1, le=256)] = 1
    """Cores that each bot that looks ahead may use."""
    bot_wait: Annotated[float, Meta(ge=0.1, le=600)] = 3.0
    """Seconds that a bot waits for a process, among people."""
    bot_wait_alone: Annotated[float, Meta(ge=0.1, le=600)] = 30.0
    """Seconds that a bot waits for a process, among bots."""
    bot_delay_alone: Annotated[float, Meta(ge=0, le=600)] = 3.0
    """Seconds for a bot's move where nobody plays or watches."""

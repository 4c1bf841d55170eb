"""`mauerwerk match` and `mauerwerk ladder`: which bot is better, and how sure that is."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from mauerwerk.bots import spec
from mauerwerk.cli import common, contests, per_game
from mauerwerk.core.game import AnyGame, Setup
from mauerwerk.core.language import counted
from mauerwerk.lab.intervals import CONFIDENCE
from mauerwerk.lab.match import contest as planning
from mauerwerk.lab.match.simulation import open_records
from mauerwerk.lab.match.spending import Price, prices_in, spendings
from mauerwerk.lab.match.standings import Rotation, Standings, standings, whole_rotations
from mauerwerk.lab.workers import map_unordered


def _playing_options(command: common.Command) -> common.Command:
    """The options that both commands have."""
    page = click.option(
        "--report", "page", type=common.FILE, help="Write the results as a page, .html."
    )
    played = contests.model_options(common.AS_JSON(command))
    return common.SEED(contests.worker_options(page(played)))


@per_game.game_command(seats_by_bots=True)
@click.option(
    "--bots",
    required=True,
    help="One per seat, separated by commas, or one for all with --seats: "
    f"{', '.join(spec.NAMES)}; a time to think after a colon, like search:0.2s.",
)
@click.option(
    "--games",
    type=common.POSITIVE,
    default=100,
    help="The number of games, rounded up so that every bot has every seat equally often.",
)
@click.option(
    "--results",
    "file",
    type=common.FILE,
    help="Save results in this file; if it has some already, resume.",
)
@common.RECORDS
@_playing_options
def match(
    game: AnyGame,
    setup: Setup[Any],
    *,
    bots: str,
    games: int,
    seed: int | None,
    jobs: int | None,
    ray: str | None,
    file: Path | None,
    records: str | None,
    page: Path | None,
    prices: Sequence[str],
    as_json: bool,
) -> None:
    """Let bots play each other on changing seats, and say who is better and how sure that is.

    Example: mauerwerk match GAME --bots greedy,uniform,uniform,uniform --games 400
    """
    _check_report(page)
    known_prices = prices_in(prices)
    lineup = planning.lineup_of(per_game.bots_at(bots, setup.seats))
    contest, content = contests.open_contest(game, setup, lineup, seed, file)
    wanted = list(planning.rotations(lineup, range(-(-games // setup.seats))))
    asked = set(wanted)
    done = {result.fixture: result for result in content.lines if result.fixture in asked}
    with ExitStack() as stack:
        workers = stack.enter_context(contests.workers_of(jobs, ray))
        one = records if common.is_one_file(records) else None
        if one and done:
            raise click.UsageError(
                f"a match that is resumed saves its games in a folder, not {one}"
            )
        in_one = common.new_records(one)
        folder = None if one else _folder(game, records, done)
        save = stack.enter_context(open_records(in_one, game.NAME)) if in_one else None
        at_once = workers.size
        add = stack.enter_context(planning.RESULTS.append_to(file, contest)) if file else None

        watch = contests.FaultWatch()

        def keep(finished: planning.Finished) -> None:
            watch.see(finished.result)
            if save and finished.record_text:
                save(0, [finished.record_text])
            if folder and finished.record_text:
                path = folder / _file_name(game, finished.result.fixture)
                path.write_text(finished.record_text, encoding="utf-8")
            if add:  # only now: a game that counts as played has its record
                add(finished.result)
            done[finished.result.fixture] = finished.result

        left = [fixture for fixture in wanted if fixture not in done]
        play = partial(planning.play_fixture, contest, with_record=bool(folder or save))
        played_now = map_unordered(play, left, workers)
        whole = contests.take_all(played_now, keep, title=game.TITLE, games=len(left))
    played = contests.label_bots(whole_rotations(done.values()), game, setup)
    if not played:
        raise click.Abort
    said = {
        "bots": [spec.read(word) for word in lineup],
        "jobs": at_once,
        "asked": len(wanted),
        "stopped": not whole,
    }
    _tell(game, contest, played, known_prices, said, page=page, as_json=as_json)
    watch.finish()
    if not whole:
        raise click.exceptions.Exit(contests.STOPPED)


def _tell(
    game: AnyGame,
    contest: planning.Contest,
    played: Sequence[Rotation],
    prices: Mapping[str, Price],
    said: Mapping[str, Any],
    *,
    page: Path | None,
    as_json: bool,
    rated: Sequence[Any] = (),
) -> None:
    """Print what came of a match, or with ratings of a ladder, and write the page."""
    summed_up, forfeits = standings(played), contests.forfeits(played)
    spent = spendings((game for games in played for game in games), prices)
    if page:
        from mauerwerk.lab.match.report import report  # noqa: PLC0415 - needs Jinja

        text = report(game, contest.setup, summed_up, rated, spent)
        page.write_text(text, encoding="utf-8")
    if as_json:
        common.print_json(
            {
                "game": game.NAME,
                "rules": game.RULES,
                "setup": contest.setup,
                "seed": contest.seed,
                **said,
                "confidence": CONFIDENCE,
                **({"ratings": rated} if rated else {}),
                "standings": summed_up,
                "forfeits": forfeits,
                "spent": spent,
            }
        )
        return
    if rated:
        _print_ladder(game, rated, summed_up, contest.seed)
    else:
        _print_standings(game, summed_up, contest.seed)
    contests.print_spending(spent)
    contests.print_forfeits(forfeits)


def _check_report(path: Path | None) -> None:
    """Refuse a file in which no report can be written, before anything is played."""
    if path and path.suffix != ".html":
        raise click.UsageError("--report takes a name that ends in .html")
    common.check_folder(path, "a report")


def _folder(game: AnyGame, path: str | None, done: Collection[planning.Fixture]) -> Path | None:
    """Where records go: into an empty folder, or to those of all games that were played before."""
    if path is None or not done:
        return common.new_folder(path)
    folder = Path(path)
    lacking = sum(not (folder / _file_name(game, each)).exists() for each in done)
    if lacking:
        raise click.UsageError(
            f"{path} lacks the records of {counted(lacking, 'game')} that the results hold; "
            "records are kept from the first game on"
        )
    return folder


def _file_name(game: AnyGame, fixture: planning.Fixture) -> str:
    return f"{game.NAME}-{fixture.rotation:06}-{fixture.turn}.txt"


def _print_standings(game: AnyGame, played: Standings, seed: int) -> None:
    rounds = counted(played.rotations, "rotation")
    table = contests.start_table(
        f"{game.TITLE}, {counted(played.games, 'game')} in {rounds}, seed {seed}",
        *("bot", "wins", "95 %", "rank", "±", "points", "±"),
    )
    for each in played.bots:
        table.add_row(
            each.bot,
            f"{each.wins.mean:.1%}",
            contests.interval(each.wins, ".1%"),
            f"{each.rank.mean:.2f}",
            contests.plus_minus(each.rank, ".2f"),
            f"{each.points.mean:.1f}",
            contests.plus_minus(each.points, ".1f"),
        )
    Console().print(table)
    click.echo(f"equals would win {played.fair:.1%} each; seat by seat it was ", nl=False)
    click.echo(", ".join(f"{seat.mean:.1%}" for seat in played.seats))
    shares = (f"{reason} {count / played.games:.1%}" for reason, count in played.reasons.items())
    click.echo(f"length: {played.turns:.1f} turns, {played.moves:.0f} moves")
    click.echo(f"ended by: {', '.join(shares)}")
    contests.print_thinking(played)


# --- ladder ------------------------------------------------------------------------------------


@per_game.game_command()
@click.option(
    "--bots",
    help="The bots, separated by commas; thinking time after a colon, like search:0.2s.  "
    f"[default: all that differ in the game, of {','.join(spec.NAMES)}]",
)
@click.option(
    "--games",
    type=click.IntRange(min=0),
    default=40,
    help="The least number of games between any two; 0 only rates what was played.",
)
@click.option(
    "--results",
    "file",
    type=common.FILE,
    help="The file for the results.  [default: ladder-GAME.jsonl]",
)
@_playing_options
def ladder(
    game: AnyGame,
    setup: Setup[Any],
    *,
    bots: str | None,
    games: int,
    seed: int | None,
    jobs: int | None,
    ray: str | None,
    file: Path | None,
    page: Path | None,
    prices: Sequence[str],
    as_json: bool,
) -> None:
    """Let every bot play every other, and rate them.

    Results go into a file, and the same command resumes the ladder, with more games or more bots.
    Every bot in the file is rated.

    Example: mauerwerk ladder GAME --bots greedy,uniform --games 40
    """
    from mauerwerk.lab.match.ratings import ratings  # noqa: PLC0415 - needs openskill

    _check_report(page)
    known_prices = prices_in(prices)
    entrants = sorted(set(planning.lineup_of(bots.split(",") if bots else spec.names_for(game))))
    if len(entrants) == 1 and games:
        raise click.UsageError("a ladder is for two bots at least: --bots A,B")
    path = file or Path(f"ladder-{game.NAME}.jsonl")
    contest, content = contests.open_contest(game, setup, entrants, seed, path)
    done = {result.fixture: result for result in content.lines}
    left = [each for each in planning.plan_ladder(entrants, setup.seats, games) if each not in done]
    whole, at_once = True, jobs or contests.cores()
    watch = contests.FaultWatch()
    if left:
        with (
            contests.workers_of(jobs, ray) as workers,
            planning.RESULTS.append_to(path, contest) as add,
        ):
            at_once = workers.size

            def keep(finished: planning.Finished) -> None:
                watch.see(finished.result)
                add(finished.result)
                done[finished.result.fixture] = finished.result

            played_now = map_unordered(partial(planning.play_fixture, contest), left, workers)
            whole = contests.take_all(played_now, keep, title=game.TITLE, games=len(left))
    played = contests.label_bots(whole_rotations(done.values()), game, setup)
    if not played:
        if whole:
            raise click.UsageError(f"{path} holds no games to rate")
        raise click.Abort
    said = {"results": str(path), "jobs": at_once, "stopped": not whole}
    rated = ratings(played)
    _tell(game, contest, played, known_prices, said, page=page, as_json=as_json, rated=rated)
    if not as_json:
        click.echo(f"results: {path}")
    watch.finish()
    if not whole:
        raise click.exceptions.Exit(contests.STOPPED)


def _print_ladder(game: AnyGame, rated: Sequence[Any], played: Standings, seed: int) -> None:
    by_bot = {each.bot: each for each in played.bots}
    table = contests.start_table(
        f"{game.TITLE}, {counted(len(played.seats), 'seat')}, "
        f"{counted(played.games, 'game')}, seed {seed}",
        *("bot", "rating", "95 %", "games", "wins", "95 %"),
    )
    for each in rated:
        of = by_bot[each.bot]
        table.add_row(
            each.bot,
            f"{each.rating.mean:.1f}",
            contests.interval(each.rating, ".1f"),
            str(of.games),
            f"{of.wins.mean:.1%}",
            contests.interval(of.wins, ".1%"),
        )
    Console().print(table)
    order = [each.bot for each in rated]
    ahead = {(each.bot, each.other): f"{each.share.mean:.0%}" for each in played.ahead}
    table = contests.start_table(
        "Who finished before whom:", "bot", *map(str, range(1, len(order) + 1))
    )
    for place, bot in enumerate(order, start=1):
        table.add_row(f"{place} {bot}", *(ahead.get((bot, other), "") for other in order))
    Console().print(table)
    contests.print_thinking(played)

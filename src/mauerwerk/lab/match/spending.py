"""What bots of other people have spent: requests, tokens, money and time, and illegal moves."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Final

from mauerwerk.bots import spec
from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import Value, shown
from mauerwerk.lab.match.contest import Result
from mauerwerk.lab.match.times import joined, thinking

MILLION: Final = 1_000_000
_PRICE: Final = re.compile(r"(.+)=(\d+(?:\.\d+)?)/(\d+(?:\.\d+)?)", re.ASCII)


class Price(Value):
    """What a million tokens cost, in any currency."""

    prompt: float
    completion: float


class Spending(Value):
    """What one bot has spent in all of its games."""

    bot: str
    games: int
    """A game in which it has several seats counts as several."""
    decisions: int
    requests: int
    retries: int
    """Requests that were repeated, since the server was busy or failed."""
    unreadable: int
    """Answers without a move."""
    illegal: int
    """Answers with an illegal move."""
    clauses: dict[str, int]
    """The clauses that forbade them, the most frequent first; empty for what is no move at all."""
    prompt_tokens: int
    completion_tokens: int
    seconds: float
    """How long it waited for answers."""
    cost: float | None
    """By the prices, or as the server says; None where nobody knows."""
    forfeits: int
    """Games that it lost because it gave no legal move in time."""

    def per_game(self, total: float) -> float:
        """The mean of a figure over its games."""
        return total / self.games


def prices_in(words: Iterable[str]) -> dict[str, Price]:
    """Prices by model, from words such as `gpt-9=1.25/10`. Raises SetupError.

    >>> prices_in(["m=1.5/6"])
    {'m': Price(prompt=1.5, completion=6.0)}
    """
    prices: dict[str, Price] = {}
    for word in words:
        given = _PRICE.fullmatch(word)
        if given is None:
            raise SetupError(
                "a price is MODEL=PROMPT/COMPLETION, for a million tokens each, like m=1.25/10, "
                f"not {shown(word)}"
            )
        prices[given[1]] = Price(float(given[2]), float(given[3]))
    return prices


def spendings(results: Iterable[Result], prices: Mapping[str, Price]) -> tuple[Spending, ...]:
    """What each bot has spent that has said so, in alphabetical order."""
    totals: defaultdict[str, defaultdict[str, float]] = defaultdict(lambda: defaultdict(float))
    seats: defaultdict[str, list[tuple[Result, int]]] = defaultdict(list)
    for result in results:
        for seat, bot in enumerate(result.bots):
            seats[bot].append((result, seat))
            for name, amount in result.spent[seat].items() if result.spent else ():
                totals[bot][name] += amount
    return tuple(
        _spending(bot, total, seats[bot], prices.get(model_of(bot)))
        for bot, total in sorted(totals.items())
        if total
    )


def model_of(bot: str) -> str:
    """The model of a bot; empty if it is none."""
    read = spec.read(bot)
    return read.program[-1] if read.name == spec.LLM else ""


def _spending(
    bot: str, total: defaultdict[str, float], seats: list[tuple[Result, int]], price: Price | None
) -> Spending:
    clauses = Counter(
        {
            name.removeprefix("illegal").strip(): round(number)
            for name, number in total.items()
            if name.startswith("illegal")
        }
    )
    prompt, completion = round(total["prompt_tokens"]), round(total["completion_tokens"])
    cost = total["cost"] or None
    if price is not None:
        cost = (prompt * price.prompt + completion * price.completion) / MILLION
    return Spending(
        bot=bot,
        games=len(seats),
        decisions=thinking(joined(result.times[seat] for result, seat in seats)).decisions,
        requests=round(total["requests"]),
        retries=round(total["retries"]),
        unreadable=round(total["unreadable"]),
        illegal=clauses.total(),
        clauses=dict(clauses.most_common()),
        prompt_tokens=prompt,
        completion_tokens=completion,
        seconds=total["seconds"],
        cost=cost,
        forfeits=sum(seat in result.forfeits for result, seat in seats),
    )

"""How much of a thing a tier does: a few games in `make quick`, thousands in `make thorough`."""

from typing import Final, Literal, NamedTuple, TypeAlias, TypeVar, get_args

Tier: TypeAlias = Literal["quick", "test", "thorough"]
TIERS: Final[tuple[Tier, ...]] = get_args(Tier)

T = TypeVar("T")


class Chosen(NamedTuple):
    """The tier that runs."""

    tier: Tier


_chosen = [Chosen("test")]


def choose(tier: Tier) -> None:
    """Run this tier. The plugin does so before any test module is imported."""
    _chosen[0] = Chosen(tier)


def tier() -> Tier:
    """The tier that runs."""
    return _chosen[0].tier


def amount(quick: T, test: T, thorough: T) -> T:
    """Which of three amounts the running tier takes."""
    return {"quick": quick, "test": test, "thorough": thorough}[tier()]

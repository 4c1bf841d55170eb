"""Die Mauer in sentences: the question that the table asks a viewer."""

from collections.abc import Sequence
from typing import assert_never

from mauerwerk.core.language.translation import ENGLISH, Language
from mauerwerk.core.language.words import capital, sentence, waiting_for
from mauerwerk.games.mauer.events import Task, View
from mauerwerk.games.mauer.notation import OBJECT, piece_name
from mauerwerk.games.mauer.values import Piece, Plan


def ask(view: View, names: Sequence[str], language: Language = ENGLISH, /) -> str:
    """What the table waits for, as a question to the viewer; at the end, who won."""
    match view.task:
        case Task.LOT:
            return language("Lots decide who is the first master builder.")
        case Task.NOTHING:
            return _won(view, names, language)
        case _ if view.seat not in view.waiting or view.master is None:
            return _doing(view, names, language)
        case Task.PLAN if view.seat == view.master:
            return language("You are the master builder. What do you plan to build?")
        case Task.PLAN:
            question = language(
                "{who} plans in secret. What do you hold in your fist?", who=names[view.master]
            )
            return capital(question)
        case Task.CHOOSE:
            return language("Yours is the only empty fist. Which piece do you build?")
        case Task.BUILD:
            return _ask_where(view, language)
        case Task.GIVE:
            return language(
                "Only you and {who} have empty fists. What do you give {who}?",
                who=names[view.master],
            )
        case _:
            assert_never(view.task)


def _doing(view: View, names: Sequence[str], language: Language) -> str:
    """What another player is doing, now that all fists are open."""
    who = names[view.waiting[0]]
    piece = piece_name(view.piece, language, OBJECT) if view.piece else ""
    match view.task:
        case Task.CHOOSE:
            return language("Only {who} has an empty fist and is choosing a piece.", who=who)
        case Task.BUILD if view.wall:
            return language("{who} is building {piece} and choosing an end.", who=who, piece=piece)
        case Task.BUILD:
            return language("{who} is starting the wall with {piece}.", who=who, piece=piece)
        case Task.GIVE if view.master is not None:
            other = names[view.master]
            return sentence(language("{who} is choosing a piece for {other}", who=who, other=other))
        case _:
            return _await(view, names, language)


def _await(view: View, names: Sequence[str], language: Language) -> str:
    """Whom the table waits for, and what one's own fist holds meanwhile."""
    if view.task is Task.PLAN and len(view.waiting) == len(view.hands):
        return language("Everybody is choosing in secret.")
    waited = waiting_for([names[seat] for seat in view.waiting], language)
    own = None if view.seat is None or view.task is not Task.PLAN else view.fists[view.seat]
    match own:
        case Plan(piece=None):
            return f"{language('Your fist is closed and empty.')} {waited}"
        case Plan(piece=Piece() as piece):
            held = piece_name(piece, language, OBJECT)
            closed = language("Your fist is closed around {piece}.", piece=held)
            return f"{closed} {waited}"
        case _:
            return waited


def _ask_where(view: View, language: Language) -> str:
    piece = piece_name(view.piece, language, OBJECT) if view.piece else ""
    if view.wall:
        return language("You build {piece}. At which end?", piece=piece)
    return language("You start with {piece}.", piece=piece)


def _won(view: View, names: Sequence[str], language: Language) -> str:
    sums = [sum(round_) for round_ in zip(*view.scores, strict=True)]
    winners = [name for name, points in zip(names, sums, strict=False) if points == min(sums)]
    if winners[1:]:
        together = language.many(
            min(sums),
            "{names} share the win with {number} penalty point each",
            "{names} share the win with {number} penalty points each",
            names=winners,
        )
        return sentence(together)
    alone = language.many(
        min(sums),
        "{name} won with {number} penalty point",
        "{name} won with {number} penalty points",
        name=winners[0],
    )
    return sentence(alone)

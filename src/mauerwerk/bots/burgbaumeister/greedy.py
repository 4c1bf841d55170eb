"""Rules of thumb for Burgbaumeister: what a card adds to a wall, and what it leaves room for.

A high card closes the wall to all that is lower, so that its gain is weighed against the gap it
leaves. For what the rest of a wall may still bring, a player is assumed to turn one card per turn
and to take what is good enough. Points that come later are worth a little less.
"""

from bisect import insort
from collections.abc import Callable, Collection, Mapping
from itertools import accumulate
from typing import Final

from mauerwerk.bots.evaluation import Choice, Evaluation, Reason, because
from mauerwerk.core.game import Seat, Sight
from mauerwerk.core.language import message, messages
from mauerwerk.games.burgbaumeister import values
from mauerwerk.games.burgbaumeister.beliefs import Belief, known
from mauerwerk.games.burgbaumeister.cards import EXTRA, Pictures, last, points, safe, shown
from mauerwerk.games.burgbaumeister.events import Event, View

SPELL: Final = 1.5
"""What an unused spell is worth, in points (BB-26)."""


class Prospects:
    """What a wall may still bring, by its last number and how many cards it still takes."""

    def __init__(
        self,
        gains: Mapping[int, float],
        unplaced: Collection[int],
        *,
        cards: int,
        discount: float,
        full: float,
    ) -> None:
        """Evaluate a wall that takes this many cards.

        `gains` is what each card of the depot scores, `unplaced` are those whose place is unknown,
        `discount` is what a point is worth a turn later, `full` what it is worth to have all cards.
        """
        self._gains = gains
        self._unplaced = frozenset(unplaced)
        self._to_come = [[full] * (values.CARDS[-1] + 1)]
        for _ in range(cards):
            self._to_come.append(self._one_more(discount))

    def _one_more(self, discount: float) -> list[float]:
        """The prospects of a wall that takes one card more than those before, highest last."""
        after, hidden = self._to_come[-1], len(self._unplaced)
        to_come = [0.0] * len(after)
        surest = 0.0
        gains: list[float] = []  # of the cards that may turn up, the best first, as negatives
        for number in range(values.CARDS[-1], values.START_TOWER - 1, -1):
            # To wait for the best few of all hidden cards: the more one takes, the sooner.
            waited = 0.0
            for count, total in enumerate(accumulate(gains), start=1):
                longer = -discount * total / (hidden - discount * (hidden - count))
                if longer <= waited:
                    break
                waited = longer
            to_come[number] = max(waited, discount * surest)
            if number in self._unplaced:
                insort(gains, -self._gains[number] - after[number])
            elif number in self._gains:
                surest = max(surest, self._gains[number] + after[number])
        return to_come

    def now(self, end: int) -> float:
        """What the rest of the wall may bring, next turn and later."""
        return self._to_come[-1][end]

    def added(self, number: int) -> float:
        """What a card brings, and the wall after it."""
        return self._gains[number] + self._to_come[-2][number]

    def inserted(self, number: int, end: int) -> float:
        """What a card brings that the wizard inserts, and the wall after it, without a spell."""
        return self._gains[number] + self._to_come[-2][end] - SPELL

    def hidden(self, end: int, *, spell: bool) -> float:
        """The value of turning a card that is unknown."""
        stay = self.now(end)
        outcomes = (
            max(stay, self.added(number))
            if number > end
            else max(stay, self.inserted(number, end))
            if spell
            else stay
            for number in self._unplaced
        )
        return sum(outcomes) / len(self._unplaced)


# --- Choices ---------------------------------------------------------------------------------

FULL_WALL_BONUS: Final = 3.0
"""What winning the race of the basic game is worth, in cards."""
HURRY: Final = 4.0
HASTE: Final = 1.0
"""How many turns it takes for a point to lose its value: more, the more cards others lack."""
SWING: Final = 3.0

SHOT: Final = messages(
    "The shot at {card} costs its owner {number} point.",
    "The shot at {card} costs its owner {number} points.",
)
TOO_LOW: Final = message("It is too low for your wall.")
WAIT: Final = message("It keeps your wall open for lower cards.")
SPARED: Final = message("It keeps your wizard for another card.")
NINTH: Final = message("{card} is your ninth card: the game ends, and you are ahead.")
LAST: Final = message("{card} is your ninth card and ends the game.")
COMPLETE_AHEAD: Final = message("{card} completes your wall: the game ends, and you are ahead.")
COMPLETE: Final = message("{card} completes your wall and ends the game.")
SCORES: Final = messages("{number} point", "{number} points")
BETWEEN: Final = message("{card} scores {scores}, and your last card stays as it is.")
ABOVE: Final = message("{card} scores {scores}, and is only {gap} above your last card.")
FAR_ABOVE: Final = message("{card} scores {scores}.")
LONGER: Final = messages(
    "It brings your wall to {number} card.", "It brings your wall to {number} cards."
)
UNKNOWN: Final = message("{fitting} of the {all} cards it could be would fit your wall.")
LOOK: Final = message("You learn what lies here.")
FITS: Final = message("{card} lies here and fits, only {gap} above your last card.")
FITS_TOO: Final = message("{card} lies here and fits your wall.")
NEAR: Final = 5
"""A card that is no more above the last one leaves most of the numbers open."""


class Situation:
    """The table as one player knows it."""

    def __init__(self, view: View, seat: Seat, options: values.Options, belief: Belief) -> None:
        """What is in the walls is public, what lies where is memory."""
        self.view, self.seat = view, seat
        self.faces = shown(options)
        self.walls: tuple[values.Wall, ...] = tuple(
            tuple(card.number for card in wall) for wall in view.walls
        )
        self.own = self.walls[seat]
        self.end = last(self.own)
        self.spell = view.spell == seat
        self.places = {place: n for place, n in known(belief).items() if place in view.depot}
        for lying in (*(view.seen or ()), *([view.turned] if view.turned else [])):
            if lying.card:
                self.places[lying.place] = lying.card.number
        gone = {*belief.destroyed, *self.places.values()}.union(*self.walls)
        self.unplaced = [n for n in values.CARDS[: view.cards] if n not in gone]
        self.rivals = [wall for each, wall in enumerate(self.walls) if each != seat]
        self.prospects = self._prospects()

    def _prospects(self) -> Prospects:
        nearest = min(self.view.full_wall - len(wall) for wall in self.rivals)
        full = FULL_WALL_BONUS if not self.view.variant else 1.5 if self.lead() > 0 else -1.0
        gains = {number: self.gain(number) for number in (*self.places.values(), *self.unplaced)}
        return Prospects(
            gains,
            self.unplaced,
            cards=self.view.full_wall - len(self.own),
            discount=1 - 1 / (HURRY + HASTE * nearest),
            full=full,
        )

    def lead(self) -> float:
        """Points ahead of the best of the others."""
        own = self.view.points[self.seat]
        return own - max(p for each, p in enumerate(self.view.points) if each != self.seat)

    def gain(self, number: int) -> float:
        """What a card is worth in one's wall, its picture included."""
        picture = self.faces.get(number)
        gain = 1.0 + self._couple(picture) + (EXTRA.get(picture, 0) if picture else 0)
        if picture is values.Picture.CANNON:
            gain += max((self.damage(target) for target in self.targets()), default=0.0)
        elif picture is values.Picture.TOWER:
            gain += 0.4 * self._in_danger()
        elif picture is values.Picture.WIZARD:
            gain += SPELL
        return gain

    def _couple(self, picture: values.Picture | None) -> int:
        """Whether a knight finds his damsel in this wall, or she him (BB-22)."""
        shown_in = [self.faces.get(number) for number in self.own]
        knights, damsels = (
            shown_in.count(values.Picture.KNIGHT),
            shown_in.count(values.Picture.DAMSEL),
        )
        return int(
            (picture is values.Picture.KNIGHT and damsels > knights)
            or (picture is values.Picture.DAMSEL and knights > damsels)
        )

    def _in_danger(self) -> float:
        """What cannons that may still come could take from one's wall."""
        cannons = {n for n, picture in self.faces.items() if picture is values.Picture.CANNON}
        if not cannons & {*self.places.values(), *self.unplaced}:
            return 0.0
        open_to_fire = self.own[safe(self.own, self.faces) :]
        return max((loss(self.own, number, self.faces) for number in open_to_fire), default=0.0)

    def targets(self) -> list[int]:
        """What a cannon of one's own could destroy (BB-24, BB-25)."""
        return [number for wall in self.rivals for number in wall[safe(wall, self.faces) :]]

    def damage(self, target: int) -> float:
        """The value of a shot: the whole loss of the leader, part of that of others."""
        wall = next(wall for wall in self.rivals if target in wall)
        leading = max(points(each, self.faces) for each in self.rivals)
        behind = leading - points(wall, self.faces)
        lost = loss(wall, target, self.faces) + (
            SPELL / 2 if self.faces.get(target) is values.Picture.WIZARD else 0
        )
        freed = 0.5 if wall[-1] == target else 0.0  # the wall takes lower cards again (BB-27)
        return (lost - freed) / (1 + 0.5 * behind)


def loss(wall: values.Wall, number: int, faces: Pictures) -> int:
    """The points that a wall loses with a card."""
    return points(wall, faces) - points(tuple(each for each in wall if each != number), faces)


def consider(
    sight: Sight[values.Action, Event, View],
    options: values.Options,
    remembered: Callable[[], Belief],
    /,
) -> Evaluation:
    """Weigh every legal action by what is known."""
    situation = Situation(sight.view, sight.seat, options, remembered())
    choices = [_choice(action, situation) for action in sight.legal]
    return Evaluation(
        choices, lead=situation.lead() - situation.prospects.now(situation.end) / 2, swing=SWING
    )


def _choice(action: values.Action, situation: Situation) -> Choice:
    match action:
        case values.Turn(place=place):
            return _turn(action, situation, place)
        case values.Add():
            return _take(action, situation, situation.prospects.added)
        case values.Insert():
            end = situation.end
            return _take(action, situation, lambda n: situation.prospects.inserted(n, end))
        case values.Leave():
            value = situation.prospects.now(situation.end)
            return Choice(action, value, because(_why_left(situation)))
        case values.Fire(number=number):
            lost = situation.damage(number)
            owner = next(wall for wall in situation.rivals if number in wall)
            cost = loss(owner, number, situation.faces)
            return Choice(action, lost, because(SHOT, card=number, number=cost), cost)
        case values.HoldFire():
            return Choice(action, 0.0, because(message("Nothing there is worth a shot.")))
        case values.Show() | values.Appoint() | values.Spread():
            raise AssertionError(action)


def _why_left(situation: Situation) -> str:
    turned = situation.view.turned
    assert turned is not None
    assert turned.card is not None
    if turned.card.number > situation.end:
        return WAIT
    return SPARED if situation.spell else TOO_LOW


def _take(action: values.Action, situation: Situation, prospect: Callable[[int], float]) -> Choice:
    turned = situation.view.turned
    assert turned is not None
    assert turned.card is not None
    number = turned.card.number
    scored = _points_with(situation, number) - points(situation.own, situation.faces)
    to_go = situation.view.full_wall - len(situation.own) - 1
    value = prospect(number)
    if not to_go:
        value = _last_card(situation, number, value)
        ahead = _is_ahead(situation, number)
        if situation.view.full_wall == values.FULL_WALL:
            won = NINTH if ahead else LAST
        else:
            won = COMPLETE_AHEAD if ahead else COMPLETE
        return Choice(action, value, because(won, card=number), scored)
    return Choice(action, value, _why_taken(situation, number, scored), scored)


def _why_taken(situation: Situation, number: int, scored: int) -> Reason:
    """What a card brings; a gap below it is mentioned only where it is small."""
    if scored <= 0:
        return because(LONGER, number=len(situation.own) + 1)
    scores = because(SCORES, number=scored)
    if number < situation.end:
        return because(BETWEEN, card=number, scores=scores)
    if (gap := number - situation.end) > NEAR:
        return because(FAR_ABOVE, card=number, scores=scores)
    return because(ABOVE, card=number, scores=scores, gap=gap)


def _points_with(situation: Situation, number: int) -> int:
    return points(tuple(sorted((*situation.own, number))), situation.faces)


def _last_card(situation: Situation, number: int, value: float) -> float:
    """The ninth card decides: it wins, or it ends a game that is lost (BB-10, BB-20)."""
    if not situation.view.variant:
        return value
    if situation.faces.get(number) is values.Picture.CANNON and situation.targets():
        return value  # the shot is still to come (BB-28)
    return value + 100 if _is_ahead(situation, number) else value - 100


def _is_ahead(situation: Situation, number: int) -> bool:
    """Whether one would have won with this card (BB-10, BB-20)."""
    own = (_points_with(situation, number), max(number, situation.end))
    return own > max((points(wall, situation.faces), last(wall)) for wall in situation.rivals)


def _turn(action: values.Turn, situation: Situation, place: int) -> Choice:
    prospects, end = situation.prospects, situation.end
    number = situation.places.get(place)
    if number is None:
        value = prospects.hidden(end, spell=situation.spell)
        useful = sum(situation.spell or n > end for n in situation.unplaced)
        reason = (
            because(UNKNOWN, fitting=useful, all=len(situation.unplaced))
            if useful
            else because(LOOK)
        )
        return Choice(action, value, reason)
    if number > end:
        last_card = len(situation.own) + 1 == situation.view.full_wall
        value = prospects.added(number)
        value = _last_card(situation, number, value) if last_card else value
        gap = number - end
        reason = (
            because(FITS, card=number, gap=gap) if gap <= NEAR else because(FITS_TOO, card=number)
        )
        return Choice(action, max(value, prospects.now(end) - 0.01), reason, 1.0)
    if situation.spell:
        reason = because(message("{card} lies here, and your wizard can insert it."), card=number)
        return Choice(action, max(prospects.inserted(number, end), prospects.now(end)), reason)
    reason = because(message("{card} lies here; turning it gives nothing away."), card=number)
    return Choice(action, prospects.now(end) - 0.02, reason)

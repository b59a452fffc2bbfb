"""The narration of a game in plain sentences, as a spectator or a player sees it.

Several events form one sentence: a claim and its payment, the two cards of a turn. A plugin's event is described by the
`message` of its class, with the event's fields in braces, such as `"{seat} builds a station in {city}"`. A template
that ends with a line break is a separate sentence. One that begins with "with", such as `"with {payment}"`, is attached
to the next clause, or stands where that has `{paid}`. If no clause follows, it is attached to the one before. An empty
one is skipped. Without a template, an event of a plugin is told by its name and fields. An event of the core is told by
its own method below, or not at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import singledispatchmethod

from attrs import frozen

from ttr_rules import Rules, events as core
from ttr_rules.actions import economy_of
from ttr_rules.events import Event, SeenEvent
from ttr_rules.language import ENGLISH, SOURCE, WITH, Language, marked
from ttr_rules.model import Action, ClaimRoute, Counts, Turn, Unknown
from ttr_rules.parts import exposed_fields
from ttr_rules.play import Game
from ttr_rules.text import spaced
from ttr_rules.train_cards import TrainCards
from ttr_tools.narration.menus import action_label, kind_label, option_label
from ttr_tools.narration.words import Names

#: The number of lines repeated when a game is resumed.
RETOLD = 8


@frozen
class Line:
    """A line of a story: its text, the seat it is about (None for none), and True for a heading.

    >>> from ttr_rules import new_game
    >>> from ttr_tools.narration import Narrator
    >>> game = new_game("europe", players=["Ada", "Bo"], seed=1)
    >>> Narrator(game.rules, game.players).tell(game.events)[0]
    Line(text='Ada and Bo play; Bo begins.', seat=None, heading=False)
    """

    text: str
    seat: int | None = None
    heading: bool = False


class Narrator:
    """Narrates the events of one game as `viewer` may see them (None: a spectator). Pass all of them in order.

    `language` is a code such as "de", or what `rules.language` gives. The default is English.

    >>> from ttr_rules import DrawBlind, arrange
    >>> game = arrange(None, {"stack": ["europe"], "seed": 1, "players": [{"name": "Ada"}, {"name": "Bo"}]})
    >>> narrator = Narrator(game.rules, game.players, viewer=1)
    >>> _ = narrator.tell(game.events)
    >>> events = [event for _ in range(2) for event in game.play(DrawBlind(0))]
    >>> [line.text for line in narrator.tell(events)]
    ['Ada draws two cards from the pile.']
    """

    def __init__(
        self, rules: Rules, players: Sequence[str], viewer: int | None = None, language: Language | str = ENGLISH
    ) -> None:
        self.names = Names(rules, players, language)
        language = self.names.language
        self._gettext = language.gettext
        self._ngettext = language.ngettext

        self._lines: list[Line] = []
        self._seat = 0
        self._clauses: list[str] = []
        self._drawn: dict[str | None, list[str]] = {}  # as `Names.draw_clauses` has it
        self._later: list[str] = []
        self._with: list[tuple[str, list[object]]] = []  # what is added to the next clause, with the values it tells
        self._paid: Counts | None = None
        self._laid: Counts | None = None
        self._scored: list[tuple[int, str]] = []  # by seats while something was paid for: told after it
        self._viewer = viewer
        self._revealed: list[str] = []
        self._turns = 0  # begun so far, without those that were granted
        self._round = 0  # the last one with a heading
        self._turn: int | None = None  # the seat whose turn it is, as far as it is known; None between turns
        self._between = False  # known to be between turns
        self._passed = False  # told already of this turn, which has a question left
        self._granted = 0  # turns, one after the other
        self._announced: Action | None = None  # what waits for an answer, and has been told
        self._is_forced = not rules.may_pass or rules.economy.open_purses

    def tell(self, events: Iterable[Event | SeenEvent]) -> list[Line]:
        """The lines that these events complete, without what the viewer may not see."""
        for item in events:
            self._tell(item.event if isinstance(item, SeenEvent) else item.seen_by(self._viewer).event)
        if self._seat != self._turn:  # only the one whose turn it is may go on
            self._flush()
        lines, self._lines = self._lines, []
        return lines

    def unfinished(self) -> list[Line]:
        """The sentence about a turn that goes on, as far as it has come. `tell` returns it once it is complete."""
        before = dict(vars(self))
        self._lines, self._clauses, self._later = [], [*self._clauses], [*self._later]  # others than `before` has
        self._flush()
        lines = self._lines
        vars(self).update(before)
        return lines

    # -- sentences -------------------------------------------------------------------------------------------

    def _say(self, seat: int, clause: str) -> None:
        """Add something that a player did in this turn, without the name: `draws a card`."""
        self._speak_of(seat)
        added = self._with_payment()
        self._settle()
        self._clauses.append(clause + added)
        self._add_scored()

    def _add_scored(self) -> None:
        """Tell what was scored during a payment, now that the sentence has come to what was paid for."""
        scored, self._scored = self._scored, []
        for seat, clause in scored:
            if seat == self._seat:
                self._clauses.append(clause)
            else:
                self._later.append(f"{self.names.player(seat)} {clause}.")

    def _speak_of(self, seat: int) -> None:
        """Begin a sentence about another player, unless it is the same."""
        if seat != self._seat:
            self._flush()
            self._seat = seat

    def _aside(self, text: str, seat: int | None = None, *, heading: bool = False) -> None:
        self._flush()
        self._lines.append(Line(text, seat, heading))

    def _settle(self) -> None:
        """Turn cards drawn so far, and any unexplained payment, into clauses."""
        if self._drawn:
            self._clauses += self.names.draw_clauses(self._drawn)
            self._drawn = {}
        if self._paid is not None:
            paid, self._paid = self._paid, None
            self._clauses.append(self._gettext("pays {cards}", cards=self.names.cards(paid)))
            self._add_scored()
        if self._with and self._clauses:  # nothing follows: it belongs to what came before
            self._clauses[-1] += f",{self._with_payment()}"
        elif self._with:
            self._clauses.append(self._gettext("pays{payment}", payment=self._with_payment()))

    def _flush(self) -> None:
        self._settle()
        if self._clauses:
            clauses = self.names.language.joined(self._clauses)
            self._lines.append(Line(f"{self.names.player(self._seat)} {clauses}.", self._seat))
            self._clauses = []
        self._lines += [Line(text) for text in self._later]
        self._later = []

    def _with_payment(self) -> str:
        """The addition to the next clause: a payment, or the words of plugins' events."""
        parts, self._with = [text for text, _ in self._with], []
        if self._paid is not None:
            parts.insert(0, self._gettext("with {cards}", cards=self.names.cards(self._paid, WITH)))
            self._paid = None
            if self._revealed:
                cards = self.names.one_by_one(self._revealed)
                parts[-1] += self._gettext(" ({cards} turned up, nothing more due)", cards=cards)
                self._revealed = []
        return f" {', '.join(parts)}" if parts else ""

    def _of_piles(self, text: str) -> None:
        """Report what happens to the piles: immediately between two drawn cards, but not in the middle of a claim."""
        if self._clauses or self._paid is not None or self._laid is not None:
            self._later.append(text)
        else:
            self._aside(text)

    # -- what plugins add --------------------------------------------------------------------------------------

    @singledispatchmethod
    def _tell(self, event: Event) -> None:
        """Tell an event: here one with a template, or of a plugin, below those of the core."""
        template: object = type(event).message
        if template is None and type(event).__module__.startswith("ttr_rules."):
            return  # of the core: it needs no sentence
        values = exposed_fields(event)
        seat = values.get("seat")
        paid = self._with_payment() if "{paid}" in str(template) else ""
        message = self.names.filled(template, values, paid)
        if message == "":
            return
        name = self.names.player(seat) if type(seat) is int else ""
        if message is not None and str(template).startswith("with "):
            if type(seat) is int:
                self._speak_of(seat)
            self._with.append((message.rstrip("."), [*values.values()]))
        elif type(seat) is not int:
            self._aside(_sentence(message or self._describe(event, values)))
        elif message is None:
            del values["seat"]
            self._aside(f"{name}: {self._describe(event, values)}{self._with_payment()}.", seat)
        elif not message.startswith(f"{name} "):
            self._aside(_sentence(message), seat)
        elif message.endswith("\n"):
            self._aside(name + _sentence(message.removeprefix(name)), seat)
        else:
            self._say(seat, message.removeprefix(f"{name} ").rstrip("."))

    def _describe(self, event: Event, values: Mapping[str, object]) -> str:
        """An event without a template: the words of its name, and its fields."""
        name, fields = self.names.language.name(spaced(type(event).__name__)), self.names.fields(values)
        return f"{name} ({fields})" if fields else name

    # -- the course of a game ----------------------------------------------------------------------------------

    @_tell.register
    def _tell_game_begun(self, event: core.GameBegun) -> None:
        players, first = self.names.language.joined(self.names.players), self.names.player(event.first_seat)
        self._aside(self._gettext("{players} play; {first} begins.", players=players, first=first))

    @_tell.register
    def _tell_setup_revealed(self, event: core.SetupRevealed) -> None:
        if not event.held:  # there are more tickets to choose from
            return
        number = self.names.language.number
        kept = [f"{self.names.player(seat)} {number(count)}" for seat, count in enumerate(event.held)]
        one, many = "{player} has {number} ticket", "{player} has {number} tickets"
        kept[0] = self._ngettext(one, many, event.held[0], player=self.names.player(0))
        self._aside(self._gettext("All have chosen: {kept}.", kept=self.names.language.joined(kept)))

    @_tell.register
    def _tell_choices_opened(self, event: core.ChoicesOpened) -> None:
        nothing = self._gettext("nothing")
        chosen = [
            f"{self.names.player(action.seat)} ({option_label(action, self.names) or nothing})"
            for action in event.actions
        ]
        self._aside(self._gettext("All have chosen: {kept}.", kept=self.names.language.joined(chosen)))

    @_tell.register
    def _tell_asked(self, event: core.Asked) -> None:
        announced = None if isinstance(event.todo, Unknown) else event.todo[-1].action
        if any(decision.seat != self._seat for decision in event.decisions):
            if announced is not None and announced != self._announced:
                self._announce(announced)
            self._flush()  # others are asked about what has happened
        self._announced = announced

    def _announce(self, action: Action) -> None:
        """Tell what somebody is about to do, and others are asked about."""
        if isinstance(action, ClaimRoute):
            self._paid = action.payment
            values = {"route": self.names.route_with_kind(action.route), "payment": self._with_payment()}
            self._say(action.seat, self._gettext("is about to claim {route}{payment}", **values))
        else:
            told = kind_label(type(action), Turn(action.seat), self.names), action_label(action, self.names)
            self._say(action.seat, self._gettext("announces: {action}", action=": ".join(filter(None, told))))

    @_tell.register
    def _tell_round_begun(self, event: core.RoundBegun) -> None:
        self._turns = (event.number - 1) * len(self.names.players)
        self._head_round(event.number)

    def _head_round(self, number: int) -> None:
        """Begin a round with a heading, unless `RoundBegun` has done so."""
        if number != self._round:
            self._aside(self._gettext("Round {round}", round=number), heading=True)
        self._round = number

    @_tell.register
    def _tell_turn_begun(self, event: core.TurnBegun) -> None:
        self._flush()
        turns, place = divmod(self._turns, len(self.names.players))
        if not place:
            self._head_round(turns + 1)
        self._turns += 1
        self._seat = self._turn = event.seat
        self._between = False
        self._announced = None

    @_tell.register
    def _tell_turn_ended(self, event: core.TurnEnded) -> None:
        if event.passed and not self._passed:
            self._tell_pass(event.seat)
        self._passed = False
        self._flush()
        self._seat, self._turn = event.seat, None
        self._between = True

    @_tell.register
    def _tell_turn_passed(self, event: core.TurnPassed) -> None:
        self._tell_pass(event.seat)
        self._passed = True

    @_tell.register
    def _tell_pass_chosen(self, event: core.PassChosen) -> None:
        self._say(event.seat, self._gettext("passes"))

    def _tell_pass(self, seat: int) -> None:
        is_known = self._is_forced and not self._clauses
        self._say(seat, self._gettext("can do nothing and passes") if is_known else self._gettext("passes"))

    @_tell.register
    def _tell_extra_turn(self, event: core.ExtraTurnBegun) -> None:
        self._flush()
        self._passed = False
        self._say(event.seat, self._gettext("has another turn"))

    @_tell.register
    def _tell_turn_granted(self, event: core.TurnGranted) -> None:
        if event.seat == self._seat and self._clauses[-1:] == [self._more_turns()]:
            self._clauses.pop()
        else:
            self._granted = 0
        self._granted += 1
        self._say(event.seat, self._more_turns())

    def _more_turns(self) -> str:
        return self._ngettext("will have another turn", "will have {number} more turns", self._granted)

    @_tell.register
    def _tell_points_scored(self, event: core.PointsScored) -> None:
        self._score(event.seat, event.points, self.names.term(event.term))

    def _score(self, seat: int, points: int, term: str) -> None:
        clause = "loses {count} for {term}" if points < 0 else "scores {count} for {term}"
        told = self._ngettext(clause, clause, abs(points), term=term)
        if self._paid is not None or self._laid is not None:
            self._scored.append((seat, told))
        else:
            self._say(seat, told)

    @_tell.register
    def _tell_route_points(self, event: core.RoutePointsScored | core.RouteShared | core.RouteFreed) -> None:
        points = event.points
        if isinstance(event, core.RouteShared):
            template = marked("holds {route} as well from now on") if event.free else marked("claims {route} as well")
            self._say(event.seat, self._gettext(template, route=self.names.route(event.route)))
        elif isinstance(event, core.RouteFreed):
            points = -points
            self._say(event.seat, self._gettext("gives up {route}", route=self.names.route(event.route)))
        if points < 0:
            one, many = "loses {count} point for a route", "loses {count} points for a route"
        else:
            one, many = "scores {count} point for a route", "scores {count} points for a route"
        if isinstance(event, core.RoutePointsScored) and event.route:
            self._score(event.seat, points, self.names.route(event.route))
        elif points:
            self._say(event.seat, self._ngettext(one, many, abs(points)))

    @_tell.register
    def _tell_round_ended(self, event: core.RoundEnded) -> None:
        self._turns += -self._turns % len(self.names.players)
        self._aside(self._gettext("The round ends with this turn."))

    @_tell.register
    def _tell_last_round(self, event: core.LastRoundBegun) -> None:
        seat, turns = self._seat if self._turn is None else self._turn, event.turns_left - (not self._between)
        template = event.reason or marked("{seat} has hardly any train cars left")
        reason = self.names.filled(template, {"seat": seat}) or event.reason
        rounds, more = divmod(turns, len(self.names.players))
        if not turns:
            self._aside(self._gettext("{reason}: the game ends with this turn.", reason=reason))
        elif more or self.names.rules.next_seat:
            one, many = "{reason}: {number} more turn.", "{reason}: {number} more turns."
            self._aside(self._ngettext(one, many, turns, reason=reason))
        else:
            one, many = "{reason}: everybody has one more turn.", "{reason}: everybody has {number} more turns."
            self._aside(self._ngettext(one, many, rounds, reason=reason))

    @_tell.register
    def _tell_game_ended(self, event: core.GameEnded) -> None:
        told = "That was the last turn. The game is over."
        if event.reason == "deadlock":
            told = "Nobody can do anything any more. The game is over."
        self._aside(self._gettext(told))

    @_tell.register
    def _tell_arranged(self, event: core.PositionArranged) -> None:
        self._between = True
        players, player = self.names.language.joined(self.names.players), self.names.player(event.to_act)
        self._aside(self._gettext("{players} play on; it is the turn of {player}.", players=players, player=player))

    @_tell.register
    def _tell_turns_arranged(self, event: core.TurnsArranged) -> None:
        self._turns = event.turns

    # -- train cards -------------------------------------------------------------------------------------------

    @_tell.register
    def _tell_shuffled(self, event: core.PileShuffled) -> None:
        if self._turns:
            deck = event.deck if isinstance(event, core.DeckShuffled) else ""
            told = "The discards are shuffled into a new {pile} pile."
            if not deck:
                told = "The discards are shuffled into a new draw pile."
            self._of_piles(self._gettext(told, pile=self.names.pile(deck)))

    @_tell.register
    def _tell_turned_up(self, event: core.CardsTurnedUp) -> None:
        if len(event.cards) > 1:
            self._of_piles(self._gettext("Turned up: {cards}.", cards=self.names.one_by_one(event.cards)))

    @_tell.register
    def _tell_swept(self, event: core.RowSwept) -> None:
        economy = economy_of(self.names.rules.economy, TrainCards)
        special = [card for card in event.cards if card in economy.sweepers]
        reason = max(special, key=special.count, default="")
        if economy.sweep_at and special.count(reason) >= economy.sweep_at:
            cards = self.names.count_cards(special.count(reason), reason, WITH)
            self._of_piles(self._gettext("With {cards} among the cards face up, all are replaced.", cards=cards))
        else:
            self._of_piles(self._gettext("All cards face up are replaced."))

    @_tell.register
    def _tell_drew(self, event: core.CardDrawn | core.FaceUpTaken) -> None:
        self._speak_of(event.seat)
        card = event.card if isinstance(event.card, str) else ""
        deck = event.deck if isinstance(event, core.DeckCardDrawn) else self.names.decks.get(card, "")
        self._drawn.setdefault(None if isinstance(event, core.FaceUpTaken) else deck, []).append(card)

    # -- routes and tunnels ------------------------------------------------------------------------------------

    @_tell.register
    def _tell_spent(self, event: core.CardsSpent) -> None:
        self._speak_of(event.seat)
        others, self._with = self._with, []  # they are for what is paid here, too
        self._settle()
        self._with, self._paid = others, event.payment

    @_tell.register
    def _tell_pieces_spent(self, event: core.PiecesSpent) -> None:
        if self._laid is not None:
            self._laid += event.pieces
        elif self._paid is not None:
            self._paid += event.pieces
        else:
            self._tell_spent(core.CardsSpent(event.seat, event.pieces))

    @_tell.register
    def _tell_discarded(self, event: core.CardsDiscarded) -> None:
        self._settle()
        self._say(event.seat, self._gettext("discards {cards}", cards=self.names.cards(event.cards)))

    @_tell.register
    def _tell_laid_down(self, event: core.CardsLaid) -> None:
        self._speak_of(event.seat)
        self._laid, self._revealed = event.payment, []

    @_tell.register
    def _tell_cards_revealed(self, event: core.CardsRevealed) -> None:
        self._revealed += event.cards

    @_tell.register
    def _tell_tunnel_entered(self, event: core.TunnelEntered) -> None:
        others, self._with = self._with, []
        scored, self._scored = self._scored, []
        self._laid, self._revealed = None, []
        added = [f", {text}" for text, values in others if not any(_is_told(value, event) for value in values)]
        if self.names.pays_with_cards:
            one = "lays {cards} for {route}: {revealed} turned up, {number} more is due"
            many = "lays {cards} for {route}: {revealed} turned up, {number} more are due"
        else:
            one = "puts in {cards} for {route}: {revealed} came up, {number} more space to fill"
            many = "puts in {cards} for {route}: {revealed} came up, {number} more spaces to fill"
        route = self.names.route_with_kind(event.route) + "".join(added)
        cards, revealed = self.names.cards(event.laid), self.names.one_by_one(event.revealed)
        clause = self._ngettext(one, many, event.extra.spaces, cards=cards, route=route, revealed=revealed)
        self._say(event.seat, clause)
        self._flush()
        self._scored = scored
        self._add_scored()
        self._flush()

    @_tell.register
    def _tell_laid_spent(self, event: core.LaidSpent) -> None:
        if self._laid is not None:
            self._paid, self._laid = self._laid, None
        elif event.extra.total:  # the tunnel cost extra and has already been reported
            self._say(event.seat, self._gettext("adds {cards}", cards=self.names.cards(event.extra)))

    @_tell.register
    def _tell_tunnel_abandoned(self, event: core.TunnelAbandoned) -> None:
        self._laid = None
        clause = "abandons the tunnel and takes back the cards" if self.names.pays_with_cards else "abandons the tunnel"
        self._say(event.seat, self._gettext(clause))

    @_tell.register
    def _tell_claimed(self, event: core.RouteClaimed) -> None:
        values = {"route": self.names.route_with_kind(event.route), "payment": self._with_payment()}
        one, many = "claims {route} for {count} point{payment}", "claims {route} for {count} points{payment}"
        self._say(event.seat, self._ngettext(one, many, event.points, **values))

    # -- tickets -----------------------------------------------------------------------------------------------

    @_tell.register
    def _tell_mix_announced(self, event: core.MixAnnounced) -> None:
        parts: list[str] = []
        for pile, count in event.mix.items():
            one = f"{{number}} {spaced(pile)} {'one' if parts else 'ticket'}"
            parts.append(self.names.language.npgettext("tickets", one, f"{one}s", count))
        paid, self._with = self._with, []  # that is for the draw
        self._say(event.seat, self._gettext("asks for {tickets}", tickets=self.names.language.joined(parts)))
        self._with = paid

    @_tell.register
    def _tell_tickets_drawn(self, event: core.TicketsDrawn) -> None:
        count = _count_tickets(event.tickets)
        self._say(event.seat, self._ngettext("draws {number} ticket", "draws {number} tickets", count))

    @_tell.register
    def _tell_tickets_kept(self, event: core.TicketsKept) -> None:
        count = _count_tickets(event.tickets)
        if not count:
            self._say(event.seat, self._gettext("keeps none"))
        elif isinstance(event.tickets, Unknown):
            self._say(event.seat, self._ngettext("keeps {number}", "keeps {number}", count))
        else:
            kept = self.names.language.joined(map(self.names.value, event.tickets))
            self._say(event.seat, self._gettext("keeps {tickets}", tickets=kept))


def _sentence(text: str) -> str:
    """A sentence of its own: with a capital letter, and one full stop."""
    text = text.rstrip().rstrip(".")
    return f"{text[:1].upper()}{text[1:]}."


def _is_told(value: object, event: core.TunnelEntered) -> bool:
    """Tell whether a value is what was laid, a part of it, or what turned up.

    The sentence about the tunnel says both.
    """
    return bool(value) and (value == event.revealed or (isinstance(value, Counts) and value.within(event.laid)))


def _count_tickets(tickets: tuple[str, ...] | Unknown) -> int:
    return (tickets.count or 0) if isinstance(tickets, Unknown) else len(tickets)


def narrate(game: Game, since: int | None, *, seat: int | None, lang: str = SOURCE) -> tuple[str, ...]:
    """The story after a number of actions, in sentences in a language, as `seat` may see it (None: a spectator).

    A turn is told when it is over: after a free action there is nothing new yet.

    `since` is as for `Game.messages`. The language is the caller's choice each time: several players can follow one
    game in different languages.

    >>> from ttr_rules import new_game
    >>> game = new_game("europe", players=["Ada", "Isambard"], seed=1)
    >>> narrate(game, None, seat=None, lang="de")[0], narrate(game, None, seat=0)[0]
    ('Ada und Isambard spielen; Isambard beginnt.', 'Ada and Isambard play; Isambard begins.')
    """
    moves = game.messages(None, seat)
    narrator = Narrator(game.rules, game.players, seat, game.rules.language(lang))
    story = [narrator.tell(move.events) for move in moves]
    return tuple(line.text for lines in story[len(moves) - len(game.messages(since, seat)) :] for line in lines)

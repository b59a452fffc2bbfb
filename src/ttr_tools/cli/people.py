"""A game with people at the keyboard, or none: whose turn it is, what they may see, and what they have to decide."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import cast

from ttr_rules.events import CardDrawn, CardsDealt, Event, TicketsChosen, TicketsDealt, TicketsDrawn, TicketsKept
from ttr_rules.model import Action, Decision, KeepTickets, TicketChoice, TicketSetup
from ttr_rules.play import Game, Move
from ttr_rules.saves import Journal
from ttr_tools.cli.choices import menu_of
from ttr_tools.cli.look import look_up
from ttr_tools.cli.prompt import Prompt, Question
from ttr_tools.cli.saves import offer_to_save
from ttr_tools.cli.screen import Quit, Screen
from ttr_tools.cli.status import show_status
from ttr_tools.narration.labels import letter_of, ticket_label
from ttr_tools.narration.narrator import RETOLD, Line, Narrator
from ttr_tools.narration.questions import question
from ttr_tools.narration.words import Names

#: Secrets that need no message: the next prompt and the status show them.
_SEEN_ANYWAY = (CardsDealt, TicketsDealt, TicketsDrawn, TicketsChosen)


class Table:
    """People in some seats of a game and bots in the others, on one terminal.

    A single person sees events as their seat may see them. Several people see them as a spectator does, and each of
    them sees their own hand on a screen that is cleared before the keyboard is passed on. Moves are played through the
    journal, if there is one.
    """

    def __init__(
        self,
        game: Game,
        people: Sequence[int],
        screen: Screen,
        show: Callable[[Line, Names], None],
        journal: Journal | None = None,
    ) -> None:
        self._game = game
        self._play = game.play if journal is None else journal.play
        self._people = people
        self._screen = screen
        self._show = show
        self._alone = people[0] if len(people) == 1 else None
        self._narrator = Narrator(game.rules, game.players, self._alone, screen.language)
        self._names = self._narrator.names
        self._text = screen.language.gettext
        self._missed: dict[int, list[Line]] = {seat: [] for seat in people}
        self._waiting: list[Line] = []
        self._at: int | None = None

    def play(self) -> None:
        """Play the game to its end. Raises `Quit` if somebody ends it early."""
        from ttr_tools.bots.planner import Bot

        game = self._game
        bots = {seat: Bot(f"{game.seed} {seat}") for seat in range(len(game.players)) if seat not in self._people}
        try:
            self._tell_so_far()
            while game.to_act:
                seat = game.to_act[0]
                if seat in bots:
                    action = bots[seat].choose(game.view(seat), game.rules, game.legal_actions(seat))
                else:
                    action = self._ask(seat)
                self._play(action)
                self._after(seat, game.last_move)
        finally:
            self._screen.public()

    def _tell_so_far(self) -> None:
        """Narrate what happened so far: the whole set-up, or the last part of a resumed game."""
        lines = [line for move in self._game.moves for line in self._narrator.tell(move.events)]
        for line in lines if len(self._game.moves) == 1 else lines[-RETOLD:]:
            self._show(line, self._names)

    def _ask(self, seat: int) -> Action:
        if self._alone is None and self._at != seat:
            self._sit_down(seat)
        question = question_for(self._game, seat, self._names, self._screen)
        return Prompt(self._screen, question).answer()

    def _sit_down(self, seat: int) -> None:
        """Pass the keyboard to a person, then show what only they may see."""
        name = self._names.player(seat)
        self._screen.say()
        self._screen.ask(self._text("Pass the keyboard to {player}, then press Enter", player=name))
        self._screen.private()
        self._at = seat
        missed, self._missed[seat] = self._missed[seat], []
        if self._screen.console.is_terminal and missed:
            self._screen.say(self._text("Since you were here:"))
            for line in missed:
                self._show(line, self._names)

    def _after(self, seat: int, move: Move) -> None:
        """Narrate a move: to the person what only they may know, to everybody what is public."""
        over = seat not in self._game.to_act[:1]
        if seat in self._people and not (over and self._alone is not None):
            news = list(secret_news(move.events, seat, self._game, self._names))
            for text in news:
                self._screen.say(text)
            if self._at is not None and over and news:
                self._screen.ask(self._text("Press Enter to hide your hand"))
        if self._at is not None and over:
            self._screen.public()
            self._at = None
        self._tell(move)

    def _tell(self, move: Move) -> None:
        """Narrate a move; what happens while a hand is shown is narrated once it is hidden."""
        self._waiting += self._narrator.tell(move.events)
        if self._at is None:
            lines, self._waiting = self._waiting, []
            for line in lines:
                self._show(line, self._names)
            for missed in self._missed.values():
                missed += lines


def secret_news(events: Iterable[Event], seat: int, game: Game, names: Names) -> Iterator[str]:
    """What only this person learns, in sentences addressed to them."""
    say = names.language.gettext
    for event in events:
        seen = event.seen_by(seat)
        if isinstance(event, _SEEN_ANYWAY) or seen == event.seen_by(None):
            continue
        if isinstance(event, CardDrawn) and isinstance(event.card, str):
            yield say("You draw {card}.", card=names.cards({event.card: 1}))
        elif isinstance(event, TicketsKept) and isinstance(event.tickets, tuple):
            kept = names.language.joined(ticket_label(game.rules.tickets[id], names) for id in event.tickets)
            yield say("You keep {tickets}.", tickets=kept) if event.tickets else say("You keep none of the tickets.")
        else:
            for line in Narrator(game.rules, game.players, seat, names.language).tell([seen]):
                yield line.text


# -- decisions -----------------------------------------------------------------------------------------------------


def question_for(game: Game, seat: int, names: Names, screen: Screen) -> Question:
    """The prompt for a seat's decision, with the menu of its legal actions."""
    decision = game.decision(seat)
    assert decision is not None, "only seats with a decision are prompted"
    tickets = _tickets(decision, game)

    def show() -> None:
        show_status(screen, game, seat, names)
        for index, id in enumerate(tickets):
            screen.say(f" {letter_of(index):>2}  {ticket_label(game.rules.tickets[id], names)}")

    def keep(ids: Sequence[str]) -> Action | str:
        action = KeepTickets(seat, tuple(ids))
        refused = game.refusal(action)
        return action if refused is None else names.text(refused.reason)

    keeps = bool(tickets) and isinstance(game.legal_actions(seat)[0], KeepTickets)
    return Question(
        name=names.player(seat),
        text=_question(decision, names),
        menu=menu_of(game, seat, decision, names),
        show=show,
        look=lambda wanted: look_up(screen, game, seat, names, wanted),
        letters={letter_of(index): id for index, id in enumerate(tickets)} if keeps else {},
        keep=keep if keeps else None,
    )


def _tickets(decision: Decision, game: Game) -> Sequence[str]:
    """The tickets that a decision is about."""
    tickets = getattr(decision, "tickets", ())
    if not isinstance(tickets, tuple):
        return ()
    ids = cast("tuple[str, ...]", tickets)
    return ids if all(id in game.rules.tickets for id in ids) else ()


def _question(decision: Decision, names: Names) -> str:
    """The text of the prompt."""
    if isinstance(decision, TicketSetup | TicketChoice):
        return names.language.gettext("Which of these tickets do you keep? Type a number, or letters such as: a b")
    return question(decision, names)


def play_with_people(
    game: Game,
    people: int | Sequence[int],
    screen: Screen,
    show: Callable[[Line, Names], None],
    beside: Sequence[str] = (),
    journal: Journal | None = None,
) -> bool:
    """Let people play in these seats, or the first few, and bots in the others; returns whether the game ended.

    A game that is ended early can be saved, unless it is kept in a journal; `beside` is what the command to resume it
    then needs.
    """
    seats = range(people) if isinstance(people, int) else people
    try:
        Table(game, seats, screen, show, journal).play()
    except Quit as end:
        if end.wanted and journal is None:
            offer_to_save(screen, game, [game.players[seat] for seat in seats], beside)
        return False
    return True

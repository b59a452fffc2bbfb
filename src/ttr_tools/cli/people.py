"""A game with people at the keyboard, or none: whose turn it is, what they may see, and their prompt."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from rich.cells import cell_len
from rich.text import Text

from ttr_rules import Rules, View
from ttr_rules.actions import ClaimRule
from ttr_rules.errors import InvalidInputError
from ttr_rules.events import CardDrawn, CardsDealt, Event, TicketsChosen, TicketsDealt, TicketsDrawn, TicketsKept
from ttr_rules.language import named
from ttr_rules.model import Action, Board, ClaimRoute, KeepTickets, Pass, Route, TicketChoice, TicketSetup, plain
from ttr_rules.play import Game, Move, TicketProgress, ticket_progress
from ttr_rules.saves import Journal, dumps
from ttr_rules.text import printable, reason_of, spaced
from ttr_rules.train_cards import DrawBlind, DrawFaceUp
from ttr_tools.cli.terminal import HELP, NO, YES, InputEnded, Quit, Screen, echo, paint, player_style, print_table
from ttr_tools.narration.menus import FEW, READ, Choice, LongList, kind_label, menu, question
from ttr_tools.narration.telling import RETOLD, Line, Narrator
from ttr_tools.narration.words import (
    Names,
    filter_words,
    find_cards,
    letter,
    list_fields,
    list_offered_tickets,
    part_fields,
    player_columns,
)

#: Secrets that need no message: the next prompt and the status show them.
_SHOWN_ANYWAY = (CardsDealt, TicketsDealt, TicketsDrawn, TicketsChosen)
#: The widths of the labels of the status, and of names; longer texts are not shown with the status but by `/label`.
_LABEL, _LONGEST_NAME, _LONGEST = 9, 24, 150
#: For up to this many cities, what is there is shown with their routes.
_FEW_CITIES = 3
#: The number of lines of a list that are shown at once.
PAGE = 16
#: The word that looks up tickets instead of routes.
TICKETS = named("tickets", "answer")


class Table:
    """People in some seats of a game and bots in the others, on one terminal.

    A single person sees events as their seat may see them. Several people see them as a spectator does, and each of
    them sees their own hand on a screen that is cleared before the keyboard is passed on. Moves are played through the
    journal, if there is one.
    """

    def __init__(self, game: Game, people: Sequence[int], screen: Screen, journal: Journal | None = None) -> None:
        self._game = game
        self._journal = journal
        self._people = people
        self._screen = screen
        self._alone = people[0] if len(people) == 1 else None
        self._narrator = Narrator(game.rules, game.players, self._alone, screen.language)
        self._names = self._narrator.names
        self._text = screen.language.gettext
        self._waiting: list[Line] = []
        self._at: int | None = None  # the seat whose hand is shown

    def play(self) -> None:
        """Play the game to its end. Raises `Quit` if somebody ends it early."""
        from ttr_tools.bots.planner import Bot
        from ttr_tools.bots.playing import play_game

        seats = range(len(self._game.players))
        players = [self if seat in self._people else Bot(f"{self._game.seed} {seat}") for seat in seats]
        try:
            # A new game is told from its set-up, a resumed one from the last part.
            lines = [line for move in self._game.moves for line in self._narrator.tell(move.events)]
            self._screen.tell(lines if len(self._game.moves) == 1 else lines[-RETOLD:], self._names)
            play_game(self._journal or self._game, players, self._after)
        finally:
            if self._at is not None:
                self._screen.public()

    def choose(self, view: View, rules: Rules, actions: Sequence[Action], /) -> Action:
        """Ask the person in a seat."""
        seat = view.seat
        assert seat is not None, "spectators decide nothing"
        decision = view.decision
        if seat == self._alone and decision and decision.passing and len(actions) == 1 and type(actions[0]) is Pass:
            # With several people everybody is asked: the others would notice who was not handed the keyboard.
            told, answer = "{question} Only this is possible: {answer}.", kind_label(Pass, decision, self._names)
            self._screen.say(self._text(told, question=question(decision, self._names), answer=answer))
            return actions[0]
        if self._alone is None and self._at != seat:
            # The keyboard is passed on, then what only this person may see is shown.
            self._screen.say()
            prompt = "Pass the keyboard to {player}, then press Enter"
            self._screen.ask(self._text(prompt, player=self._names.player(seat)))
            self._screen.private()
            self._at = seat
        return Prompt(self._screen, Person(self._game, seat, self._names, self._screen)).answer()

    def _after(self, move: Move) -> None:
        """Narrate a move: to the person what only they may know, to everybody what is public."""
        assert move.action is not None, "the set-up is told before"
        seat = move.action.seat
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
        # What happens while a hand is shown is narrated once it is hidden.
        self._waiting += self._narrator.tell(move.events)
        if self._at is None:
            self._screen.tell(self._waiting, self._names)
            self._waiting = []


def secret_news(events: Iterable[Event], seat: int, game: Game, names: Names) -> Iterator[str]:
    """Sentences that tell a person what only they learn."""
    say = names.language.gettext
    for event in events:
        own = event.seen_by(seat)
        if isinstance(event, _SHOWN_ANYWAY) or own == event.seen_by(None):
            continue
        if isinstance(event, CardDrawn) and isinstance(event.card, str):
            yield say("You draw {card}.", card=names.cards({event.card: 1}))
        elif isinstance(event, TicketsKept) and isinstance(event.tickets, tuple):
            kept = names.language.joined(names.ticket_label(game.rules.tickets[id]) for id in event.tickets)
            yield say("You keep {tickets}.", tickets=kept) if event.tickets else say("You keep none of the tickets.")
        else:
            for line in Narrator(game.rules, game.players, seat, names.language).tell([own]):
                yield line.text


def play_with_people(
    game: Game, people: Sequence[int], screen: Screen, beside: Sequence[str] = (), journal: Journal | None = None
) -> bool:
    """Let people play in these seats and bots in the others. Returns whether the game ended.

    A game that is ended early can be saved, unless it is kept in a journal. `beside` is what the command to resume it
    then needs.
    """
    try:
        Table(game, people, screen, journal).play()
    except Quit as end:
        if journal is None and not isinstance(end, InputEnded):
            with suppress(Quit):
                offer_to_save(screen, game, [game.players[seat] for seat in people], beside)
        return False
    return True


def offer_to_save(screen: Screen, game: Game, people: Sequence[str], beside: Sequence[str] = ()) -> None:
    """Ask for the name of a file and write the game to it, if there is a name.

    `beside` as for `resume_command`. Raises `Quit`.
    """
    say = screen.language.gettext
    screen.say(say("Save the game, to go on later? Type the name of a file, or press Enter to end without saving."))
    while True:
        name = screen.ask(say("File"))
        if not name or screen.means(name, NO):
            return
        if screen.means(name, YES):
            screen.say(say("Under which name? Type the name of a file, such as game.json."))
            continue
        try:
            with Path(name).expanduser().open("x", encoding="utf-8") as file:
                file.write(dumps(game))
        except (OSError, ValueError, RuntimeError) as error:  # also invalid names of files or home folders
            problem = say("{file} cannot be written: {reason}. Type another name.", file=name, reason=reason_of(error))
            screen.say(printable(problem))
        else:
            to_go_on = say("Saved. To go on:\n{command}", command=resume_command(name, people, beside))
            screen.console.print(Text(to_go_on), soft_wrap=True)  # a command is copied: it must stay on one line
            return


def resume_command(file: str, people: Sequence[str], beside: Sequence[str] = ()) -> str:
    """The command that goes on with a game.

    `beside` is what it needs in addition: the language, and the stack if some of its variants are files.
    Without `people`, bots play every seat.
    """
    persons = [part for person in people for part in ("--human", person)] or ["--bots"]
    return printable(shlex.join(["ttr-rules", "play", *beside, "--resume", file, *persons]))


def find_seats(game: Game, people: Sequence[str]) -> list[int]:
    """The seats of the people who resume a saved game. Raises `InvalidInputError` for a person who is not in it."""
    for person in people:
        if person not in game.players:
            raise InvalidInputError(f"--human names {person}; those who play are {', '.join(game.players)}")
    return [seat for seat, name in enumerate(game.players) if name in people]


# -- one person ------------------------------------------------------------------------------------------------------


class Person:
    """A person at the table: what they see of it, what they may look up, and what they have to decide."""

    def __init__(self, game: Game, seat: int, names: Names, screen: Screen) -> None:
        self._game = game
        self._seat = seat
        self._names = names
        self._screen = screen
        self._view = game.view(seat)
        self._text = names.language.gettext
        decision, legal = game.decision(seat), game.legal_actions(seat)
        assert decision is not None, "only seats with a decision are prompted"
        self._decision = decision
        self._offered = list_offered_tickets(decision, game.rules)
        keeps = self._offered and isinstance(legal[0], KeepTickets)
        self.name = names.player(seat)
        self.text = question(decision, names)
        if isinstance(decision, TicketSetup | TicketChoice):
            self.text = self._text("Which of these tickets do you keep? Type a number, or letters such as: a b")
        self.menu = menu(game, seat, names)
        self._letters = {letter(index): id for index, id in enumerate(self._offered)} if keeps else {}

    def keep(self, letters: Sequence[str]) -> Choice | str | None:
        """The tickets with these letters as an entry, or why they cannot be kept. None if they are not letters."""
        if not self._letters or not all(letter in self._letters for letter in letters):
            return None
        kept = list(dict.fromkeys(letters))
        action = KeepTickets(self._seat, tuple(self._letters[letter] for letter in kept))
        refused = self._game.refusal(action)
        return Choice(" ".join(sorted(kept)), action) if refused is None else self._names.text(refused.reason)

    def explain_closed(self, words: Sequence[str]) -> list[str]:
        """Reasons why they may not claim the routes whose names have all these words, if they could claim a route."""
        rule = self._game.rules.answers[type(self._decision)].by_action.get(ClaimRoute)
        if not isinstance(rule, ClaimRule):
            return []
        meant = [id for id in self._names.board.routes if all(word in self._names.search_words(id) for word in words)]
        state = self._game.state
        refused = [rule.no_sale(state, self._seat, id) for id in meant]
        return [self._names.text(refusal.reason) for refusal in refused if refusal is not None]

    # -- the status --------------------------------------------------------------------------------------------

    def show(self) -> None:
        """Print what they see of the table, as compactly as possible, and the tickets that they choose from."""
        names, screen = self._names, self._screen
        self._show_players()
        lines = [*self._status()]
        room = max([_LABEL, *(len(label) for label, _ in lines)])
        for label, text in lines:
            screen.say(Text.assemble((f"{label:{room}} ", "bold"), paint(text, names.language)), indent=room + 1)
        screen.say()
        for index, id in enumerate(self._offered):
            screen.say(f" {letter(index):>2}  {self._ticket(id)}")

    def _show_players(self) -> None:
        """Print the players line by line: scores, cars, and everything else that is a number per player."""
        say, view = self._text, self._view
        columns: dict[str, list[str]] = {
            say("Points"): [str(points) for points in view.scores],
            say("Cars"): [str(cars) for cars in view.cars],
            say("Tickets"): ["?" if count is None else str(count) for count in view.ticket_counts],
            **dict(player_columns(view, self._names)),
        }
        rows: list[list[str | Text]] = []
        for seat, name in enumerate(self._names.players):
            player = Text(name, style=player_style(seat))
            if seat == self._seat:
                player.append(say(" (you)"), style="not bold")
            player.truncate(_LONGEST_NAME, overflow="ellipsis")
            rows.append([player, *(cells[seat] for cells in columns.values())])
        print_table(self._screen.console, ["", *columns], rows, columns)

    def _status(self) -> Iterator[tuple[str, str]]:
        """The face-up row, the turns that are left, the hand, what plugins expose to this seat, and the tickets held.

        A view contains nothing that is secret from its seat. Tickets that are completed are separate from the others.
        """
        say, names, cards = self._text, self._names, find_cards(self._view)
        if cards is not None:
            row = ", ".join(map(names.value, cards.face_up)) or say("nothing")
            piles = [
                say("{count} in the {pile} pile" if pile else "{count} in the pile", count=count, pile=pile)
                for pile, count in names.pile_sizes(cards).items()
            ]
            yield say("Face up"), f"{row}; {names.language.joined(piles)}"
        if self._view.turns_left:
            one, many = "{count} more turn in all, this one included", "{count} more turns in all, this one included"
            yield say("Last round"), names.language.ngettext(one, many, self._view.turns_left)
        if cards is not None and cards.hand is not None:
            yield say("Hand"), names.cards_label(cards.hand).replace(" + ", ", ")
        for shown in list_fields(self._view, names):
            text = shown.text
            if len(text) > _LONGEST:
                label, count = shown.label.lower(), len(shown.entries)
                text = say("{count} entries; /{label} lists them", count=count, label=label)
            yield shown.label, text
        labels = [(ticket, self._ticket(ticket.ticket)) for ticket in ticket_progress(self._game.state, self._seat)]
        done = [label for ticket, label in labels if ticket.completed]
        still = [f"{label} ({self._outlook(ticket)})" for ticket, label in labels if not ticket.completed]
        if still:
            yield say("Tickets"), say("to do: {tickets}", tickets=", ".join(still))
        if done:
            yield "" if still else say("Tickets"), say("completed: {tickets}", tickets=", ".join(done))

    def _ticket(self, id: str) -> str:
        return self._names.ticket_label(self._game.rules.tickets[id])

    def _outlook(self, ticket: TicketProgress) -> str:
        """The progress of a ticket in words."""
        if ticket.completed:
            return self._text("completed")
        if ticket.spaces is None:
            return self._text("cannot be completed any more")
        return self._names.language.ngettext("{count} space to go", "{count} spaces to go", ticket.spaces)

    # -- looking things up -------------------------------------------------------------------------------------

    def look(self, wanted: str) -> None:
        """Print their tickets, or routes.

        Without a word, the claimed routes are printed, and with `*` those with a mark. Any other word is looked up among
        cities, with their routes and pieces. If no city matches, it may be a mark of routes or the label of a field.
        """
        view, board, say = self._view, self._names.board, self._text
        if self._screen.means(wanted, TICKETS):
            self._show_tickets()
        elif wanted in ("", "*"):
            routes = [route for route in board.routes.values() if (route.marks if wanted else route.id in view.owners)]
            if not routes:
                nothing = "No route of this board has a mark." if wanted else "Nobody has claimed a route yet."
                self._screen.say(f"{say(nothing)} {say('/paris shows the routes of a city.')}")
            self._show_routes(routes)
        elif cities := _cities(board, wanted):
            self._show_routes(route for route in board.routes.values() if set(route.cities) & cities)
            for shown in part_fields(view, self._names) if len(cities) <= _FEW_CITIES else ():
                for city in sorted(cities & set(shown.table)):
                    self._screen.say(f"   {shown.label}: {shown.entry(city, self._names.place(city))}", indent=5)
        else:
            self._show_labelled(wanted)

    def _show_labelled(self, wanted: str) -> None:
        """Print the fields with a label that begins so, and the routes with such a mark."""
        routes, start = self._names.board.routes.values(), plain(wanted)
        fields = [shown for shown in part_fields(self._view, self._names) if plain(shown.label).startswith(start)]
        for shown in [shown for shown in fields if not shown.is_empty] or fields:
            self._screen.say(f"{shown.label}: {self._text('none') if shown.is_empty else shown.text}", indent=3)
        words = {mark: plain(f"{spaced(mark)} {self._names.mark(mark)}") for route in routes for mark in route.marks}
        marked = [route for route in routes if any(start in words[mark] for mark in route.marks)]
        if not marked and not fields:
            self._screen.say(self._text("No city has “{text}” in its name.", text=wanted[:40]))
        self._show_routes(marked)

    def _show_tickets(self) -> None:
        """Print the progress of their tickets: what is missing on the shortest way that is still open."""
        say, names = self._text, self._names
        progress = ticket_progress(self._game.state, self._seat)
        if not progress:
            self._screen.say(say("You have no tickets yet."))
        for ticket in progress:
            routes = [names.board.routes[id] for id in ticket.missing]
            ways = ", ".join(f"{names.between(route.cities)} {route.length}" for route in routes)
            outlook = self._outlook(ticket) + (f": {ways}" if ways else "")
            style = "green" if ticket.completed else "red" if ticket.spaces is None else ""
            label = self._ticket(ticket.ticket)
            self._screen.say(Text.assemble("   ", (label, "bold"), ": ", (outlook, style)), indent=5)

    def _show_routes(self, routes: Iterable[Route]) -> None:
        """Print routes with their owners, free ones first."""
        names, owners = self._names, self._view.owners
        for route in sorted(routes, key=lambda route: (owners.get(route.id, -1), plain(names.between(route.cities)))):
            owner = owners.get(route.id)
            whose = (self._text("free"), "") if owner is None else (names.player(owner), player_style(owner))
            label = paint(names.label(route.id), names.language)
            self._screen.say(Text.assemble("   ", label, ": ", whose), indent=5)


def _cities(board: Board, wanted: str) -> set[str]:
    """The cities with this name, else those with a word in one that begins with it, else those that contain it."""
    by_name = {city for place in board.names.meant(wanted) for city in board.place(place)}
    letters = plain(wanted)
    names = {city: f" {board.names.words[city]}" for city in board.cities}
    begin = {city for city, words in names.items() if f" {letters}" in words}
    return by_name or begin or {city for city, words in names.items() if letters in words}


# -- the prompt ----------------------------------------------------------------------------------------------------

MANUAL = """\
number      choose that entry; you are asked to confirm it, unless it only draws
            a card
0, Enter    go back, or show all choices again
any text    show only the choices that contain it: a city, a color, a route, a
            kind of action; with several words, those that contain them all, as
            in: claim paris red
+  -        next and previous page of a long list
/           the routes that are claimed; /paris: the routes of a city, who holds
            them and what else is there; /*: routes with special marks;
            /shares or another label: all that the table shows under it
/tickets    what your tickets still miss
?           this help
q           stop here; you can save the game and continue later"""

#: Actions played without confirmation: a wrong card is a minor mistake.
_AT_ONCE = (DrawBlind, DrawFaceUp)


class Prompt:
    """Prompts until one of the actions is chosen.

    `_path` are the menus from the first to the current one, `_matches` the entries that a filter left of it.
    """

    def __init__(self, screen: Screen, person: Person) -> None:
        self._screen = screen
        self._person = person
        self._path = [person.menu]
        self._matches: list[Choice] | None = None
        self._page = 0
        self._gettext = screen.language.gettext
        self._ngettext = screen.language.ngettext

    def answer(self) -> Action:
        """The action that the person chooses. Raises `Quit`."""
        self._person.show()
        self._list()
        while True:
            if (action := self._read(self._screen.ask(self._person.name))) is not None:
                return action

    @property
    def _entries(self) -> Sequence[Choice]:
        return self._path[-1].children if self._matches is None else self._matches

    def _read(self, typed: str) -> Action | None:
        if re.fullmatch(r"[0-9]{1,9}", typed) and int(typed):
            return self._choose(int(typed))
        if not typed or re.fullmatch(r"0{1,9}", typed):
            self._back()
        elif typed == "?" or self._screen.means(typed, HELP):
            self._screen.say(self._gettext(MANUAL))
            self._person.show()
            self._list()
        elif typed in ("+", "-"):
            self._turn_page(1 if typed == "+" else -1)
        elif typed.startswith("/"):
            self._person.look(typed[1:].strip())
        else:
            return self._search(typed)
        return None

    def _choose(self, number: int) -> Action | None:
        last = len(self._entries)
        if number <= last:
            return self._take(self._entries[number - 1], str(number))
        self._screen.say(self._ngettext("Only {count} is there.", "The numbers go from 1 to {count}.", last))
        return None

    def _take(self, entry: Choice, typed: str = "") -> Action | None:
        """Take an entry: an action immediately or after confirmation, or a submenu."""
        if entry.children:
            self._path.append(entry)
            self._list_from_start()
            return None
        return entry.action if isinstance(entry.action, _AT_ONCE) or self._confirm(entry, typed) else None

    def _confirm(self, entry: Choice, before: str) -> bool:
        """Ask until the person answers yes, perhaps by what they typed before, or no."""
        whole = ": ".join([menu.label for menu in self._path if menu.label] + [entry.label])
        text = self._gettext("{choice}? Enter or y to confirm, 0 to go back.", choice=whole)
        while True:
            self._screen.say(paint(text, self._screen.language))
            typed = self._screen.ask(self._person.name)
            if typed in ("", before) or self._screen.means(typed, YES):
                return True
            if typed == "0" or self._screen.means(typed, NO):
                self._list()
                return False
            if typed.startswith("/"):
                self._person.look(typed[1:].strip())

    def _back(self) -> None:
        if self._matches is None and len(self._path) > 1:
            self._path.pop()
        elif self._matches is None:
            self._person.show()
        self._list_from_start()

    def _turn_page(self, by: int) -> None:
        pages = -(-len(self._entries) // self._layout()[0])
        if 0 <= self._page + by < pages:
            self._page += by
            self._list()
        else:
            self._screen.say(self._gettext("There is no other page that way."))

    def _search(self, typed: str) -> Action | None:
        """Take tickets by their letters, or filter the list."""
        words = filter_words(typed)
        kept = self._person.keep(words)
        matches = [] if kept is not None else list(self._path[-1].search(words))
        if kept is None and len(words) == 1 and not matches:
            kept = self._person.keep(words[0])
        if isinstance(kept, str):
            self._screen.say(f"{kept[:1].upper()}{kept[1:]}.")
            return None
        return self._filter(typed, matches) if kept is None else self._take(kept)

    def _filter(self, typed: str, matches: list[Choice]) -> Action | None:
        closed = [] if matches else self._person.explain_closed(filter_words(typed))
        if 0 < len(closed) <= FEW:
            for reason in closed:
                self._screen.say(f"{reason[:1].upper()}{reason[1:]}.")
        elif not matches:
            template = "Nothing here has “{text}”{more}. Type a number, part of a name, 0 to go back, or ? for help."
            if len(self._path) == 1:
                template = "Nothing here has “{text}”{more}. Type a number, part of a name, or ? for help."
            self._screen.say(self._gettext(template, text=echo(typed), more=self._limit()))
        elif len(matches) == 1 and matches[0].children:
            return self._take(matches[0])
        else:
            self._list_from_start(matches)
        return None

    def _limit(self) -> str:
        """The hint that a list is too long to be searched completely, if it is."""
        if not self._path[-1].is_long:
            return ""
        return self._gettext("; of long lists the first {count} entries are searched", count=READ)

    # -- the list ----------------------------------------------------------------------------------------------

    def _layout(self) -> tuple[int, int, int]:
        """The number of entries on a page, the number of columns, and their width."""
        entries = self._entries
        measured = entries[:PAGE] if isinstance(entries, LongList) else entries
        width = max(cell_len(entry.summary) for entry in measured) + len(str(len(entries))) + 5
        columns = max(1, min(self._screen.width // width, -(-len(entries) // 6)))
        return PAGE * columns, columns, width

    def _list_from_start(self, matches: list[Choice] | None = None) -> None:
        self._matches, self._page = matches, 0
        self._list()

    def _list(self) -> None:
        entries = self._entries
        size, columns, width = self._layout()
        first = self._page * size
        page = range(first, min(first + size, len(entries)))
        self._screen.say(Text(self._heading(), style="bold"))
        digits = len(str(len(entries)))
        lines = -(-len(page) // columns)
        for line in range(lines):
            text = Text()
            for index in page[line::lines]:
                text.append(" " * ((index - first) // lines * width - cell_len(text.plain)))
                text.append(f" {index + 1:{digits}}  ", style="bold")
                text.append(paint(entries[index].summary, self._screen.language))
            self._screen.say(text, indent=digits + 3)
        if more := "; ".join(self._more(len(entries), page)):
            self._screen.say(Text(f" {more}", style="dim"))

    def _heading(self) -> str:
        if self._matches is None:
            return self._person.text if len(self._path) == 1 else f"{self._path[-1].label}:"
        heading = self._ngettext("{number} choice found:", "{number} choices found:", len(self._matches))
        return heading[:1].upper() + heading[1:]

    def _more(self, count: int, page: range) -> Iterator[str]:
        """The other pages and entries, and how to get there."""
        if len(page) < count:
            template = "{first}–{last} of {count}; + and - turn the page, part of a name narrows the list"
            yield self._gettext(template, first=page[0] + 1, last=page[-1] + 1, count=count)
        if self._matches is not None:
            yield self._gettext("0 show all again") + self._limit()
        elif len(self._path) > 1:
            yield self._gettext("0 back")

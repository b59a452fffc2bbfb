"""Tables as people write them: positions to arrange, and finished tables to score (S1, C3–C6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from itertools import combinations, islice

from attrs import field, frozen

from ttr_rules.errors import InvalidInputError, InvalidTableError
from ttr_rules.kernel.events import (
    CarsArranged,
    Event,
    LastRoundBegun,
    PositionArranged,
    RouteClaimed,
    RoutePointsScored,
    TicketsArranged,
    TicketsRevealed,
    TicketsShuffled,
    TurnsArranged,
    fold,
)
from ttr_rules.kernel.fields import TICKETS, KeyHelp, items, part_fields, places
from ttr_rules.kernel.part import Fleets, boxes, count_items, keys_of, return_to_piles, set_up_parts
from ttr_rules.kernel.plugin import blaming
from ttr_rules.kernel.rules import Rules
from ttr_rules.kernel.scores import FinalScores
from ttr_rules.kernel.scoring import final_scores
from ttr_rules.kernel.state import State
from ttr_rules.kernel.table import PlayerEntry, Position, Report, TableEntry, find_place
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.kernel.turn import LAST_ROUND, begin_turn
from ttr_rules.language import ENGLISH, Seat
from ttr_rules.mechanics.claims import refuse_closed
from ttr_rules.model.board import MOST_PLACES, Board, Ticket
from ttr_rules.model.chance import Chance, SeededChance, checked_seed, new_seed
from ttr_rules.model.tickets import MOST_ROUNDS
from ttr_rules.play.course import Move
from ttr_rules.play.game import Game
from ttr_rules.plugins.compiler import compile_rules, with_tickets
from ttr_rules.reading import MOST_ROWS, is_list, is_object, is_table, is_texts, name_problem, too_deep
from ttr_rules.text import brief

#: The key of a player for points scored during play.
POINTS_IN_PLAY = "points_in_play"
#: The most times that parts are set up to fit the keys of a position.
MOST_DEALS = 200
#: The key of a player for the points of routes, where those of a claim depend on the game.
ROUTE_POINTS = "route_points"
#: The keys of a position that a finished table does not have.
POSITION_KEYS = ("to_act", "seed", "round", "turns_left_in_round", "turns_left", "ticket_pile")
#: The most points that are accepted for a game.
MOST_POINTS = 999


def stack_of(table: object) -> tuple[str, ...]:
    """The stack that a table names. Raises `InvalidTableError` if it names none."""
    stack = _check_table(table).get("stack", ())
    if isinstance(stack, str):
        return (stack,)
    if is_texts(stack) and stack:
        return tuple(stack)
    expected = 'expected the names of plugins, like ["europe"]'
    problem = f"stack: {expected}, got {brief(stack)}" if stack != () else f"stack: missing; {expected}"
    raise InvalidTableError("this table", [problem])


def _check_table(table: object) -> Mapping[str, object]:
    """The table, if it is one and not too large. Raises `InvalidTableError`."""
    problem = too_deep(table)
    if problem is not None:
        raise InvalidTableError("this table", [problem])
    if not is_object(table):
        got = brief(table) if is_table(table) else type(table).__name__
        raise InvalidTableError("this table", [f"expected a table with a stack and players, got {got}"])
    return table


def read_players(
    rules: Rules, table: Mapping[str, object], keys: Iterable[str], report: Report, *, to_score: bool
) -> Position:
    """Read the players of a table and check their names and keys (S1)."""
    known = ["name", "routes", "tickets", *keys]
    known += [POINTS_IN_PLAY] if rules.terms_in_play else []
    known += [ROUTE_POINTS] if rules.claim_points else []
    entries: list[PlayerEntry] = []
    for seat, (place, raw) in enumerate(TableEntry("", table, rules.board).entries("players", report)):
        if not is_object(raw):
            report.add(place, f"expected a table, got {brief(raw)}")
            raw = dict[str, object]()
        name = f"Player {seat + 1}"
        written = raw.get("name", name)
        problem = name_problem(written)
        if problem is not None:
            report.add(f"{place}.name", problem)
            written = name
        name = str(written)
        if any(entry.name == name for entry in entries):
            report.add(f"{place}.name", f"another player is called {brief(name)} too")
        report.unknown_keys(place, raw, known)
        entries.append(PlayerEntry(place, raw, rules.board, seat, name))
    box = rules.components
    if not box.min_players <= len(entries) <= box.max_players:
        report.add("players", f"{rules} is for {box.players_text}, not {len(entries)} (S1)")
    return Position("", table, rules.board, tuple(entries), to_score)


def put_points(tx: Transaction, position: Position, report: Report) -> None:
    """Give the players the points that they scored during play, by the name of the term."""
    terms = tx.rules.terms_in_play
    for player in position.players:
        table = player.table(POINTS_IN_PLAY, report)
        table.only(terms, report)
        for name in [name for name in table.raw if name in terms]:
            tx.score(player.seat, table.number(name, 0, -MOST_POINTS, MOST_POINTS, report), name)


def put_route_points(tx: Transaction, position: Position, report: Report) -> None:
    """Give the players the points of routes that they state, where those of a claim depend on the game."""
    if not tx.rules.claim_points:
        return
    for player in position.players:
        now = tx.state.scores[player.seat]
        points = player.number(ROUTE_POINTS, now, -MOST_POINTS, MOST_POINTS, report)
        if position.to_score and ROUTE_POINTS not in player.raw:
            report.add(player.under(ROUTE_POINTS), "missing: in this stack the points of a claim depend on the game")
        elif points != now:
            tx.emit(RoutePointsScored, player.seat, points - now)


def put_routes(tx: Transaction, position: Position, report: Report) -> None:
    """Give the players their routes: exact ones first, then the first free match for the others (C3, C5, C6)."""
    meant = [
        (player, place, routes)
        for player in position.players
        for place, written in player.entries("routes", report)
        if (routes := player.routes(written, place, report))
    ]

    def with_names(value: object, _: str) -> object:
        return position.players[value].name if isinstance(value, Seat) else value

    network = tx.rules.network
    for player, place, routes in sorted(meant, key=lambda entry: len(entry[2]) > 1):
        numbers = [network.route_number[id] for id in routes]
        refused = [refuse_closed(tx.state, player.seat, route) for route in numbers]
        if None in refused:
            first = numbers[refused.index(None)]
            tx.emit(RouteClaimed, player.seat, network.route_ids[first], network.points[first])
        else:
            reasons = [f"{ENGLISH.text(each.reason, with_names)} ({each.rule})" for each in refused if each]
            report.add(place, "; ".join(reasons))
    for player in position.players:
        cars, left = tx.rules.components.cars, tx.state.cars[player.seat]
        if left >= 0:
            continue
        if tx.rules.claim_cars:
            tx.emit(CarsArranged, player.seat, 0)  # how many the claims took is not known
        else:
            report.add(f"{player.place}.routes", f"they take {cars - left} cars of {cars} (C3)")


#: Stands for all places that a ticket to several places names.
ANY = "countries"


def put_tickets(tx: Transaction, position: Position, report: Report) -> None:
    """Give the players their tickets.

    In a table to score all lie open, and new ones are added to `position.new_tickets`.
    """
    taken: set[str] = set()
    new = position.new_tickets if position.to_score else None
    for player in position.players:
        for key in ("tickets",) if position.to_score else ("tickets", "open_tickets"):
            held = _find_tickets(tx.rules, player.entries(key, report), taken, new, report)
            if held:
                tx.emit(TicketsArranged, player.seat, held)
            for id in held if key == "open_tickets" else ():
                tx.reveal_ticket(player.seat, id)
    if position.to_score:
        tx.emit(TicketsRevealed, tuple(tx.state.tickets))
    _put_apart(tx, position, report, taken)


def _put_apart(tx: Transaction, position: Position, report: Report, taken: set[str]) -> None:
    """Put the tickets of the deck that are written under keys of fields with the pool `tickets` there."""
    for kind in tx.rules.part_types:
        for place in places(tx.state.part(kind), TICKETS):
            key = part_fields(kind)[place.field].key
            table = position.table("parts", Report()) if place.seat is None else position.players[place.seat]
            tickets = _find_tickets(tx.rules, table.entries(key, report) if key else (), taken, None, report)
            if tickets:
                tx.put_items(tx.state.part(kind), place.field, place.seat, tickets)


class _NoTicketError(Exception):
    """What somebody wrote is not a ticket, for these reasons."""


def _find_tickets(
    rules: Rules, entries: Iterable[tuple[str, object]], taken: set[str], new: dict[str, Ticket] | None, report: Report
) -> tuple[str, ...]:
    """The ids of tickets, as `_find_ticket` finds them one by one. They are added to those `taken`."""
    ids: list[str] = []
    for place, written in entries:
        try:
            ids.append(_find_ticket(rules, written, taken, new))
            taken.add(ids[-1])
        except _NoTicketError as error:
            for problem in error.args:
                report.add(place, problem)
    return tuple(ids)


def _find_ticket(rules: Rules, written: object, taken: set[str], new: dict[str, Ticket] | None) -> str:
    """The id of a ticket given by id, or by places and perhaps points. Raises `_NoTicketError`.

    A ticket that is not in the decks is added to `new`. Without `new` it is a mistake.
    """
    if isinstance(written, str) and written in rules.tickets:
        if written in taken:
            raise _NoTicketError(f"{written} is already held or placed elsewhere")
        return written
    wanted = _read_ticket(rules.board, written)
    known = [ticket for ticket in rules.tickets.values() if _fits(ticket, wanted)]
    known = known or [ticket for ticket in rules.tickets.values() if _fits_reversed(ticket, wanted)]
    if not known:
        return _new_ticket(rules.board, wanted, new)
    worth = [ticket for ticket in known if _agrees(ticket, wanted)]
    if not worth:
        said = ", ".join(map(str, wanted.values.values())) or wanted.points
        worth_now = _describe_points(rules.board, known[0])
        raise _NoTicketError(f"this ticket is in the deck and worth {worth_now}, not {said}")
    if len({ticket.goals for ticket in worth if ticket.alternatives}) > 1:
        raise _NoTicketError(f"several tickets fit; give the id: {', '.join(ticket.id for ticket in worth)}")
    free = [ticket.id for ticket in worth if ticket.id not in taken]
    if not free:
        held = f"{worth[0].id} is already held or placed elsewhere"
        raise _NoTicketError(f"{held}; the deck has {len(worth)} of it")
    return free[0]


@frozen
class _Wanted:
    """A ticket as written: the start, the other places (none if it says `countries`), and the points, if given."""

    start: str
    goals: tuple[str, ...]
    points: int | None = None
    values: Mapping[str, int] = field(factory=dict[str, int])


def _read_ticket(board: Board, written: object) -> _Wanted:
    """Read an entry: `Paris–Wien`, two or more places and perhaps points, or a city and a table of places.

    The table has a value for each place, as printed on a ticket to several: `["Bern", {Deutschland = 6, France = 5}]`.
    """
    if isinstance(written, str):
        for first, second in board.names.pairs(written):
            return _Wanted(first, (second,))
        raise _NoTicketError(f"no ticket {brief(written)} in the deck")
    names = list(written) if is_list(written) else []
    table = names[1] if len(names) == 2 else None
    if is_table(table):
        names, worth = [names[0], *islice(table, MOST_ROWS)], list(islice(table.values(), MOST_ROWS))
    else:
        worth = [names.pop()] if len(names) > 2 and not isinstance(names[-1], str) else []
        if not 2 <= len(names) <= MOST_PLACES or not all(isinstance(name, str) for name in names):
            what = f"a ticket is 2 to {MOST_PLACES} places, and its points if the deck does not hold it"
            raise _NoTicketError(f"{what}, not {brief(written)}")
        names = ([name for name in names if name != ANY] if len(names) == 2 else []) or names
    report, points = Report(), [number for number in worth if type(number) is int]
    start, *goals = [find_place(board, name, "", report) or "" for name in names]
    for number in worth:
        if type(number) is not int or not 0 < number < 1000:
            report.add("", f"the points of a ticket are a whole number above 0, not {brief(number)}")
    values = dict(zip(goals, points, strict=False)) if is_table(table) else {}
    if is_table(table) and not goals:
        report.add("", "a ticket leads to one place at least")
    for goal in values:
        if goal and goals.count(goal) > 1:
            report.add("", f"{goal} is already there")
    if report.problems:
        raise _NoTicketError(*report.problems)
    return _Wanted(start, tuple(goals), None if values or not points else points[0], values)


def _fits(ticket: Ticket, wanted: _Wanted) -> bool:
    """True if a ticket matches the written one. For a ticket to several places, some of them are enough."""
    if ticket.alternatives:
        return ticket.cities[0] == wanted.start and set(wanted.goals) <= {place for place, _ in ticket.goals}
    return sorted(ticket.cities) == sorted([wanted.start, *wanted.goals])


def _fits_reversed(ticket: Ticket, wanted: _Wanted) -> bool:
    """True if a ticket to several places matches, written in reverse: `["Deutschland", "Bern"]`."""
    return bool(ticket.alternatives) and wanted.goals == ticket.cities[:1] and wanted.start in dict(ticket.goals)


def _agrees(ticket: Ticket, wanted: _Wanted) -> bool:
    """True if a ticket agrees with the points written with it."""
    goals = dict(ticket.goals)
    if wanted.points is None:
        return all(goals.get(place) == points for place, points in wanted.values.items())
    named = [goals[place] for place in (wanted.start, *wanted.goals) if place in goals]
    return wanted.points in ((ticket.points, *named) if ticket.alternatives else (ticket.points, ticket.in_order))


def _describe_points(board: Board, ticket: Ticket) -> str:
    if not ticket.alternatives:
        return str(ticket.points)
    return ", ".join(f"{points} to {board.place_name(place)}" for place, points in ticket.goals)


def _new_ticket(board: Board, wanted: _Wanted, new: dict[str, Ticket] | None) -> str:
    """The id of a ticket that is added to `new`. Raises `_NoTicketError`."""
    cities: tuple[str, ...] = (wanted.start, *wanted.goals)
    id = "-".join(cities) if len(cities) == 2 or wanted.points is not None else f"{wanted.start}-{ANY}"
    if any({*board.place(one)} & {*board.place(other)} for one, other in combinations(cities, 2)):
        raise _NoTicketError("a ticket joins two cities, not one with itself")
    if new is None:
        raise _NoTicketError(f"no ticket {id} in the deck, and a game is played with tickets of the deck only")
    if not wanted.values and (wanted.points is None or len(cities) == 1):
        hint = "give its points as the last entry, or for one of several goals, give its places as a table with points"
        raise _NoTicketError(f"no ticket {id} in the deck; if there is one, {hint}")
    copies = sum(known == id or known.startswith(f"{id}-") for known in new)
    id = f"{id}-{copies + 1}" if copies else id
    goals = sorted(wanted.values.items(), key=lambda goal: -goal[1])
    place, points = goals[0] if goals else (cities[-1], wanted.points or 0)
    cities = (wanted.start, place) if goals else cities
    new[id] = Ticket(id, cities, points, alternatives=tuple(goals) if len(goals) > 1 else ())
    return id


def score(rules: Rules | None, table: Mapping[str, object]) -> FinalScores:
    """Score a game that was played at a table.

    `table` names the stack and, for each player, routes and tickets, and under `parts` things that plugins count and
    that belong to no player (see the page on score files). Without `rules` the stack named in `table` is compiled. All
    tickets lie open, as at the end of a game. Raises `ttr_rules.errors.InvalidTableError` with every mistake in it.

    >>> sheet = score(None, {"stack": ["europe"], "players": [
    ...     {"name": "Ada", "routes": [["paris", "zurich"], "munchen-zurich-yellow"]},
    ...     {"name": "Isambard", "tickets": [["paris", "wien"]]}]})
    >>> [(player.name, player.total) for player in sheet.players], sheet.winners
    ([('Ada', 28), ('Isambard', 4)], ('Ada',))
    """
    rules, position, report = _read_position(rules, table, arranged=False)
    state = State(rules, max(len(position.players), 1), SeededChance(0))
    tx = Transaction(state)
    _put_common(tx, position, report)
    report.check("this table cannot be scored")
    state.rules = with_tickets(rules, position.new_tickets.values())
    with blaming(rules.plugins.values(), "when a table was scored"):
        return final_scores(state, [player.name for player in position.players])


def arrange(rules: Rules | None, position: Mapping[str, object], chance: Chance | None = None) -> Game:
    """Arrange a game mid-way: any position from plain data, with the seat `to_act` at the start of its turn.

    Piles that are not given are shuffled from the rest, by `chance` or the position's `seed`. A seat may have so few
    cars that the last round would have begun, with `turns_left` 0: it begins when that seat ends a turn (E1). Raises
    `ttr_rules.errors.InvalidTableError` with every mistake in it.

    >>> from ttr_rules import cards
    >>> game = arrange(None, {"stack": ["europe"], "seed": 1, "players": [
    ...     {"name": "Ada", "hand": {"red": 3, "locomotive": 1}}, {"name": "Isambard"}]})
    >>> game.decision(0), cards(game.state).hands[0]
    (Turn(seat=0), Counts(red=3, locomotive=1))
    """
    rules, read, report = _read_position(rules, position, arranged=True)
    names = tuple(player.name for player in read.players)
    count = len(names)
    try:
        seed = checked_seed(position.get("seed", new_seed()))
    except InvalidInputError as error:
        report.add("seed", str(error))
        seed = 0  # so that the rest can be checked
    to_act = (read.seat(position.get("to_act", 0), "to_act", report) if count else None) or 0
    turns, turns_left = _course(read, rules, report)
    if not count:
        report.check("this position cannot be arranged")

    state = State(rules, count, SeededChance(seed) if chance is None else chance)
    log: list[Event] = []
    tx = Transaction(state, log)
    tx.emit(PositionArranged, names, to_act)
    if turns:
        tx.emit(TurnsArranged, turns)
    _put_common(tx, read, report)
    state = tx.state
    for player in read.players:
        left = state.cars[player.seat]  # those that this player's routes leave
        if "cars" not in player.raw or left < 0:  # which is reported already
            continue
        if rules.components.fleets:
            pieces = player.table("cars", report)
            pieces.only(rules.components.fleets, report)
            fleet = state.part(Fleets).left[player.seat]
            tx.set_fleets(player.seat, {kind: pieces.number(kind, n, 0, n, report) for kind, n in fleet.items()})
        else:
            most = rules.components.cars if rules.claim_cars else left
            tx.emit(CarsArranged, player.seat, player.number("cars", left, 0, most, report))
    with blaming(rules.plugins.values(), "when a table was read"):
        rules.economy.arrange(tx, read, report)
    _put_ticket_pile(tx, read, report)
    report.check("this position cannot be arranged")
    if turns_left:
        tx.emit(LastRoundBegun, turns_left, LAST_ROUND)
    with blaming(rules.plugins.values(), "when a position was arranged"):
        begin_turn(tx, to_act)
    return Game(state, names, seed if chance is None else None, [Move(None, tuple(log), state.chance_calls)])


def _read_position(rules: Rules | None, table: object, *, arranged: bool) -> tuple[Rules, Position, Report]:
    """Read a table with its rules, and check its keys: those of a position to be arranged, or of a finished game."""
    report, table = Report(), _check_table(table)
    if rules is None:
        rules = compile_rules(*stack_of(table))
    elif "stack" in table:
        try:
            stack = stack_of(table)
            if not rules.agrees_with(stack):
                report.add("stack", f"{' + '.join(stack)} does not agree with the rules {rules}")
        except InvalidTableError as error:
            report.problems += error.problems
    rulings = TableEntry("", table, rules.board).table("rulings", report).raw
    if rulings:
        try:
            rules = compile_rules(*rules.recipe, rulings=rulings, board=rules.own_board)
        except InvalidInputError as error:
            report.add("rulings", str(error))
    known = ["stack", "rulings", "players", "parts"]
    keys = [keys_of(kind) for kind in rules.part_types]
    if not arranged:
        keys.append((dict(rules.economy.score_keys), {}))
    player_keys = [key for of_players, _ in keys for key in of_players]
    part_keys = [key for _, of_parts in keys for key in of_parts]
    if arranged:
        known += [*POSITION_KEYS, *rules.economy.position_keys]
        player_keys += ["cars", "open_tickets", *rules.economy.player_keys]
        part_keys += rules.economy.part_keys
    report.unknown_keys("", table, known)
    position = read_players(rules, table, player_keys, report, to_score=not arranged)
    parts = position.table("parts", report)
    parts.only(part_keys, report)
    for of_players, of_parts in keys:
        for player in position.players:
            _report_missing(player, of_players, report)
        _report_missing(parts, of_parts, report)
    return rules, position, report


def _report_missing(entry: TableEntry, keys: Mapping[str, KeyHelp], report: Report) -> None:
    """Report the keys that are required and not there: what each means, and an example."""
    board = entry.board
    for key, about in keys.items():
        if about.required and key not in entry.raw:
            route = [*map(board.place_name, next(iter(board.routes.values())).cities)]
            example = about.filled(route[0], route, entry.seat if isinstance(entry, PlayerEntry) else 0)
            report.add(entry.under(key), f"missing: {about.summary} For example: {key} = {example}")


def _put_common(tx: Transaction, position: Position, report: Report) -> None:
    put_routes(tx, position, report)
    put_route_points(tx, position, report)
    put_tickets(tx, position, report)
    put_points(tx, position, report)
    with blaming(tx.rules.plugins.values(), "when a table was read"):
        if position.to_score:  # then only written keys count
            _put_parts(tx, position, report)
            if tx.rules.economy.score_keys:
                tx.rules.economy.arrange(tx, position, report)
        else:
            _deal_parts(tx, position, report)


def _deal_parts(tx: Transaction, position: Position, report: Report) -> None:
    """Set up the parts of plugins and read their keys. With seeded chance, this is done again if they do not fit."""
    before = tx.state.copy()
    deals = MOST_DEALS if type(before.chance) is SeededChance else 1
    while True:
        log, misfits = list[Event](), Report()
        trial = Transaction(before.copy(), log)
        set_up_parts(trial)
        by_chance, last = trial.state.chance_calls > before.chance_calls, len(log)
        _put_parts(trial, position, misfits)
        before.chance_calls = trial.state.chance_calls
        deals -= 1
        if not (misfits.problems and by_chance and deals):
            break
    report.problems += misfits.problems
    for number in reversed(_find_changing(before, log[:last])):
        if _leads_to(trial.state, before.copy(), [*log[:number], *log[number + 1 :]]):
            del log[number]  # keys replaced all changes by this event of the set-up
    tx.state = trial.state
    if tx.log is not None:
        tx.log += log


def _put_parts(tx: Transaction, position: Position, report: Report) -> None:
    """Read the keys of all parts."""
    before = count_items(tx)
    for kind in tx.rules.part_types:
        tx.state.part(kind).arrange(tx, position, report)
    return_to_piles(tx, before)  # an `arrange` of a part need not call `super().arrange`
    _take_from_piles(tx, report)
    for kind in tx.rules.part_types:
        part = tx.state.part(kind)
        problem = None if part == kind.start(tx.rules, tx.state.players) else part.validate(tx.rules)
        if problem is not None:
            report.add(tx.rules.part_names[kind], problem)


def _find_changing(before: State, events: Iterable[Event]) -> list[int]:
    """The places of those events that change the state."""
    state, places = before.copy(), list[int]()
    for place, event in enumerate(events):
        earlier = state.copy()
        fold(state, [event])
        if state != earlier:
            places.append(place)
    return places


def _leads_to(state: State, before: State, events: Iterable[Event]) -> bool:
    """True if these events lead from one state to another."""
    with suppress(Exception):  # an event may need another one
        fold(before, events)
        return before == state
    return False


def _take_from_piles(tx: Transaction, report: Report) -> None:
    """Take the items that keys put into fields of a pool out of its piles: the fields of the pool that have no key."""
    parts = [tx.state.part(kind) for kind in tx.rules.part_types]
    for pool, box in boxes(parts, tx.rules).items():
        lots = [] if pool == TICKETS else [(part, place) for part in parts for place in places(part, pool)]
        over = Counter([item for _, place in lots for item in items(place.content)]) - Counter(box)
        for part, place in lots:
            pile = [] if part_fields(type(part))[place.field].key else items(place.content)
            taken = over & Counter(pile)
            if taken:
                for item in taken.elements():
                    pile.remove(item)
                tx.put_items(part, place.field, place.seat, tuple(pile), place.key)
                over -= taken
        for item, count in over.items():
            at = "players"
            for part, place in lots:
                if place.seat is not None and item in items(place.content):
                    at = f"players[{place.seat}].{part_fields(type(part))[place.field].key}"
            inside = brief(sorted({*map(str, box)}))
            report.add(at, f"{count} more {brief(item)} than in the box, which holds {inside}")


def _course(position: Position, rules: Rules, report: Report) -> tuple[int, int]:
    """The number of turns before a position, and of turns left if the last round (E1) has begun.

    It has always begun in the last of `rounds`.
    """
    players, rounds, before = max(len(position.players), 1), rules.components.rounds, len(report.problems)
    round = position.number("round", 1, 1, MOST_ROUNDS if rounds is None else rounds, report)
    following = position.number("turns_left_in_round", players - 1, 0, players - 1, report)
    limit = players * rules.components.last_turns if rounds is None else players * (rounds - round) + following + 1
    if rounds is None and rules.next_seat:  # a plugin may let a whole round follow the one being played
        limit += following + 1
    turns_left = position.number("turns_left", 0, 0, limit, report)
    if round == rounds:
        turns_left = turns_left or limit
        if "turns_left_in_round" in position.raw and turns_left != following + 1 and len(report.problems) == before:
            report.add("turns_left", f"expected {following + 1}, the turns left in the last round, including this one")
        following = turns_left - 1
    return round * players - 1 - following, turns_left


def _put_ticket_pile(tx: Transaction, position: Position, report: Report) -> None:
    """Set up each ticket pile: the given tickets on top, the pile's remaining tickets shuffled under them."""
    piles = {name: [ticket.id for ticket in tx.rules.deck.piles.get(name, ())] for name in tx.rules.draw_counts.piles}
    taken = {id for tickets in tx.state.tickets for id in tickets}
    taken.update(*[part.items_in(TICKETS) for part in tx.state.parts.values()])
    top: list[str] = []
    for entry in position.entries("ticket_pile", report):
        for id in _find_tickets(tx.rules, [entry], taken, None, report):
            if any(id in pile for pile in piles.values()):
                top.append(id)
            else:
                taken.discard(id)
                report.add(entry[0], f"{id} is not a ticket of the {' or the '.join(piles)} pile")
    for name, pile in piles.items():
        rest = tx.shuffled([id for id in pile if id not in taken])
        tx.emit(TicketsShuffled, name, (*(id for id in top if id in pile), *rest))
    if tx.rules.components.open_tickets:
        tx.emit(TicketsRevealed, tuple(tx.state.tickets))

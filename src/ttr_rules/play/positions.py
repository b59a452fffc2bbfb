"""Games set up mid-way from plain data, and the scoring of a finished table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from ttr_rules.errors import InvalidInputError, InvalidTableError
from ttr_rules.kernel.events.arranged import CarsArranged, PositionArranged
from ttr_rules.kernel.events.base import Event
from ttr_rules.kernel.events.course import LastRoundBegun
from ttr_rules.kernel.events.setup import TicketsShuffled
from ttr_rules.kernel.rules import Rules
from ttr_rules.kernel.scores import FinalScores
from ttr_rules.kernel.scoring import final_scores
from ttr_rules.kernel.state import State
from ttr_rules.kernel.table import Position, Report, read_int, read_list, read_table
from ttr_rules.kernel.tables import tables_of
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.kernel.turn import begin_turn
from ttr_rules.model.chance import Chance, SeededChance, checked_seed, new_seed
from ttr_rules.play.game import Game
from ttr_rules.play.moves import Move
from ttr_rules.play.table_tickets import find_ticket, put_tickets
from ttr_rules.play.tables import check_stack, put_points, put_routes, read_players, stack_of
from ttr_rules.plugins.compiler import compile_rules, recompiled
from ttr_rules.reading import too_deep
from ttr_rules.text import brief


def score(rules: Rules | None, table: Mapping[str, Any]) -> FinalScores:
    """Score a game that was played at a table.

    `table` names the stack and, for each player, routes and tickets, and under `parts` what plugins count that belongs
    to no player; see the page on score files. Without `rules` the stack named in `table` is compiled. Raises
    `InvalidTableError` with every mistake in it.

    >>> sheet = score(None, {"stack": ["europe"], "players": [
    ...     {"name": "Ada", "routes": [["paris", "zurich"], "munchen-zurich-yellow"]},
    ...     {"name": "Isambard", "tickets": [["paris", "wien"]]}]})
    >>> [(player.name, player.total) for player in sheet.players], sheet.winners
    ([('Ada', 28), ('Isambard', 4)], ('Ada',))
    """
    rules, report = _begin(rules, table)
    keys = [key for spec in rules.part_specs for key in spec.player_keys]
    report.unknown_keys("", table, ["stack", "rulings", "players", "parts"])
    part_keys = [key for spec in rules.part_specs for key in spec.part_keys]
    report.unknown_keys("parts", read_table(table, "parts", "", report), part_keys)
    position = read_players(rules, table, keys, report)
    state = State(rules, max(len(position.players), 1), SeededChance(0))
    tx = Transaction(state)
    _put_common(tx, position, report, of_the_deck=False)
    report.check("this table cannot be scored")
    state.rules = rules.with_tickets(position.new_tickets.values())
    return final_scores(state, [player.name for player in position.players])


def arrange(rules: Rules | None, position: Mapping[str, Any], chance: Chance | None = None) -> Game:
    """Arrange a game mid-way: any position from plain data, with the seat `to_act` at the start of its turn.

    Piles that are not given are shuffled from the rest, by `chance` or the position's `seed`. A seat may have so few
    cars that the last round would have begun, with `turns_left` 0: it begins when that seat ends a turn (E1). Raises
    `InvalidTableError` with every mistake in it.

    >>> from ttr_rules import cards
    >>> game = arrange(None, {"stack": ["europe"], "seed": 1, "players": [
    ...     {"name": "Ada", "hand": {"red": 3, "locomotive": 1}}, {"name": "Isambard"}]})
    >>> game.decision(0), cards(game.state).hands[0]
    (Turn(seat=0), Counts(red=3, locomotive=1))
    """
    rules, report = _begin(rules, position)
    economy = rules.economy
    keys = [key for spec in rules.part_specs for key in spec.player_keys]
    known = [
        "stack",
        "rulings",
        "players",
        "to_act",
        "seed",
        "turns_left",
        "ticket_pile",
        "parts",
        *economy.position_keys,
    ]
    report.unknown_keys("", position, known)
    read = read_players(rules, position, ["cars", *economy.player_keys, *keys], report)
    count = len(read.players)
    seed = position.get("seed", new_seed())
    try:
        checked_seed(seed)
    except InvalidInputError as error:
        report.add("seed", str(error))
        seed = 0  # so that the rest can be checked
    part_keys = [*economy.part_keys, *(key for spec in rules.part_specs for key in spec.part_keys)]
    report.unknown_keys("parts", read_table(position, "parts", "", report), part_keys)
    to_act = _seat(read, position.get("to_act", 0), report)
    turns_left = read_int(position, "turns_left", 0, 0, max(count, 1), "", report)
    report.check("this position cannot be arranged") if not count else None

    state = State(rules, count, SeededChance(seed) if chance is None else chance)
    log: list[Event] = []
    tx = Transaction(state, log)
    tx.emit(PositionArranged, tuple(player.name for player in read.players), to_act)
    _put_common(tx, read, report, of_the_deck=True)
    for player in read.players:
        if "cars" in player.raw:
            left = state.cars[player.seat]  # what this player's routes leave
            cars = read_int(player.raw, "cars", left, 0, left, player.place, report)
            tx.emit(CarsArranged, player.seat, cars)
    economy.arrange(tx, read, report)
    _put_ticket_pile(tx, read, report)
    report.check("this position cannot be arranged")
    if turns_left:
        tx.emit(LastRoundBegun, turns_left)
    begin_turn(tx, to_act)
    names = tuple(player.name for player in read.players)
    return Game(rules, state, names, seed if chance is None else None, [Move(None, tuple(log), state.chance_calls)])


def _begin(rules: Rules | None, table: object) -> tuple[Rules, Report]:
    report = Report()
    if not isinstance(table, Mapping):
        raise InvalidTableError(
            "this table", [f"expected a table with a stack and players, got {type(table).__name__}"]
        )
    problem = too_deep(cast("object", table))
    if problem is not None:
        raise InvalidTableError("this table", [problem])
    table = cast("Mapping[str, Any]", table)
    if rules is None:
        rules = compile_rules(*stack_of(table))
    else:
        check_stack(rules, table, report)
    given = read_table(table, "rulings", "", report)
    if given:
        try:
            rules = recompiled(rules, given)
        except InvalidInputError as error:
            report.add("rulings", str(error))
    return rules, report


def _put_common(tx: Transaction, position: Position, report: Report, *, of_the_deck: bool) -> None:
    put_routes(tx, position, report)
    put_tickets(tx, position, report, of_the_deck=of_the_deck)
    put_points(tx, position, report)
    for spec in tables_of(tx.state).part_specs:
        if spec.arrange is not None:
            spec.arrange(tx, position, report)


def _seat(position: Position, to_act: object, report: Report) -> int:
    if not position.players:
        return 0
    for player in position.players:
        if to_act == player.name or (type(to_act) is int and to_act == player.seat):
            return player.seat
    report.add(
        "to_act", f"no player {brief(to_act)}; there are {', '.join(player.name for player in position.players)}"
    )
    return 0


def _put_ticket_pile(tx: Transaction, position: Position, report: Report) -> None:
    """Set up each ticket pile: the given tickets on top, the pile's remaining tickets shuffled under them."""
    piles = {name: [ticket.id for ticket in tx.rules.deck.piles.get(name, ())] for name in tx.rules.draw_counts.piles}
    held = {id for tickets in tx.state.tickets for id in tickets}
    top: list[str] = []
    for number, written in enumerate(read_list(position.raw, "ticket_pile", "", report)):
        place = f"ticket_pile[{number}]"
        id = find_ticket(tx.rules, written, {*held, *top}, None, place, report)
        if id is not None and not any(id in pile for pile in piles.values()):
            report.add(place, f"{id} is not a ticket of the {' or the '.join(piles)} pile")
        elif id is not None:
            top.append(id)
    for name, pile in piles.items():
        rest = tx.shuffled([id for id in pile if id not in held and id not in top])
        tx.emit(TicketsShuffled, name, (*(id for id in top if id in pile), *rest))

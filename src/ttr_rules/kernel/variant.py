"""`Variant`: the base class of plugins, with every hook that a plugin can have.

A plugin is a class, and a hook is a method of `Variant`: a plugin overrides those it needs and marks them `@hookimpl`.
Compiling a stack calls the hooks and makes `Rules` of the answers. There are three kinds:

* *Values* `(self, below, board)` have one answer. A method that calls `below()` **adjusts** the answer of the plugins below,
  a method that does not **replaces** it. Two plugins that replace the same value conflict, unless one requires the other,
  or exactly one of them is marked `@tryfirst`, which means that it overrides any map.
* *Things* `(self, rules)` are collected from all plugins. All values are known by then.
* *In play* `(self, state, seat, …)` or `(self, tx, seat, …)`: called during a game.

`setup = always(…)` stands for a method whose answer never changes.

The order in which a stack is named does not matter. The plugins of the map come first, then those built on it, then the
others, sorted by the number of plugins that they require, then by name. A plugin always comes after those it requires.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from inspect import cleandoc, get_annotations
from typing import Any, ClassVar, TypeAlias, TypeVar, dataclass_transform

import attrs
import pluggy

from ttr_rules.errors import PluginError, Refusal
from ttr_rules.kernel.action_rule import ActionRule
from ttr_rules.kernel.economy import Economy
from ttr_rules.kernel.extensions import Around
from ttr_rules.kernel.hints import BotHint, MapMark
from ttr_rules.kernel.part import Part
from ttr_rules.kernel.plugin import PROJECT, PluginInfo, hookimpl, hookspec, saved
from ttr_rules.kernel.rules import Rules
from ttr_rules.kernel.scores import Bonus, Loan, ScoringTerm, TieBreak
from ttr_rules.kernel.state import State
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.kernel.view import View
from ttr_rules.model.board import Board, Cost, Route, Ticket
from ttr_rules.model.decisions import Decision, Question
from ttr_rules.model.tickets import Components, DrawCounts, Stage, TicketDeck
from ttr_rules.reading import JsonObject
from ttr_rules.text import brief

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., object])

#: Computes the answer of the plugins below.
Below: TypeAlias = Callable[[], T]


def tryfirst(hook: F) -> F:
    """Above `@hookimpl`: call this method after those of all other plugins, to replace the answer of any map or adjust last.

    >>> from ttr_variants.dice import DicePlugin
    >>> DicePlugin.economy.ttr_rules_impl["tryfirst"]
    True
    """
    return _order(hook, "tryfirst")


def trylast(hook: F) -> F:
    """Above `@hookimpl`: call this method before those of all other plugins, which adjust its answer.

    >>> from ttr_variants.marklin import Marklin
    >>> Marklin.economy.ttr_rules_impl["trylast"]
    True
    """
    return _order(hook, "trylast")


def _order(hook: F, order: str) -> F:
    """Note the order of a hook. Raises `PluginError` for a method that is not marked yet."""
    marks = getattr(hook, f"{PROJECT}_impl", None)
    if marks is None:
        name = getattr(hook, "__name__", brief(hook))
        raise PluginError(f"{name}: write @{order} above @hookimpl, not below it")
    marks[order] = True
    return hook


def always(answer: T) -> Callable[..., T]:
    """A hook with an answer that never changes, in place of a method.

    All stacks share the answer, so it must be immutable. Action rules and economies need a method, which creates them for
    each stack. Raises `PluginError` for an iterator, which can be read only once.

    >>> from ttr_rules import compile_rules
    >>> class FourTickets(Variant, name="four-tickets"):
    ...     draw_counts = always(DrawCounts(drawn=4))
    >>> compile_rules("europe", FourTickets).draw_counts.drawn
    4
    """
    if isinstance(answer, Iterator):
        raise PluginError("always was given an iterator, which can be read only once: give it a tuple")

    def hook(self: object, *asked: object) -> T:  # `check_hooks` knows these names
        return answer

    return hookimpl(hook)


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(saved, attrs.field))
class _Variants:
    """Turns the fields of a variant into its options."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "__init__" in vars(cls):
            raise PluginError(
                f"{cls.__name__} needs no __init__: its fields are options, such as pace: int = option(1, 2)"
            )
        attrs.frozen(slots=False, kw_only=True)(cls)


class Variant(_Variants):
    """A plugin: `class Mountains(Variant, name="mountains")`.

    `name` is its name in a stack. A class without one is a base for others. `requires` are the plugins that it is built
    on. `aliases` are other names, such as a former one, and `titles` are titles in other languages. `save_version` is the
    version of its data in saved games (see `upcast`). Its docstring begins with its title and a summary,
    `\"\"\"Mountains: routes that cost more.\"\"\"`. With `title` it begins with the summary.

    Its fields are options: `pace: Literal["calm", "brisk"] = option("calm", "brisk")`.

    >>> from ttr_rules import compile_rules
    >>> from ttr_rules.plugins import hookimpl
    >>> class FourTickets(Variant, name="four-tickets"):
    ...     \"\"\"Four tickets: whoever draws tickets draws one more.\"\"\"
    ...     @hookimpl
    ...     def draw_counts(self, below, board):
    ...         return attrs.evolve(below(), drawn=4)
    >>> FourTickets.info.title, compile_rules("europe", FourTickets).draw_counts.drawn
    ('Four tickets', 4)
    """

    #: The description of the plugin.
    info: ClassVar[PluginInfo] = PluginInfo("", "")
    #: The file with the texts of its rules, in its package.
    rulebook: ClassVar[str] = "rules.toml"
    #: The folder with its translations, in its package or the one that contains it.
    texts: ClassVar[str] = "locales"
    #: A sentence below pictures of the board that explains its marks.
    legend: ClassVar[str] = ""

    def __init_subclass__(
        cls,
        *,
        name: str = "",
        title: str = "",
        requires: tuple[str, ...] = (),
        aliases: tuple[str, ...] = (),
        titles: Mapping[str, str] | None = None,
        save_version: int = 1,
    ) -> None:
        super().__init_subclass__()
        if "info" in get_annotations(cls):
            raise PluginError(f"{cls.__name__}.info describes the plugin: give the option another name")
        plugins: object = requires
        if isinstance(plugins, str):
            raise PluginError(f"{cls.__name__} requires a text: write requires=({requires!r},)")
        if any(mark in name for mark in " :+,/"):
            better = name.lower().replace(" ", "-")
            raise PluginError(f"a plugin cannot be called {name!r}: write name={better!r}, words joined by hyphens")
        text = " ".join(cleandoc(vars(cls).get("__doc__") or "").split("\n\n")[0].split())
        if not title:
            title, _, text = text.partition(": ")
            text = text[:1].upper() + text[1:]
        cls.info = PluginInfo(
            name, title.rstrip(".") or name, text, tuple(requires), save_version, tuple(aliases), titles or {}
        )

    def upcast(self, document: JsonObject, version: int) -> JsonObject:
        """Convert a saved game of an earlier `save_version` to the next version."""
        raise PluginError(f"{self.info.name} cannot read games that version {version} of it has saved")

    # -- values ------------------------------------------------------------------------------------------------------

    @hookspec(firstresult=True)
    def board(self, below: Below[Board]) -> Board:
        """The map: cities, routes, tickets, points for lengths.

        The plugin of a map replaces it. One that adjusts it changes the map below, such as the colors of routes. A
        stack needs a map, as this hook has no default. A board that the caller passes is used unchanged, without
        calling this hook.

        >>> class NightMap(Variant, name="night-map", requires=("europe",)):
        ...     @hookimpl
        ...     def board(self, below):
        ...         return evolve(below(), name="Europe by night")
        >>> compile_rules("europe", NightMap).board.name
        'Europe by night'
        """
        return below()

    @hookspec(firstresult=True)
    def components(self, below: Below[Components], board: Board) -> Components:
        """The numbers of train cars, players and rounds, double routes, the last round, and whether tickets are open.

        By default 45 cars, two to five players, one more turn for everybody.

        >>> class OpenDoubles(Variant, name="open-doubles"):
        ...     @hookimpl
        ...     def components(self, below, board):
        ...         return evolve(below(), doubles_from=2)
        >>> compile_rules("europe", OpenDoubles).components.doubles_from
        2
        """
        return below()

    @hookspec(firstresult=True)
    def route_cars(self, below: Below[Mapping[str, int]], board: Board) -> Mapping[str, int]:
        """The train cars that a claim takes, by route: by default the length of the route.

        A seat needs as many cars to claim the route, and gets them back if it is freed. For a number that depends on the seat
        or the game see `claim_cars`. Cars that a claim takes only if the seat has them are taken by `tx.use_cars`, in
        `on_claim`. The cost stays as it is: see `claim_cost`.

        >>> class LongTrains(Variant, name="long-trains"):
        ...     @hookimpl
        ...     def route_cars(self, below, board):
        ...         return {id: cars + (cars >= 5) for id, cars in below().items()}
        >>> compile_rules("north-america", LongTrains).route_cars["chicago-omaha-blue"]
        4
        """
        return below()

    @hookspec(firstresult=True)
    def route_points(self, below: Below[Mapping[str, int]], board: Board) -> Mapping[str, int]:
        """The points that a claim scores immediately, by route: by default the board's points for its length.

        For points that depend on more than the route see `claim_points`.

        >>> class PlainTunnels(Variant, name="plain-tunnels"):
        ...     @hookimpl
        ...     def route_points(self, below, board):
        ...         return {id: points - board.routes[id].tunnel for id, points in below().items()}
        >>> compile_rules("europe", PlainTunnels).route_points["marseille-zurich-purple"]
        1
        """
        return below()

    @hookspec(firstresult=True)
    def ticket_deck(self, below: Below[TicketDeck], board: Board) -> TicketDeck:
        """The board's tickets that are in the game, and their piles: by default all, one pile for each kind.

        >>> class NoTrifles(Variant, name="no-trifles"):
        ...     @hookimpl
        ...     def ticket_deck(self, below, board):
        ...         piles = below().piles.items()
        ...         return TicketDeck({name: [ticket for ticket in pile if ticket.points >= 8] for name, pile in piles})
        >>> len(compile_rules("europe", NoTrifles).deck.piles["regular"])
        25
        """
        return below()

    @hookspec(firstresult=True)
    def setup(self, below: Below[tuple[Stage, ...]], board: Board) -> tuple[Stage, ...]:
        """The deal before the first turn, stage by stage: tickets dealt, tickets to keep, the place of the rest.

        By default three regular tickets, at least two of them kept. For a number that depends on the seat or the game
        see `tickets_kept`. Anything other than tickets is dealt in `on_deal`. Without stages, `()`, nobody is dealt
        tickets, and the plugin may deal them itself, as in a draft. `@tryfirst` lets it replace the set-up of any map.
        Then leave out unused piles in `ticket_deck`.

        >>> class KeepThree(Variant, name="keep-three"):
        ...     @hookimpl
        ...     def setup(self, below, board):
        ...         return tuple(evolve(stage, keep=KeepAtLeast(3)) for stage in below())
        >>> compile_rules("europe", KeepThree).setup[0].keep
        KeepAtLeast(least=3)
        """
        return below()

    @hookspec(firstresult=True)
    def draw_counts(self, below: Below[DrawCounts], board: Board) -> DrawCounts:
        """The numbers for draws in play: tickets drawn, tickets kept, cards drawn.

        By default three tickets, at least one of them kept, and two cards, of which a face-up locomotive counts as both. For
        numbers that depend on the seat or the game see `tickets_drawn`, `tickets_kept` and `cards_drawn`.

        >>> class FourTickets(Variant, name="four-tickets"):
        ...     @hookimpl
        ...     def draw_counts(self, below, board):
        ...         return evolve(below(), drawn=4)
        >>> compile_rules("europe", FourTickets).draw_counts.drawn
        4
        """
        return below()

    @hookspec(firstresult=True)
    def economy(self, below: Below[Economy], board: Board) -> Economy:
        """The means of payment, and the actions to get them: by default train cards.

        Maps with cards of their own replace it. An economy that can replace the cards of any map does so with `@tryfirst`.
        To adjust it, return an `EconomyLayer` on the one below: a layer sees every cost and every payment, including those of
        stations and of things that plugins sell, and may take pieces of its own, such as coins. To change only the cost of
        claims, use `claim_cost`.

        >>> class Cheaper(EconomyLayer):
        ...     def cost(self, state, seat, cost):
        ...         return evolve(cost, spaces=min(cost.spaces, 5))
        >>> class Sale(Variant, name="sale"):
        ...     @hookimpl
        ...     def economy(self, below, board):
        ...         return Cheaper(below())
        >>> compile_rules("europe", Sale).economy
        <Cheaper>
        """
        return below()

    @hookspec(firstresult=True)
    def bonuses(self, below: Below[tuple[Bonus, ...]], board: Board) -> tuple[Bonus, ...]:
        """The bonuses at the end, for the best at something: by default ten points for the longest path.

        They are awarded after all other points, in this order: each is given the state and the players' sheets, with the
        bonuses before it. `Bonus.ranked` makes one with several amounts. Use a scoring term for points that do not depend
        on other players.

        >>> class Runners(Variant, name="runners"):
        ...     @hookimpl
        ...     def bonuses(self, below, board):
        ...         return (*below(), Bonus("all_done", 5, self.holders))
        ...     def holders(self, state, players):
        ...         return [player.seat for player in players if player.completed_tickets == len(player.tickets)]
        >>> [bonus.name for bonus in compile_rules("north-america", Runners).bonuses]
        ['longest_path', 'all_done']
        """
        return below()

    @hookspec(firstresult=True)
    def tie_breaks(self, below: Below[tuple[TieBreak, ...]], board: Board) -> tuple[TieBreak, ...]:
        """Tie-breakers between players with equal points, in order: by default P5.

        >>> from ttr_rules.scores import LONGER_PATH
        >>> class LongerPath(Variant, name="longer-path"):
        ...     @hookimpl
        ...     def tie_breaks(self, below, board):
        ...         return (LONGER_PATH, *below())
        >>> compile_rules("europe", LongerPath).tie_break[0].name
        'longer path'
        """
        return below()

    # -- things ------------------------------------------------------------------------------------------------------

    @hookspec
    def parts(self, rules: Rules) -> Iterable[type[Part]]:
        """More state: parts, each a type of its own whose fields declare who may see them.

        >>> class Tolls(Part):
        ...     paid: dict[int, int] = public(label="Tolls paid")
        >>> class TollRoads(Variant, name="toll-roads"):
        ...     @hookimpl
        ...     def parts(self, rules):
        ...         return (Tolls,)
        >>> new_game("europe", TollRoads, players=2, seed=1).state.part(Tolls)
        Tolls(paid={})
        """
        return ()

    @hookspec
    def actions(self, rules: Rules) -> Iterable[ActionRule[Any, Any]]:
        """More actions, each an answer to one kind of decision: to `Turn`, or to a decision that the plugin itself asks.

        With `free = True` its action leaves the turn as it is. With `replaces = True` it replaces the rule for the same
        decision and action.

        >>> from ttr_rules.actions import draw_tickets
        >>> class DrawFourRule(ActionRule[Turn, DrawTickets]):
        ...     replaces = True
        ...     def offers(self, state, decision):
        ...         return (DrawTickets(decision.seat),) if state.has_tickets else ()
        ...     def perform(self, tx, decision, action):
        ...         draw_tickets(tx, action.seat, 4)
        >>> class DrawFour(Variant, name="draw-four"):
        ...     @hookimpl
        ...     def actions(self, rules):
        ...         return (DrawFourRule(),)
        >>> game = arrange(compile_rules("europe", DrawFour), {"seed": 1, "players": [{}, {}]})
        >>> _ = game.play(DrawTickets(0))
        >>> len(game.decision(0).tickets)
        4
        """
        return ()

    @hookspec
    def around(self, rules: Rules) -> Iterable[Around]:
        """Reactions to actions: refuse them, ask something before them, or do something after them.

        >>> class LateTickets(Variant, name="late-tickets"):
        ...     def refuse(self, state, action):
        ...         return Refusal("late-1", "no tickets in the first round") if state.round == 1 else None
        ...     @hookimpl
        ...     def around(self, rules):
        ...         return (Around(DrawTickets, refuse=self.refuse),)
        >>> game = arrange(compile_rules("europe", LateTickets), {"seed": 1, "players": [{}, {}]})
        >>> print(game.refusal(DrawTickets(0)))
        [late-1] no tickets in the first round
        """
        return ()

    @hookspec
    def scoring(self, rules: Rules) -> Iterable[ScoringTerm]:
        """More points for each player, each term on its own line of the score sheet.

        Called for each player when a game is over or a table is scored. `points_in_play` declares points that are
        scored during play. They count in the scores that all players see.

        >>> def tunnels(state, seat):
        ...     mine = [state.rules.board.routes[id] for id in state.routes(seat)]
        ...     return Score(sum(route.tunnel for route in mine))
        >>> class Tunnels(Variant, name="tunnels"):
        ...     @hookimpl
        ...     def scoring(self, rules):
        ...         return (ScoringTerm("tunnels", tunnels, label="Tunnels"),)
        >>> table = {"players": [{"name": "Ada", "routes": [["Zürich", "Marseille"]]}, {"name": "Bo"}]}
        >>> score(compile_rules("europe", Tunnels), table).players[0].terms["tunnels"].points
        1
        """
        return ()

    @hookspec
    def hints(self, rules: Rules) -> Iterable[BotHint]:
        """Hints for bots: values of actions, and the actions that borrow, lend, open routes or draw cards.

        Without hints bots seldom choose a plugin's actions, and answer its questions at random. The functions of hints are
        given a view, never a state.

        >>> from ttr_rules.hints import ActionValue
        >>> class Hurry(Variant, name="hurry"):
        ...     @hookimpl
        ...     def hints(self, rules):
        ...         return (ActionValue(DrawTickets, lambda view, rules, action: -5.0 if view.turns_left else 5.0),)
        >>> "hints: europe + hurry" in compile_rules("europe", Hurry).explain()
        True
        """
        return ()

    @hookspec
    def notes(self, rules: Rules) -> Iterable[str]:
        """Sentences about a stack that `explain` shows. Raise `PluginError` if the stack cannot be played.

        >>> class Ferries(Variant, name="ferries"):
        ...     @hookimpl
        ...     def notes(self, rules):
        ...         if not any(route.ferry_locomotives for route in rules.board.routes.values()):
        ...             raise PluginError("ferries needs a map with ferries")
        ...         return ()
        >>> compile_rules("north-america", Ferries)
        Traceback (most recent call last):
        ttr_rules.errors.PluginError: ferries needs a map with ferries
        """
        return ()

    # -- in play: rules ----------------------------------------------------------------------------------------------

    @hookspec
    def claim_refusal(self, state: State, seat: int, route: Route) -> Refusal | None:
        """A refusal if this seat may not claim this route now, or None if it may.

        Such a claim is not offered, and views show the route as barred. The hook can only close routes. It may depend on
        public information and on what the seat itself knows, all of it in the state: changes of anything else, such as a
        clock, go unnoticed. It comes before the refusal for too few train cars (C3), so that a plugin can explain why a route
        takes more cars than it has spaces. See `claim_key`.

        >>> class Daylight(Variant, name="daylight"):
        ...     @hookimpl
        ...     def claim_refusal(self, state, seat, route):
        ...         early = state.round == 1
        ...         return Refusal("day-1", "no tunnels in the first round", lasting=False) if route.tunnel and early else None
        ...     @hookimpl
        ...     def claim_key(self, state, seat):
        ...         return state.round == 1
        >>> players = [{"hand": {"purple": 2}}, {}]
        >>> game = arrange(compile_rules("europe", Daylight), {"seed": 1, "players": players})
        >>> print(game.refusal(ClaimRoute(0, "marseille-zurich-purple", {"purple": 2})))
        [day-1] no tunnels in the first round
        """
        return None

    @hookspec
    def claim_key(self, state: State, seat: int) -> Hashable:
        """A key to cache the answers of `claim_refusal`, `claim_cost` and `claim_cars`.

        While it is equal, claims are counted without them. They are still called for each claim that is checked. Where
        `closed_routes` is given, the key serves `claim_cost` and `claim_cars` alone. It is a number, a text, or a tuple of
        these. With None, nothing is cached. It must cover everything that the answers depend on, and follow from the
        state alone, as all games of a stack share it. See the example of `claim_refusal`.
        """
        return None

    @hookspec
    def closed_routes(self, state: State, seat: int) -> Iterable[int] | int:
        """The numbers of all routes that `claim_refusal` closes to a seat, if a `claim_key` would change with every claim.

        This only makes games faster: without `claim_refusal`, nothing is closed. Typically, events keep the numbers up to date in
        a part. A mask, in which route n has the bit 1 << n, is quicker than numbers. `State.routes_apart` is the mask of the
        routes that touch none of a seat's own.

        >>> class NoTunnels(Variant, name="no-tunnels"):
        ...     @hookimpl
        ...     def claim_refusal(self, state, seat, route):
        ...         return Refusal("dry-1", "tunnels are closed") if route.tunnel else None
        ...     @hookimpl
        ...     def closed_routes(self, state, seat):
        ...         rules = state.rules
        ...         return [n for n, id in enumerate(rules.network.route_ids) if rules.board.routes[id].tunnel]
        >>> game = new_game("europe", NoTunnels, players=2, seed=1)
        >>> len(game.view(0).barred)
        18
        """
        return ()

    @hookspec
    def claim_cost(self, state: State, seat: int, route: Route, cost: Cost) -> Cost:
        """The cost for this seat of claiming a route now. `cost` is the answer of the plugins below.

        Called for a claim that is checked, and for each route when claims are counted: at every decision, or with a `claim_key`
        when the key is new, or once and for all if it looks at neither `state` nor `seat`. At least one space is always
        paid, and at least one for every locomotive symbol, so `spaces - 1` is safe on a ferry, too. It may depend only on
        its arguments: changes of anything else, such as a clock, go unnoticed.

        >>> class Discount(Variant, name="discount"):
        ...     @hookimpl
        ...     def claim_cost(self, state, seat, route, cost):
        ...         return evolve(cost, spaces=cost.spaces - 1) if cost.spaces >= 5 else cost
        >>> players = [{"hand": {"locomotive": 7}}, {}]
        >>> game = arrange(compile_rules("europe", Discount), {"seed": 1, "players": players})
        >>> game.is_legal(ClaimRoute(0, "petrograd-stockholm-gray", {"locomotive": 7}))
        True
        """
        return cost

    @hookspec
    def claim_cars(self, state: State, seat: int, route: Route, cars: int) -> int:
        """The train cars that this seat needs to claim a route now. `cars` is the answer of the plugins below.

        At first that is the number in `route_cars`, which is the hook for numbers that never change: bots, positions,
        tables to score and shared routes know no others. The owner gets as many back when the route is freed. The hook is
        called before and after the claim is paid for, so the answer must not depend on hands or on anything else that a
        claim changes before its cars are taken. Write a `claim_key` that covers what the answer depends on, besides the train cars that are
        left. A game with `fleets` cannot have this hook.

        >>> class FirstTunnel(Variant, name="first-tunnel"):
        ...     @hookimpl
        ...     def claim_cars(self, state, seat, route, cars):
        ...         return 1 if route.tunnel and not state.routes(seat) else cars
        ...     @hookimpl
        ...     def claim_key(self, state, seat):
        ...         return not state.routes(seat)
        >>> players = [{"name": "Ada", "hand": {"purple": 2}, "cars": 1}, {"name": "Bo"}]
        >>> game = arrange(compile_rules("europe", FirstTunnel), {"seed": 1, "players": players, "draw_pile": ["red"] * 3})
        >>> _ = game.play(ClaimRoute(0, "marseille-zurich-purple", {"purple": 2}))
        >>> game.view(None).cars
        (0, 45)
        """
        return cars

    @hookspec
    def claim_points(self, state: State, seat: int, route: Route, points: Mapping[int, int]) -> Mapping[int, int]:
        """The points for a claim, by seat.

        Called for each claim of a free route, before it is counted, and for the menu of a seat, which shows what a
        claim would score it. `points` is the answer of the plugins below, at first {seat: points of the route}. The
        answers are points for routes, so a table to score must state them (`route_points`). A position may state them. Without
        them it counts the printed points.

        >>> class Partners(Variant, name="partners"):
        ...     @hookimpl
        ...     def claim_points(self, state, seat, route, points):
        ...         return {**points, (seat + 1) % state.players: 1}
        >>> players = [{"name": "Ada", "hand": {"white": 3}}, {"name": "Bo"}]
        >>> game = arrange(compile_rules("europe", Partners), {"seed": 1, "players": players})
        >>> _ = game.play(ClaimRoute(0, "frankfurt-paris-white", {"white": 3}))
        >>> game.view(None).route_points
        (4, 1)
        """
        return points

    @hookspec
    def menu_points(self, state: State, seat: int, route: Route, points: int) -> int:
        """The points that menus show a seat for a claim, with those that it scores in other ways.

        Called for the menu of a seat, which alone sees the answer. `points` is the answer of the plugins below, at first
        what the claim scores its seat for the route (`claim_points`). Nothing is scored by it: let `on_claim` do that
        (`tx.score`), or a term with `running=True`, which tables count by themselves. It may depend on public information and
        on what the seat itself knows.

        >>> class Ferries(Variant, name="ferries"):
        ...     @hookimpl
        ...     def menu_points(self, state, seat, route, points):
        ...         return points + route.ferry_locomotives
        ...     @hookimpl
        ...     def scoring(self, rules):
        ...         return (ScoringTerm("ferries", self.score, running=True),)
        ...     def score(self, state, seat):
        ...         return Score(sum(state.rules.board.routes[id].ferry_locomotives for id in state.routes(seat)))
        >>> rules = compile_rules("europe", Ferries)
        >>> table = {"players": [{"routes": [["Palermo", "Smyrna"]]}, {}]}
        >>> score(rules, table).players[0].terms["ferries"].points
        2
        """
        return points

    @hookspec
    def ticket_points(self, state: State, seat: int, ticket: Ticket, points: int) -> int:
        """The points of a ticket for a seat at the end, in place of `points`, which are below 0 if it is not completed.

        Called for each value of each ticket and for its penalty, wherever the tickets of a seat are counted.

        >>> class NoPenalty(Variant, name="no-penalty"):
        ...     @hookimpl
        ...     def ticket_points(self, state, seat, ticket, points):
        ...         return max(points, 0)
        >>> table = {"players": [{"name": "Ada", "tickets": [["Paris", "Wien"]]}, {"name": "Bo"}]}
        >>> score(compile_rules("europe", NoPenalty), table).players[0].ticket_points
        0
        """
        return points

    @hookspec
    def path_length(self, state: State, seat: int, route: Route, length: int) -> int | None:
        """The length of a route in the longest path of a seat that holds it.

        Called for each route of a seat when the game is scored. `length` is the answer of the plugins below, at first
        the spaces of the route. The bonus, tie-breaks and the sheet follow the result. With a length of 0 a path may still
        pass the route, with None it may not. The cost of a route, its cars and its points stay as they are.

        >>> class PlainFerries(Variant, name="plain-ferries"):
        ...     @hookimpl
        ...     def path_length(self, state, seat, route, length):
        ...         return 1 if route.ferry_locomotives else length
        >>> table = {"players": [{"routes": [["Palermo", "Smyrna"]]}, {"routes": [["Paris", "Zürich"]]}]}
        >>> [player.path_length for player in score(compile_rules("europe", PlainFerries), table).players]
        [1, 3]
        """
        return length

    @hookspec
    def card_refusal(self, state: State, seat: int) -> Refusal | None:
        """A refusal if this seat may take no more train cards now, or None if it may.

        Called before each card that a seat would draw or take, also in actions of other plugins (`CardDraw`), so
        a seat that draws several cards gets as many as it may take. If it may take none, `economy.can_draw` is false,
        `TrainCards.draw` returns None, and a player who can do nothing else passes (R4). It is not called for cards dealt
        at set-up. It may depend on public information and on what the seat itself knows.

        >>> from ttr_rules import cards
        >>> class EightCards(Variant, name="eight-cards"):
        ...     @hookimpl
        ...     def card_refusal(self, state, seat):
        ...         return Refusal("eight-1", "eight cards are enough") if cards(state).hands[seat].total >= 8 else None
        >>> game = arrange(compile_rules("europe", EightCards), {"seed": 1, "players": [{"hand": {"red": 7}}, {}]})
        >>> _ = game.play(DrawBlind(0))     # one card, and the draw is over
        >>> game.to_act, game.refusal(DrawBlind(1))
        ((1,), None)
        """
        return None

    @hookspec
    def cards_drawn(self, state: State, seat: int, count: int) -> int:
        """The number of cards of the draw that a seat begins now.

        Called for each draw from a pile or the row, before its first card is taken. `count` is `DrawCounts.cards`, or
        the answer of the plugins below; the answer is at least 1. A face-up locomotive still counts as
        `DrawCounts.wild_cards`, and an empty pile ends the draw. A map's own actions, such as drawing three cards in the
        United Kingdom, have numbers of their own. Everybody sees the number, so it may depend on public information only.
        An action of a plugin that counts as a card calls `ttr_rules.actions.cards_drawn`.

        >>> from ttr_rules import cards
        >>> class FillUp(Variant, name="fill-up"):
        ...     @hookimpl
        ...     def cards_drawn(self, state, seat, count):
        ...         return 3 if cards(state).hands[seat].total < 5 else count
        >>> game = arrange(compile_rules("europe", FillUp), {"seed": 1, "players": [{"hand": {"red": 4}}, {}]})
        >>> _ = game.play(DrawBlind(0))
        >>> game.decision(0).left
        2
        """
        return count

    @hookspec
    def may_stop_drawing(self, state: State, seat: int) -> bool:
        """True if a seat may stop before it has drawn all cards of its draw. One plugin that answers True is enough.

        Called before each card but the first. The seat stops with `Pass`, which ends the turn as the last card would, and is not
        passing (R4). For whole games use the ruling `second_card_optional`. It may depend on public information and on
        what the seat itself knows.

        >>> class Siesta(Variant, name="siesta"):
        ...     @hookimpl
        ...     def may_stop_drawing(self, state, seat):
        ...         return state.round % 3 == 0
        >>> game = arrange(compile_rules("europe", Siesta), {"seed": 1, "round": 3, "players": [{}, {}]})
        >>> _ = game.play(DrawBlind(0))
        >>> _ = game.play(Pass(0))
        >>> game.to_act
        (1,)
        """
        return False

    @hookspec
    def tickets_drawn(self, state: State, seat: int, count: int) -> int:
        """The number of tickets that a seat draws now.

        `count` is `DrawCounts.drawn`, with dice the number that the seat spends, or the answer of the plugins below. At most
        twice the usual number can be drawn, or six. It may depend on public information only. An action of a plugin that draws tickets calls
        `ttr_rules.actions.tickets_drawn`.

        >>> class Explorers(Variant, name="explorers"):
        ...     @hookimpl
        ...     def tickets_drawn(self, state, seat, count):
        ...         return count if state.tickets[seat] else count + 1
        >>> game = arrange(compile_rules("europe", Explorers), {"seed": 1, "players": [{"name": "Ada"}, {"name": "Bo"}]})
        >>> _ = game.play(DrawTickets(0))
        >>> len(game.decision(0).tickets)
        4
        """
        return count

    @hookspec
    def tickets_kept(self, state: State, seat: int, keep: int) -> int:
        """The fewest tickets that a seat must keep of those on offer, at set-up and in play.

        More than are offered means all. `keep` is the number of the stage of `setup` or of `draw_counts`, or the answer
        of plugins below. Called while the seat chooses, so it may depend on what this seat sees and nothing else. A
        `KeepRule` that does not derive from `KeepAtLeast`, or has a `refusal` of its own, has no such number: the hook
        is not called.

        >>> class Cautious(Variant, name="cautious"):
        ...     @hookimpl
        ...     def tickets_kept(self, state, seat, keep):
        ...         return 0 if state.cars[seat] < 10 else keep
        >>> game = arrange(compile_rules("europe", Cautious), {"seed": 1, "players": [{"cars": 9}, {}]})
        >>> _ = game.play(DrawTickets(0))
        >>> game.is_legal(KeepTickets(0, ()))
        True
        """
        return keep

    @hookspec
    def tickets_put_back(self, tx: Transaction, seat: int, tickets: tuple[str, ...]) -> Sequence[str]:
        """The tickets that go back, among those that a seat has drawn in play and does not keep (K2).

        `tickets` are all of them, or those that plugins below leave. A plugin that leaves some out has put them elsewhere: by an
        event, into a hand or into a field with `pool="tickets"`. To ask about them, return the question from
        `Around(KeepTickets, after=…)`. `ttr_rules.actions.put_back_tickets` puts them back later.

        >>> from ttr_rules import Event
        >>> class GivenOn(Event):
        ...     seat: int
        ...     tickets: tuple[str, ...] = secret()
        ...     def apply(self, state):
        ...         for ticket in self.tickets:
        ...             state.give_ticket(self.seat, ticket)
        >>> class Neighbors(Variant, name="neighbors"):
        ...     @hookimpl
        ...     def tickets_put_back(self, tx, seat, tickets):
        ...         tx.emit(GivenOn, (seat + 1) % tx.state.players, tickets[:1])
        ...         return tickets[1:]
        >>> game = arrange(compile_rules("europe", Neighbors), {"seed": 1, "players": [{}, {}]})
        >>> _ = game.play(DrawTickets(0))
        >>> drawn = game.decision(0).tickets
        >>> _ = game.play(KeepTickets(0, drawn[:1]))
        >>> game.state.tickets == [drawn[:1], drawn[1:2]], game.state.ticket_pile[-1] == drawn[2]
        (True, True)
        """
        return tickets

    @hookspec
    def may_pass(self, state: State, seat: int) -> bool:
        """True if a seat may pass its turn although it could act. One plugin that answers True is enough.

        Such a pass does not count toward the end of a deadlocked game, unless the seat could only have paid for something
        with cards, since whether it holds them is secret. A player who can do nothing passes in any case (R4), and that
        pass counts. For a decision of your own see `Decision.passing`.

        >>> class Patience(Variant, name="patience"):
        ...     @hookimpl
        ...     def may_pass(self, state, seat):
        ...         return state.round == 1
        >>> game = arrange(compile_rules("europe", Patience), {"seed": 1, "players": [{}, {}]})
        >>> _ = game.play(Pass(0))
        >>> game.to_act, game.state.passes
        ((1,), 0)
        """
        return False

    @hookspec
    def goes_on(self, state: State) -> bool:
        """True if the game goes on although everybody had to pass (R4), because somebody may be able to act later.

        One plugin that answers True is enough. Otherwise such a round of passes ends the game. It is asked after as many
        passes in a row as there are players, and after each further pass. With a plugin's `next_seat`, where a seat may have
        two turns before another has one, it is first asked after twice as many passes less one. It must become False
        once nobody will ever be able to act: a hundred such rounds in a row are an error.

        >>> class Holidays(Variant, name="holidays"):
        ...     @hookimpl
        ...     def around(self, rules):
        ...         return (Around(DrawTickets, refuse=self.closed),)
        ...     def closed(self, state, action):
        ...         return Refusal("holidays-1", "no tickets in round 5") if state.round == 5 else None
        ...     @hookimpl
        ...     def goes_on(self, state):
        ...         return state.round == 5
        >>> nothing = {"draw_pile": [], "draw_pile_complete": True, "face_up": [], "players": [{}, {}]}
        >>> game = arrange(compile_rules("europe", Holidays), {"seed": 1, "round": 5, **nothing})
        >>> _ = game.play(Pass(0))
        >>> _ = game.play(Pass(1))
        >>> game.is_legal(DrawTickets(0))
        True
        """
        return False

    @hookspec
    def acts_again(self, state: State, seat: int) -> bool | Decision:
        """True if the seat acts again in the same turn. One plugin that answers True is enough.

        To let the seat decide, return a question. After the answer all plugins are asked anew, so remember that it was
        asked.

        The hook is called when a turn would end, after an action and everything that follows it, before `on_turn_end`.
        `state.actions_taken` are those after which the turn has gone on. An abandoned tunnel counts as an action, a free one does not. The turn ends with a pass in any case, by choice (`may_pass`) or because nothing else is
        left to do, and with a cancelled action (`Transaction.cancel_action`). A pass counts toward a deadlock (R4) only if
        nothing else was done in the turn.

        >>> class TwoActions(Variant, name="two-actions"):
        ...     @hookimpl
        ...     def acts_again(self, state, seat):
        ...         return state.actions_taken < 1     # the one that has just been taken does not count yet
        >>> players = [{"hand": {"white": 3, "red": 3}}, {}]
        >>> game = arrange(compile_rules("europe", TwoActions), {"seed": 1, "players": players})
        >>> _ = game.play(ClaimRoute(0, "frankfurt-paris-white", {"white": 3}))
        >>> game.to_act, game.state.turn_number
        ((0,), 1)
        """
        return False

    @hookspec
    def next_seat(self, state: State, seat: int, following: int) -> int:
        """The seat that takes the turn after `seat`. `following` is the answer of the plugins below.

        Called when a turn has ended, after any turns granted in it. Without other plugins, `following` is the seat to the
        left (S5). It may depend on public information only. A round has as many turns as there are seats, whoever has
        them: see `State.ends_round`.

        >>> class BackAndForth(Variant, name="back-and-forth"):
        ...     @hookimpl
        ...     def next_seat(self, state, seat, following):
        ...         if state.ends_round:
        ...             return seat
        ...         return following if state.round % 2 else (seat - 1) % state.players
        >>> game = new_game("europe", BackAndForth, players=3, seed=1, first_seat=0)
        >>> for seat in range(3):
        ...     _ = game.play(game.legal_actions(seat)[0])
        >>> turns = []
        >>> while game.state.round < 4:
        ...     turns += game.to_act
        ...     _ = [game.play(DrawBlind(game.to_act[0])) for card in range(2)]
        >>> turns
        [0, 1, 2, 2, 1, 0, 0, 1, 2]
        """
        return following

    @hookspec
    def ticket_routes(self, state: State, seat: int) -> Iterable[str]:
        """The ids of routes of others, or of nobody, that a seat may use for its tickets, and for nothing else.

        The seat does not hold them: they count neither for its longest path nor for the other half of a double route (C5).
        For one of several routes at a city see `loans`, for a route that is held by several players `RouteShared`. It may
        depend on public information only. For bots, add the hint `TicketRoutes`.

        >>> class Alliance(Variant, name="alliance"):
        ...     @hookimpl
        ...     def ticket_routes(self, state, seat):
        ...         return state.routes(1 - seat)
        >>> table = {"players": [{"routes": ["Paris-Dieppe"], "tickets": ["Brest-Marseille"]}, {"routes": ["Brest-Dieppe", "Paris-Marseille"]}]}
        >>> sheet = score(compile_rules("europe", Alliance), table).players[0]
        >>> sheet.ticket_points, sheet.path_length
        (7, 1)
        """
        return ()

    @hookspec
    def never_hidden(self, state: State, seat: int) -> Iterable[str]:
        """The ids of tickets that a seat cannot hold in secret now, such as those that it would have had to show.

        Sampled worlds then deal these tickets to others, as anybody can conclude. The rules do not change: the plugin
        itself shows tickets with `tx.reveal_ticket`. It may depend on public information only. It is not called while a
        question waits for its answer in the middle of an action, because the ticket may still be shown.

        >>> from ttr_rules.scores import completed
        >>> class Showing(Variant, name="showing"):
        ...     @hookimpl
        ...     def on_claim(self, tx, seat, route, points):
        ...         for ticket in completed(tx.state, seat):
        ...             tx.reveal_ticket(seat, ticket)
        ...     @hookimpl
        ...     def never_hidden(self, state, seat):
        ...         return completed(state, seat, state.rules.tickets)
        >>> players = [{"routes": ["Brest–Paris", "Paris–Marseille"], "tickets": ["Paris–Wien"]}, {}]
        >>> game = arrange(compile_rules("europe", Showing), {"seed": 1, "players": players})
        >>> worlds = [determinize(game.view(1), game.rules, seed) for seed in range(200)]
        >>> any("brest-marseille" in world.state.tickets[0] for world in worlds)
        False
        """
        return ()

    @hookspec
    def loans(self, state: State, seat: int) -> Iterable[Loan]:
        """Loans: at a city, a seat may use one of several routes of others for its tickets.

        Called when a game is over. The best choice among the possible loans is found automatically.

        >>> class Guests(Variant, name="guests"):
        ...     @hookimpl
        ...     def loans(self, state, seat):
        ...         others = state.routes_of_others(seat, "paris")
        ...         return (Loan("paris", tuple(others)),) if others else ()
        >>> table = {"players": [{"name": "Ada", "routes": [["Paris", "Zürich"]]}, {"name": "Bo"}]}
        >>> dict(score(compile_rules("europe", Guests), table).players[1].lends)
        {'paris': 'paris-zurich-gray'}
        """
        return ()

    # -- in play: what happens ---------------------------------------------------------------------------------------

    @hookspec
    def on_deal(self, tx: Transaction) -> Question | None:
        """After the economy has dealt, before the first tickets: deal the items that the plugin's parts need.

        A returned question is asked before the first tickets are dealt. The hook is not called for a position
        (`arrange`). Use `Part.set_up` for parts that need items there, too.

        >>> class Lottery(Variant, name="lottery"):
        ...     @hookimpl
        ...     def on_deal(self, tx):
        ...         tx.score(tx.shuffled(range(tx.state.players))[0], 5, "lottery")
        ...     @hookimpl
        ...     def scoring(self, rules):
        ...         return (points_in_play("lottery", "Lottery"),)
        >>> sorted(new_game("europe", Lottery, players=3, seed=1).view(None).scores)
        [0, 0, 5]
        """
        return ()

    @hookspec
    def on_game_start(self, tx: Transaction) -> Question | None:
        """After the first tickets have been kept, before the first round. A returned question is asked.

        The decisions in a list are asked together and answered in any order. `tx.in_turn` asks one seat after the
        other. `tx.first_seat` lets a seat begin. This hook is not called for a position (`arrange`).

        >>> class LateStart(Variant, name="late-start"):
        ...     @hookimpl
        ...     def on_game_start(self, tx):
        ...         for seat in range(tx.state.players):
        ...             tx.score(seat, (seat - tx.state.turn) % tx.state.players, "late_start")
        ...     @hookimpl
        ...     def scoring(self, rules):
        ...         return (points_in_play("late_start", "Late start"),)
        >>> game = new_game("europe", LateStart, players=3, seed=1, first_seat=1)
        >>> for seat in range(3):
        ...     _ = game.play(game.legal_actions(seat)[0])
        >>> game.view(None).scores
        (2, 0, 1)
        """
        return ()

    @hookspec
    def on_round_start(self, tx: Transaction, number: int) -> Question | None:
        """Before the first turn of each round, and before `next_seat` is asked who takes it. A returned question is asked.

        Rounds are numbered from 1. `tx.state.turn` is still the seat of the turn before. In round 1 it is the seat that
        will begin, which `tx.first_seat` may change. This hook is not called for the round in which a position
        (`arrange`) begins.

        >>> class Tailwind(Variant, name="tailwind"):
        ...     @hookimpl
        ...     def on_round_start(self, tx, number):
        ...         tx.score(number % tx.state.players, 1, "tailwind")
        ...     @hookimpl
        ...     def scoring(self, rules):
        ...         return (points_in_play("tailwind", "Tailwind"),)
        >>> game = new_game("europe", Tailwind, players=2, seed=1)
        >>> for seat in (0, 1):
        ...     _ = game.play(game.legal_actions(seat)[0])
        >>> game.view(None).scores
        (0, 1)
        >>> while game.state.round < 2:
        ...     _ = game.play(DrawBlind(game.to_act[0]))
        >>> game.view(None).scores
        (1, 1)
        """
        return ()

    @hookspec
    def on_turn_start(self, tx: Transaction, seat: int) -> Question | None:
        """Before the action of every turn, even a granted one, and before the economy opens it. A returned question is asked.

        >>> class Tailwind(Variant, name="tailwind"):
        ...     @hookimpl
        ...     def on_turn_start(self, tx, seat):
        ...         if tx.state.scores.count(min(tx.state.scores)) == 1 and tx.state.scores[seat] == min(tx.state.scores):
        ...             tx.score(seat, 1, "tailwind")
        ...     @hookimpl
        ...     def scoring(self, rules):
        ...         return (points_in_play("tailwind", "Tailwind"),)
        >>> game = arrange(compile_rules("europe", Tailwind), {"seed": 1, "players": [{"hand": {"white": 3}}, {}]})
        >>> _ = game.play(ClaimRoute(0, "frankfurt-paris-white", {"white": 3}))
        >>> game.view(None).scores
        (4, 1)
        """
        return ()

    @hookspec
    def on_claim(self, tx: Transaction, seat: int, route: Route, points: int) -> Question | None:
        """After each claim, when it is paid and its cars and points are counted. A returned question is asked.

        `points` are those that the claim scored this seat, after all changes by `claim_points`. For the payment, use
        `Around(ClaimRoute, …)` and `Around(PayTunnel, …)`, as the page on claims shows.

        >>> class Crossing(Variant, name="crossing"):
        ...     @hookimpl
        ...     def on_claim(self, tx, seat, route, points):
        ...         if route.ferry_locomotives and tx.state.cars[seat]:
        ...             tx.use_cars(seat, 1)
        >>> players = [{"hand": {"locomotive": 2}}, {}]
        >>> game = arrange(compile_rules("europe", Crossing), {"seed": 1, "players": players})
        >>> _ = game.play(ClaimRoute(0, "dieppe-london-gray-1", {"locomotive": 2}))
        >>> game.view(None).cars
        (42, 45)
        """
        return ()

    @hookspec
    def on_route_freed(self, tx: Transaction, seat: int, route: Route) -> None:
        """Called after `Transaction.free_route` has taken a route from its owner `seat`: emit events.

        >>> class Rebuilt(Variant, name="rebuilt"):
        ...     @hookimpl
        ...     def scoring(self, rules):
        ...         return [points_in_play("rebuilt")]
        ...     @hookimpl
        ...     def on_route_freed(self, tx, seat, route):
        ...         tx.score(seat, 1, "rebuilt")
        >>> players = [{"name": "Ada", "routes": [["Paris", "Zürich"]]}, {"name": "Bo"}]
        >>> tx = Transaction(arrange(compile_rules("europe", Rebuilt), {"seed": 1, "players": players}).state, [])
        >>> tx.free_route("paris-zurich-gray")
        >>> tx.log[-1]
        PointsScored(seat=0, term='rebuilt', points=1)
        """

    @hookspec
    def on_turn_end(self, tx: Transaction, seat: int) -> Question | None:
        """After the action of a turn and its follow-ups, or after a pass. A returned question is asked.

        >>> class LeapDay(Variant, name="leap-day"):
        ...     @hookimpl
        ...     def on_turn_end(self, tx, seat):
        ...         if tx.state.turn_number == 1:
        ...             tx.grant_turn(seat)
        >>> game = arrange(compile_rules("europe", LeapDay), {"seed": 1, "players": [{}, {}]})
        >>> _ = game.play(DrawBlind(0))
        >>> _ = game.play(DrawBlind(0))
        >>> game.to_act
        (0,)
        """
        return ()

    @hookspec
    def on_pile_rebuilt(self, tx: Transaction, deck: str) -> None:
        """When the draw pile of a deck of train cards has been rebuilt from its discards.

        `deck` is its name, "train" for the only one. This may be in the middle of an action, such as between two cards that are
        turned up for a tunnel, or a payment before its route is claimed, so it cannot ask anything and should move no train
        cards: keep what must wait in a part until `on_turn_end`. The shuffle at set-up does not count.

        >>> class Landslides(Variant, name="landslides"):
        ...     @hookimpl
        ...     def on_pile_rebuilt(self, tx, deck):
        ...         tx.score(tx.state.turn, -1, "landslides")
        ...     @hookimpl
        ...     def scoring(self, rules):
        ...         return (points_in_play("landslides", "Landslides"),)
        >>> pile = {"draw_pile": ["red", "blue"], "draw_pile_complete": True, "discards": ["green", "white"]}
        >>> game = arrange(compile_rules("europe", Landslides), {"seed": 1, "players": [{}, {}], "face_up": ["red"] * 5, **pile})
        >>> _ = game.play(DrawBlind(0)), game.play(DrawBlind(0))
        >>> game.state.points["landslides"]
        [-1, 0]
        """

    @hookspec
    def on_row_changed(self, tx: Transaction, seat: int | None, places: Sequence[int]) -> None:
        """After face-up train cards have left their places in the row, numbered from 0.

        `seat` took one, or is None if nobody did. The places hold other cards by then. If none was left for the place of a
        card, the row is shorter, and the cards to the right have moved up. Of several equal cards, the one furthest
        left is taken. A row that grows again is not reported, and nothing is before the first turn. The hook cannot
        ask anything. It may lay the row in another order (`TrainCards.reorder_row`), of which no other plugin is told, but
        must not change its cards.

        >>> class Passed(Part):
        ...     over: list[int] = public(default=[0, 0, 0, 0, 0])  # by place: how often the card was passed over
        >>> class Fresh(Event):
        ...     places: tuple[int, ...]
        ...     def apply(self, state):
        ...         part = state.part(Passed)
        ...         part.over = [0 if place in self.places else over + 1 for place, over in enumerate(part.over)]
        >>> class PassedOver(Variant, name="passed-over"):
        ...     @hookimpl
        ...     def parts(self, rules):
        ...         return (Passed,)
        ...     @hookimpl
        ...     def on_row_changed(self, tx, seat, places):
        ...         tx.emit(Fresh, tuple(places))
        >>> row = ["red", "blue", "red", "white", "black"]
        >>> game = arrange(compile_rules("europe", PassedOver), {"seed": 1, "face_up": row, "players": [{}, {}]})
        >>> _ = game.play(DrawFaceUp(0, "blue"))
        >>> game.state.part(Passed).over
        [1, 0, 1, 1, 1]
        """

    @hookspec
    def on_last_round(self, tx: Transaction) -> None:
        """When the last round begins: by E1, in the last of a fixed number of rounds, or by a plugin (`tx.begin_last_round`).

        `tx.state.turn` is the seat whose turn it is, and `tx.state.turns_left` the turns that are left, with the
        current one if it has not ended. It cannot ask anything. Ask in the next `on_turn_start`, whose
        `turn_number` is `last_round_turn + 1`. The hook is not called for a position that begins in the last round, whose
        first turn has that number, too.

        >>> class Sprint(Variant, name="sprint"):
        ...     @hookimpl
        ...     def on_last_round(self, tx):
        ...         tx.score(tx.state.turn, 10, "sprint")
        ...     @hookimpl
        ...     def scoring(self, rules):
        ...         return (points_in_play("sprint", "First to run out"),)
        >>> players = [{"cars": 4, "hand": {"white": 3}}, {}]
        >>> game = arrange(compile_rules("europe", Sprint), {"seed": 1, "players": players})
        >>> _ = game.play(ClaimRoute(0, "frankfurt-paris-white", {"white": 3}))
        >>> game.state.points["sprint"]
        [10, 0]
        """

    @hookspec
    def on_game_end(self, tx: Transaction) -> Question | None:
        """After the last turn, when the tickets are revealed, before scoring. A returned question is asked.

        >>> class Depot(Variant, name="depot"):
        ...     @hookimpl
        ...     def on_game_end(self, tx):
        ...         for seat, cars in enumerate(tx.state.cars):
        ...             tx.score(seat, -(cars // 5), "depot")
        ...     @hookimpl
        ...     def scoring(self, rules):
        ...         return (points_in_play("depot", "Cars left"),)
        >>> [player.terms["depot"].points for player in playout(compile_rules("europe", Depot), players=2, seed=1).players]
        [0, 0]
        """
        return ()

    # -- in play: for readers ----------------------------------------------------------------------------------------

    @hookspec
    def map_marks(self, rules: Rules, view: View | None) -> Iterable[MapMark]:
        """Marks on pictures of the board: notes at cities and routes, colors of routes, and the pieces of players.

        Called whenever a board or a position is drawn. `view` is None for the board as printed. See `legend`.

        >>> class Sights(Variant, name="sights"):
        ...     legend = "A star marks a sight."
        ...     @hookimpl
        ...     def map_marks(self, rules, view):
        ...         return (CityNote("paris", "*", "A sight"),)
        >>> "map_marks: europe + sights" in compile_rules("europe", Sights).explain()
        True
        """
        return ()

    @hookspec
    def route_values(self, rules: Rules, view: View) -> Mapping[str, float]:
        """For bots: the value of routes to the seat of the view besides their points and tickets, in points, by id.

        It is 0 for routes that are left out.

        >>> class Scenic(Variant, name="scenic"):
        ...     @hookimpl
        ...     def route_values(self, rules, view):
        ...         return {route.id: 2 for route in rules.board.routes.values() if route.tunnel}
        >>> "route_values: scenic" in compile_rules("europe", Scenic).explain()
        True
        """
        return {}


_MANAGER = pluggy.PluginManager(PROJECT)
#: The options of each hook, by its name.
_MARKS: Mapping[str, pluggy.HookspecOpts] = {
    name: marks for name in vars(Variant) if (marks := _MANAGER.parse_hookspec_opts(Variant, name))
}
#: All hooks, and those with one answer.
HOOKS: tuple[str, ...] = tuple(_MARKS)
VALUES: tuple[str, ...] = tuple([name for name, marks in _MARKS.items() if marks["firstresult"]])

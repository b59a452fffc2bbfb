"""Mistakes that authors of plugins make, each a plugin of its own: what finds it, and what the compiler says.

`checkers` are the type checkers that find a line marked `# mistake`; `compiler` has words of the message that compiling
the plugin with a map gives, if it gives one. The first 25 were planted when hooks became methods.
"""

from __future__ import annotations

from textwrap import dedent, indent

from attrs import frozen

HEAD = """
from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, Literal

from attrs import define, evolve, frozen

from ttr_rules import *
from ttr_rules.events import Unknown
from ttr_rules.hints import *
from ttr_rules.model import Components, Cost
from ttr_rules.plugins import *


class Toll(Part):
    paid: dict[str, int] = public()


class TollDue(Decision):
    public = True
    toll: int


class PayToll(Action):
    message = "Pay"


class TakeLoan(Action):
    message = "Take a loan"


class TollPaid(Event):
    message = "{seat} pays {toll}"
    seat: int
    toll: int

    def apply(self, state: State) -> None:
        state.part(Toll).paid[str(self.seat)] = self.toll


"""
RULE = '''
class PayTollRule(ActionRule[TollDue, PayToll]):
    on = TollDue
    action = PayToll

    def offers(self, state: State, decision: TollDue) -> Sequence[PayToll]:
        return [PayToll(decision.seat)]

    def perform(self, tx: Transaction, decision: TollDue, action: PayToll) -> None:
        tx.emit(TollPaid, action.seat, 3)


class Mistake(Variant, name="mistake"):
    """Mistake: a mistake."""

    @hookimpl
    def actions(self, rules: Rules) -> Iterable[ActionRule[Any, Any]]:
        return (PayTollRule(),)
'''
BOTH = ("mypy", "pyright")


@frozen
class Mistake:
    """One mistake: the program, the checkers that find it, and words of the compiler's message."""

    program: str
    checkers: tuple[str, ...] = BOTH
    compiler: str = ""


MISTAKES: dict[str, Mistake] = {}


def variant(title: str, body: str, checkers: tuple[str, ...] = BOTH, compiler: str = "", above: str = "") -> None:
    """A mistake in a method of a variant."""
    program = f'{dedent(above).strip()}\n\n\nclass Mistake(Variant, name="mistake"):\n    """Mistake: a mistake."""\n\n'
    MISTAKES[title] = Mistake(HEAD + program + indent(dedent(body).strip(), "    ") + "\n", checkers, compiler)


def rule(title: str, old: str, new: str, checkers: tuple[str, ...] = BOTH, compiler: str = "") -> None:
    """A mistake in a rule, in place of a line."""
    assert old in RULE, old
    MISTAKES[title] = Mistake(HEAD + RULE.replace(old, new), checkers, compiler)


def whole(title: str, program: str, checkers: tuple[str, ...] = BOTH, compiler: str = "") -> None:
    """A mistake in the class of a variant itself."""
    MISTAKES[title] = Mistake(HEAD + dedent(program), checkers, compiler)


# -- planted when hooks became methods -------------------------------------------------------------------------------

variant(
    "a hook that does not exist",
    """
    @hookimpl
    def draw_count(self, below: Below[DrawCounts], board: Board) -> DrawCounts:  # mistake
        return DrawCounts(drawn=2)
""",
    compiler="plugin 'mistake' has no hook 'draw_count'; did you mean 'draw_counts'? If not, leave out @hookimpl",
)
variant(
    "an argument with another name",
    """
    @hookimpl
    def route_points(self, below: Below[Mapping[str, int]], map: Board) -> Mapping[str, int]:  # mistake
        return {id: 1 for id in map.routes}
""",
    ("pyright",),
    "takes (self, below, board)",
)
variant(
    "arguments in another order",
    """
    @hookimpl
    def on_claim(self, seat: int, tx: Transaction, route: Route, points: int) -> None:  # mistake
        tx.score(seat, 1, "toll")
""",
    compiler="takes (self, tx, seat, route, points)",
)
variant(
    "an argument left out",
    """
    @hookimpl
    def claim_refusal(self, state: State, route: Route) -> Refusal | None:  # mistake
        return Refusal("toll", "closed") if route.length > 5 else None
""",
    compiler="takes (self, state, seat, route)",
)
variant(
    "another value",
    """
    @hookimpl
    def draw_counts(self, below: Below[DrawCounts], board: Board) -> Components:  # mistake
        return Components(cars=4)
""",
    compiler="hook 'draw_counts' of plugin 'mistake' must give a DrawCounts, not Components(",
)
variant(
    "a condition that gives a truth value",
    """
    @hookimpl
    def claim_refusal(self, state: State, seat: int, route: Route) -> bool:  # mistake
        return route.length > 5
""",
)
variant(
    "no return on one way through a hook",
    """
    @hookimpl
    def on_claim(self, tx: Transaction, seat: int, route: Route, points: int) -> Question:  # mistake
        if route.length > 2:
            return TollDue(seat, route.length)
""",
)
variant(
    "an action asked as a question",
    """
    @hookimpl
    def on_claim(self, tx: Transaction, seat: int, route: Route, points: int) -> Question:
        return PayToll(seat)  # mistake
""",
)
rule(
    "a rule that offers for another decision",
    "decision: TollDue) -> Sequence[PayToll]:",
    "decision: Turn) -> Sequence[PayToll]:  # mistake",
)
rule("a rule that performs another action", "action: PayToll) -> None:", "action: TakeLoan) -> None:  # mistake")
rule(
    "a rule that names another action",
    "    action = PayToll\n",
    "    action = TakeLoan  # mistake\n",
    (),
    "PayTollRule of plugin 'mistake' names TakeLoan, but says PayToll in brackets: write ActionRule[TollDue, TakeLoan]",
)
variant(
    "an effect that takes a field for another type",
    """
    @hookimpl
    def on_claim(self, tx: Transaction, seat: int, route: Route, points: int) -> None:
        tx.emit(TollGiven, seat, "3")
""",
    (),
    "takes toll as int, but the field is a str",
    above="""
class Purse(Part):
    paid: dict[int, int] = public()

    def pay(self, seat: int, toll: int) -> None:
        self.paid[seat] = toll


class TollGiven(Event):
    seat: int
    toll: str

    effect = Purse.pay
""",
)
rule(
    "an event emitted without a field", "tx.emit(TollPaid, action.seat, 3)", "tx.emit(TollPaid, action.seat)  # mistake"
)
variant(
    "the mark of a hook forgotten",
    """
    def draw_counts(self, below: Below[DrawCounts], board: Board) -> DrawCounts:
        return DrawCounts(drawn=2)
""",
    (),
    "mark it @hookimpl",
)
TOLLS = """
    @hookimpl
    def parts(self, rules: Rules) -> Iterable[type[Part]]:
        return (Tolls,)
"""
variant(
    "a field that says nobody who sees it",
    TOLLS,
    (),
    "write paid = public()",
    """
class Tolls(Part):
    paid: int = 0
""",
)
variant(
    "a start that all games would share, written plainly",
    TOLLS,
    (),
    "Tolls.paid does not say who sees it: write paid = public(), by_seat() or hidden()",
    """
class Tolls(Part):
    paid: dict[str, int] = {}
""",
)
variant(
    "a start of another type",
    TOLLS,
    above="""
class Tolls(Part):
    paid: dict[str, int] = public(default=3)  # mistake
""",
)
variant(
    "a field of a part misspelt",
    """
    @hookimpl
    def on_claim(self, tx: Transaction, seat: int, route: Route, points: int) -> None:
        tx.emit(TollGiven, seat)
""",
    above="""
class TollGiven(Event):
    seat: int

    def apply(self, state: State) -> None:
        state.part(Toll).payd[str(self.seat)] = 3  # mistake
""",
)
variant(
    "a draw count that is no number",
    """
    @hookimpl
    def draw_counts(self, below: Below[DrawCounts], board: Board) -> DrawCounts:
        return DrawCounts(drawn="4")  # mistake
""",
    compiler="hook 'draw_counts' of plugin 'mistake': drawn is a whole number of at least 1, not '4': write drawn=4",
)
variant(
    "a draw count that does not exist, in a copy",
    """
    @hookimpl
    def draw_counts(self, below: Below[DrawCounts], board: Board) -> DrawCounts:
        return evolve(below(), kept=2)  # mistake
""",
    ("mypy",),
    "hook 'draw_counts' of plugin 'mistake': DrawCounts has no kept: write keep= or unkept=",
)
variant(
    "a condition on one action with a function about another",
    """
    @hookimpl
    def around(self, rules: Rules) -> Iterable[Around]:
        return (Around(DrawTickets, refuse=closed),)  # mistake
""",
    above="""
def closed(state: State, action: ClaimRoute) -> Refusal | None:
    return Refusal("toll", action.route)
""",
)
variant(
    "an option whose default is none of its values",
    """
    pace: Literal["calm", "brisk"] = option("clam", "brisk", meaning="how fast it goes")  # mistake
""",
    compiler="the option 'pace' of plugin 'mistake' may be 'clam', which its type does not have: write Literal['clam', 'brisk']",
)
whole(
    "a plugin without a name",
    '''
class Mistake(Variant):
    """Mistake: a mistake."""

    @hookimpl
    def draw_counts(self, below: Below[DrawCounts], board: Board) -> DrawCounts:
        return DrawCounts(drawn=2)
''',
    (),
    "Mistake has no name, and is a base for variants: write class Mistake(Variant, name=…)",
)
variant(
    "a scoring line whose function gives a number",
    """
    @hookimpl
    def scoring(self, rules: Rules) -> Iterable[ScoringTerm]:
        return (ScoringTerm("tolls", tolls),)  # mistake
""",
    above="""
def tolls(state: State, seat: int) -> int:
    return state.part(Toll).paid[str(seat)]
""",
)
variant(
    "one thing where several are wanted",
    """
    @hookimpl
    def scoring(self, rules: Rules) -> Iterable[ScoringTerm]:
        return points_in_play("tolls")  # mistake
""",
    compiler="hook 'scoring' of plugin 'mistake' must give several of ScoringTerm, not ScoringTerm(n...rue, label=''): write (…,), a tuple of it",
)

# -- guesses of an outside author ------------------------------------------------------------------------------------

whole(
    "one required plugin as a text",
    '''
class Mistake(Variant, name="mistake", requires="europe"):  # mistake
    """Mistake: a mistake."""
''',
    compiler="write requires=('europe',)",
)
whole(
    "a required plugin that does not exist",
    '''
class Mistake(Variant, name="mistake", requires=("north_america",)):
    """Mistake: a mistake."""
''',
    (),
    "did you mean 'north-america'",
)
whole(
    "a name with a space",
    '''
class Mistake(Variant, name="my mistake"):
    """Mistake: a mistake."""
''',
    (),
    "write name='my-mistake'",
)
variant(
    "an option without its type",
    """
    pace = option("calm", "brisk", meaning="how fast it goes")
""",
    (),
    "write pace: Literal[…] = option(…)",
)
variant(
    "a setting that nobody gives",
    """
    cars: int
""",
    (),
    "plugin 'mistake' needs options: write cars: int = option(…), or give Mistake(cars=…)",
)
variant(
    "a helper marked as a hook",
    """
    @hookimpl
    def toll(self, seat: int) -> int:  # mistake
        return seat
""",
    compiler="plugin 'mistake' has no hook 'toll': leave out @hookimpl",
)
variant(
    "arguments of the mark",
    """
    @hookimpl(tryfirst=True)  # mistake
    def draw_counts(self, below: Below[DrawCounts], board: Board) -> DrawCounts:
        return DrawCounts(drawn=2)
""",
)
variant(
    "below is not called",
    """
    @hookimpl
    def draw_counts(self, below: Below[DrawCounts], board: Board) -> DrawCounts:
        return evolve(below, drawn=4)  # mistake
""",
    compiler="hook 'draw_counts' of plugin 'mistake': below is a function: write below()",
)
variant(
    "self forgotten",
    """
    @hookimpl
    def draw_counts(below: Below[DrawCounts], board: Board) -> DrawCounts:  # mistake
        return evolve(below(), drawn=4)  # mistake
""",
    compiler="takes (self, below, board)",
)
variant(
    "nothing returned",
    """
    @hookimpl
    def draw_counts(self, below: Below[DrawCounts], board: Board) -> DrawCounts:  # mistake
        evolve(below(), drawn=4)
""",
    compiler="hook 'draw_counts' of plugin 'mistake' must give a DrawCounts, not None: write return …",
)
variant(
    "a list where a tuple is wanted",
    """
    @hookimpl
    def bonuses(self, below: Below[tuple[Bonus, ...]], board: Board) -> tuple[Bonus, ...]:
        return [*below()]  # mistake
""",
    compiler="hook 'bonuses' of plugin 'mistake' must give a tuple of Bonus, not [",
)
variant(
    "a rule given as its class",
    """
    @hookimpl
    def actions(self, rules: Rules) -> Iterable[ActionRule[Any, Any]]:
        return (PayTollRule,)  # mistake
""",
    compiler="hook 'actions' of plugin 'mistake' must give several of ActionRule, not the class PayTollRule: write PayTollRule()",
    above=RULE.split("class Mistake")[0],
)
variant(
    "a part given as an object",
    """
    @hookimpl
    def parts(self, rules: Rules) -> Iterable[type[Part]]:
        return (Toll({}),)  # mistake
""",
    compiler="hook 'parts' of plugin 'mistake': it must give classes, not objects: write Toll",
)
variant(
    "a file where a board is wanted",
    """
    @hookimpl
    def board(self, below: Below[Board]) -> Board:
        return "toll.toml"  # mistake
""",
    compiler="hook 'board' of plugin 'mistake' must give a Board, not 'toll.toml': write load_board('toll.toml')",
)
variant(
    "a refusal as a text",
    """
    @hookimpl
    def claim_refusal(self, state: State, seat: int, route: Route) -> str:  # mistake
        return "closed"
""",
)
variant(
    "a cost as a number",
    """
    @hookimpl
    def claim_cost(self, state: State, seat: int, route: Route, cost: Cost) -> Cost:
        return cost.spaces - 1  # mistake
""",
)
variant(
    "arguments of a score in another order",
    """
    @hookimpl
    def on_claim(self, tx: Transaction, seat: int, route: Route, points: int) -> None:
        tx.score("tolls", seat, 2)  # mistake
""",
)
variant(
    "a bonus among the scoring lines",
    """
    @hookimpl
    def scoring(self, rules: Rules) -> Iterable[ScoringTerm]:
        return (Bonus("tolls", 5, lambda state, sheets: []),)  # mistake
""",
    compiler="hook 'scoring' of plugin 'mistake' must give several of ScoringTerm, not Bonus(",
)
variant(
    "the action of a hint as a text",
    """
    @hookimpl
    def hints(self, rules: Rules) -> Iterable[BotHint]:
        return (ActionValue("PayToll", lambda view, action: 3.0),)  # mistake
""",
)
variant(
    "the name of an action around",
    """
    @hookimpl
    def around(self, rules: Rules) -> Iterable[Around]:
        return (Around("DrawTickets"),)  # mistake
""",
    compiler="Around(…) takes types of actions, such as ClaimRoute or Pass, not 'DrawTickets'",
)
variant(
    "a decision in place of an action around",
    """
    @hookimpl
    def around(self, rules: Rules) -> Iterable[Around]:
        return (Around(Turn),)  # mistake
""",
    compiler="Around(…) takes types of actions, such as ClaimRoute or Pass, not Turn",
)
variant(
    "a number of tickets for the rule about those to keep",
    """
    @hookimpl
    def setup(self, below: Below[tuple[Stage, ...]], board: Board) -> tuple[Stage, ...]:
        return tuple(evolve(stage, keep=4) for stage in below())  # mistake
""",
    ("mypy",),
    "stage 1 of the set-up has keep=4: write a rule, such as KeepAtLeast(2)",
)
NAMELESS = "class PayTollRule(ActionRule[Any, Any]):\n"
rule(
    "a rule that names no decision",
    "class PayTollRule(ActionRule[TollDue, PayToll]):\n    on = TollDue\n",
    NAMELESS,
    (),
    "PayTollRule of plugin 'mistake' does not say which decision it answers: write class PayTollRule(ActionRule[TheDecision, TheAction])",
)
rule(
    "a decision as an object",
    "    on = TollDue\n",
    "    on = TollDue(0, 3)  # mistake\n",
    compiler="PayTollRule of plugin 'mistake' does not say which decision it answers: write class PayTollRule(ActionRule[TheDecision, TheAction])",
)
rule(
    "a rule that replaces nothing",
    "    on = TollDue\n",
    "    on = TollDue\n    replaces = True\n",
    (),
    "PayTollRule of plugin 'mistake' has replaces = True, but no other rule answers TollDue with PayToll: leave it out",
)
rule(
    "two rules for one action",
    "return (PayTollRule(),)",
    "return (PayTollRule(), PayTollRule())",
    (),
    "say replaces = True in PayTollRule if it takes the place of the other",
)
variant(
    "an effect with self",
    """
    @hookimpl
    def on_claim(self, tx: Transaction, seat: int, route: Route, points: int) -> None:
        tx.emit(TollGiven, seat)
""",
    ("mypy",),
    "write def apply(self, state)",
    above="""
class TollGiven(Event):
    seat: int

    def effect(self, state: State) -> None:  # mistake
        state.part(Toll).paid[str(self.seat)] = 3
""",
)
variant(
    "a message that names no field",
    """
    @hookimpl
    def on_claim(self, tx: Transaction, seat: int, route: Route, points: int) -> None:
        tx.emit(TollGiven, seat)
""",
    (),
    "the message of mistake.TollGiven names {toll}, which is not a field of it; it has seat",
    """
class TollGiven(Event):
    message = "{seat} pays {toll}"
    seat: int
""",
)
variant(
    "a part with a decorator",
    TOLLS,
    (),
    "leave out @define",
    """
@define(eq=False)
class Tolls(Part):
    paid: dict[str, int] = public()
""",
)
variant(
    "a type that has nothing to begin with",
    TOLLS,
    (),
    "write default=",
    """
class Tolls(Part):
    paid: Board = public()
""",
)
variant(
    "a start of each seat of another type",
    TOLLS,
    above="""
class Tolls(Part):
    paid: list[int] = public(each="3")  # mistake
""",
)
variant(
    "a secret used as if everybody saw it",
    """
    @hookimpl
    def on_claim(self, tx: Transaction, seat: int, route: Route, points: int) -> None:
        tx.emit(TollGiven, seat, 3)
""",
    above="""
class TollGiven(Event):
    seat: int
    toll: int | Unknown = secret("seat")

    def apply(self, state: State) -> None:
        state.part(Toll).paid[str(self.seat)] = self.toll  # mistake
""",
)
variant(
    "an event made with a field of another type",
    """
    @hookimpl
    def on_claim(self, tx: Transaction, seat: int, route: Route, points: int) -> None:
        TollPaid(seat, route)  # mistake
""",
)
variant(
    "a field of a value that changes",
    """
    @hookimpl
    def on_claim(self, tx: Transaction, seat: int, route: Route, points: int) -> None:
        TollPaid(seat, 3).toll = 4  # mistake
""",
)


whole(
    "an entry of every seat declared as a default",
    """
    class Bids(Part):
        made: list[tuple[int, ...]] = by_seat(default=())  # mistake


    class Mistake(Variant, name="mistake"):
        \"\"\"Mistake: a mistake.\"\"\"
    """,
    compiler="by_seat() has no default=: write each=, the entry with which each seat begins",
)
whole(
    "an entry of a view read as if nothing were hidden",
    """
    class Bids(Part):
        made: list[tuple[int, ...] | Unknown] = by_seat()


    class Mistake(Variant, name="mistake"):
        \"\"\"Mistake: a mistake.\"\"\"

        @hookimpl
        def route_values(self, rules: Rules, view: View) -> Mapping[str, float]:
            highest = max(view.part(Bids).made[1])  # mistake
            return {} if highest else {"paris-wien-red": 1}
    """,
)
whole(
    "a secret field that cannot hold Unknown",
    """
    class CardShown(Event):
        seat: int
        card: str = secret("seat")


    class Mistake(Variant, name="mistake"):
        \"\"\"Mistake: a mistake.\"\"\"
    """,
    checkers=(),
    compiler="CardShown.card is secret, so others see Unknown there: annotate it with | Unknown",
)
whole(
    "keys of a part without help",
    """
    class Ranks(Part):
        rank: list[int] = public(each=1)
        player_keys = ("rank",)  # mistake


    class Mistake(Variant, name="mistake"):
        \"\"\"Mistake: a mistake.\"\"\"

        @hookimpl
        def parts(self, rules: Rules) -> Iterable[type[Part]]:
            return (Ranks,)
    """,
    compiler="its player_keys must be KeyHelp by key",
)
whole(
    "a layer that forgets the economy below it",
    """
    class Discount(EconomyLayer):
        def __init__(self, below: Economy) -> None:
            self.percent = 10


    class Mistake(Variant, name="mistake"):
        \"\"\"Mistake: a mistake.\"\"\"

        @hookimpl
        def economy(self, below: Below[Economy], board: Board) -> Economy:
            return Discount(below())
    """,
    checkers=(),
    compiler="its __init__ must call super().__init__(below)",
)
whole(
    "a purchase whose payment comes first",
    """
    class BuyDepot(Action):
        message = "Buy a depot"
        payment: Counts
        city: str


    class BuyDepotRule(PaidRule[Turn, BuyDepot]):
        def every(self, rules: Rules) -> Iterable[tuple[str, Cost]]:
            return [(city, Cost("depot", 1)) for city in rules.board.cities]

        def bought(self, tx: Transaction, seat: int, thing: str) -> None:
            pass


    class Mistake(Variant, name="mistake"):
        \"\"\"Mistake: a mistake.\"\"\"

        @hookimpl
        def actions(self, rules: Rules) -> Iterable[ActionRule[Any, Any]]:
            return (BuyDepotRule(),)
    """,
    checkers=(),
    compiler="what is bought comes first, and payment last",
)
whole(
    "a pool that no box has",
    """
    class Gems(Part):
        held: tuple[str, ...] = public(pool="gem")

        def box(self, rules: Rules) -> Mapping[str, Iterable[object]]:
            return {"gems": ("ruby", "opal")}


    class Mistake(Variant, name="mistake"):
        \"\"\"Mistake: a mistake.\"\"\"

        @hookimpl
        def parts(self, rules: Rules) -> Iterable[type[Part]]:
            return (Gems,)
    """,
    checkers=(),
    compiler="has the pool 'gem', which has no box; there is a box for 'gems'",
)
whole(
    "an event that reveals any action",
    """
    class Told(Event):
        reveals = Action
        seat: int
        yes: bool


    class Mistake(Variant, name="mistake"):
        \"\"\"Mistake: a mistake.\"\"\"
    """,
    checkers=(),
    compiler="must be the class of the decision or action that it opens",
)

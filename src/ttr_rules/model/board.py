"""The board: cities, the routes between them, the tickets printed for it, the names of its places, and costs.

A place is found by its id, by its printed name, and by its other names in the map, each with or without capitals,
accents and punctuation: `Zürich`, `zurich` or `Zuerich`, and `St. Gallen`, `st gallen` or `st_gallen`.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product
from typing import Any, TypeVar
from unicodedata import combining, normalize

from attrs import asdict, evolve, field, frozen

from ttr_rules.errors import InvalidInputError, PluginError
from ttr_rules.language import ENGLISH, Language
from ttr_rules.loading import Shown
from ttr_rules.model.cards import Color, Counts
from ttr_rules.reading import LONGEST_ID, to_jsonable
from ttr_rules.sequences import FrozenMap
from ttr_rules.text import MOST_NAMES, Compact, brief, closest

# Letters that Unicode does not decompose into a base letter and a mark.
_BASE = str.maketrans({"ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"})
# Umlauts and their like as people write them without the marks.
_SPELT_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})
_DASHES = str.maketrans({"–": "-", "—": "-", "‑": "-"})
_DASH = re.compile(r"\s*[-–—‑]\s*")


def plain(text: str) -> str:
    """A text in lower case without marks, dashes as hyphens, for comparing and sorting.

    >>> plain("Zürich–KØBENHAVN")
    'zurich-kobenhavn'
    """
    letters = normalize("NFKD", text.casefold().translate(_BASE))
    return "".join([letter for letter in letters if not combining(letter)]).translate(_DASHES)


def spellings(name: str) -> tuple[str, ...]:
    """The letters and digits of a name, without marks. Umlauts and their like are also spelled out.

    >>> spellings("München"), spellings("St. Gallen")
    (('munchen', 'muenchen'), ('stgallen',))
    """
    spelt_out = normalize("NFC", name).casefold().translate(_SPELT_OUT)
    return tuple(dict.fromkeys("".join(filter(str.isalnum, plain(text))) for text in (name, spelt_out)))


@frozen
class City:
    """A city: its id, its printed name, and its position on the picture of the board.

    `x` and `y` are fractions of the picture's width and height, from the top left corner. `country` is set on a border
    crossing, the dead end of one route or double: the crossing stands for that country.

    >>> import ttr_maps
    >>> board = ttr_maps.load("marklin")
    >>> crossings = [city for city in board.cities.values() if city.country]
    >>> board.cities["kiel"].name, len(crossings), crossings[0].country
    ('Kiel', 14, 'country_austria')
    """

    id: str
    name: str
    x: float = 0.0
    y: float = 0.0
    country: str | None = None


class PlaceNames:
    """The names of the cities and countries of a board.

    `printed` has the name of each place as it is shown, `words` all its names as one plain text for searching.

    >>> from ttr_maps import load
    >>> names = load("europe").names
    >>> names.find("Munich"), names.find("KOBENHAVN"), names.find("Atlantis")
    ('munchen', 'kobenhavn', None)
    >>> names.hint("Amsterdm")
    'Amsterdam'
    """

    def __init__(self, cities: Iterable[City], aliases: Mapping[str, Iterable[str]]) -> None:
        self.printed: dict[str, str] = {}
        self.words: dict[str, str] = {}
        self._exact: dict[str, set[str]] = {}
        self._spelt: dict[str, set[str]] = {}
        crossings: dict[str, list[City]] = {}
        for city in cities:
            if city.country is None:
                self._add(city.id, city.name, [city.name, *aliases.get(city.id, ())])
            else:
                crossings.setdefault(city.country, []).append(city)
        for country, entries in crossings.items():
            names = list(dict.fromkeys(city.name for city in entries))
            # Crossings with the same name differ in their ids; the name means the country, that is any of them.
            whole = len(names) == 1
            self._add(country, " / ".join(names), [*(names if whole else ()), *aliases.get(country, ())])
            for city in entries:
                self._add(city.id, city.name, [*(() if whole else (city.name,)), *aliases.get(city.id, ())])
                self.words[city.id] = " ".join(dict.fromkeys([self.words[city.id], self.words[country]]))

    def __repr__(self) -> str:
        return f"<PlaceNames of {len(self.printed)} places>"

    def _add(self, id: str, printed: str, names: Iterable[str]) -> None:
        self.printed[id] = printed
        words = [plain(printed)]
        for name in (id, *names):
            spelt = spellings(name)
            words += (plain(name), *spelt)
            self._exact.setdefault(name, set()).add(id)
            for spelling in spelt:
                if spelling:
                    self._spelt.setdefault(spelling, set()).add(id)
        self.words[id] = " ".join(dict.fromkeys(words))

    def meant(self, written: str) -> list[str]:
        """The ids of all places that a text may mean, in alphabetical order. An exact match takes precedence."""
        if len(written) > LONGEST_ID:
            return []
        if written in self.printed:
            return [written]
        ids = self._exact.get(written) or {id for spelt in spellings(written) for id in self._spelt.get(spelt, ())}
        return sorted(ids)

    def find(self, written: str) -> str | None:
        """The id of the city or country that a text means, or None if there is none or several."""
        ids = self.meant(written)
        return ids[0] if len(ids) == 1 else None

    def hint(self, written: str) -> str | None:
        """The printed name of the place that was probably meant, if one is close."""
        near = closest(spellings(written[:60])[0], self._spelt, 0.7, 3 * MOST_NAMES)
        return self.printed[min(self._spelt[near])] if near else None

    def pairs(self, written: str) -> Iterator[tuple[str, str]]:
        """The pairs of places that a text with a dash may mean, such as `Paris–Zürich` or `la_chaux_de_fonds-bern`.

        >>> from ttr_maps import load
        >>> list(load("switzerland").names.pairs("La Chaux-de-Fonds – Basel"))
        [('la_chaux_de_fonds', 'basel')]
        """
        if len(written) > 3 * LONGEST_ID:
            return
        for dash in _DASH.finditer(written):
            first, second = self.find(written[: dash.start()]), self.find(written[dash.end() :])
            if first is not None and second is not None:
                yield first, second


T = TypeVar("T", bound=Hashable)


def networks(links: Iterable[tuple[T, T]]) -> dict[T, frozenset[T]]:
    """For each place on some links, all places of its connected network.

    >>> sorted(networks([("waterloo", "soho"), ("big_ben", "soho"), ("hyde_park", "bond_street")])["waterloo"])
    ['big_ben', 'soho', 'waterloo']
    """
    joined: dict[T, frozenset[T]] = {}
    for first, second in links:
        together = joined.get(first, frozenset([first])) | joined.get(second, frozenset([second]))
        joined.update(dict.fromkeys(together, together))
    return joined


@frozen(repr=False)
class Route(Compact):
    """A route between two neighboring cities: `length` spaces of one `color`, claimed whole (C3).

    A ferry has `ferry_locomotives` of at least 1. Routes that share a `double_group` are a double or a triple: no
    player holds two of them (C5). `marks` are labels for variants to select routes by, such as a route with its own
    price.

    >>> import ttr_maps
    >>> board = ttr_maps.load("europe")
    >>> route = board.routes["amsterdam-london-gray"]
    >>> route.length, route.ferry_locomotives, board.points[route.length], route.other_end("london")
    (2, 2, 2, 'amsterdam')
    >>> [route.id for route in board.routes.values() if route.tunnel and route.length > 5]
    ['budapest-kyiv-gray', 'petrograd-stockholm-gray']
    """

    id: str
    cities: tuple[str, str]
    length: int
    color: Color = Color.GRAY
    tunnel: bool = False
    ferry_locomotives: int = 0
    double_group: str | None = None
    marks: tuple[str, ...] = ()

    def other_end(self, city: str) -> str:
        """The city at the other end of this route."""
        first, second = self.cities
        return second if city == first else first


#: The most places of a ticket.
MOST_PLACES = 8


@frozen(repr=False)
class Ticket(Compact):
    """A destination ticket: two or more places to connect, and the points for it (P2).

    `cities` are ids of cities or countries, all of which must be in one network. Any crossing of a country counts.
    `alternatives` are for a ticket whose last place is one of several, with a value each: `cities[-1]` is the best of them,
    and `points` its value. A ticket may be worth more, `in_order`, if a continuous path over its owner's own routes passes
    the places in the order of `cities`, using no route twice. `penalty` is subtracted if the ticket is not completed: the
    points on the card, or the lowest value. `kind` is "regular", "long" or "short", and `set` names the deck that the
    ticket was printed for. `logos` are the marks on the card that variants select by.

    >>> import ttr_maps
    >>> board = ttr_maps.load("switzerland")
    >>> ticket = next(ticket for ticket in board.tickets if ticket.alternatives)
    >>> ticket.cities[0], ticket.goals
    ('bern', (('country_austria', 11), ('country_italy', 8), ('country_germany', 6), ('country_france', 5)))
    >>> ticket.points, ticket.penalty
    (11, 5)
    >>> tour = Ticket("tour", ("lausanne", "bern", "basel"), 9, in_order=12, penalty=4)
    >>> tour.places, tour.goals, tour.penalty
    (('lausanne', 'bern', 'basel'), (('basel', 9),), 4)
    """

    id: str
    cities: tuple[str, ...]
    points: int
    kind: str = "regular"
    set: str = ""
    logos: frozenset[str] = frozenset()
    alternatives: tuple[tuple[str, int], ...] = ()
    in_order: int | None = field(default=None, kw_only=True)
    _penalty: int | None = field(default=None, alias="penalty", kw_only=True)

    def __attrs_post_init__(self) -> None:
        if not 2 <= len(self.cities) <= MOST_PLACES:
            raise InvalidInputError(f"a ticket names 2 to {MOST_PLACES} places, not {len(self.cities)}")

    @property
    def goals(self) -> tuple[tuple[str, int], ...]:
        """The places that complete the ticket with all `cities` but the last, each with its value, best first."""
        return self.alternatives or ((self.cities[-1], self.points),)

    @property
    def places(self) -> tuple[str, ...]:
        """The cities and countries that this ticket names."""
        return (*self.cities[:-1], *(place for place, _ in self.goals))

    @property
    def penalty(self) -> int:
        """The points subtracted if the ticket is not completed: those on the card, or the lowest value (P2)."""
        return min([points for _, points in self.goals]) if self._penalty is None else self._penalty


def _by_id(items: tuple[City, ...] | Mapping[str, City]) -> Mapping[str, City]:
    return FrozenMap(items if isinstance(items, Mapping) else {city.id: city for city in items})


def _routes_by_id(items: tuple[Route, ...] | Mapping[str, Route]) -> Mapping[str, Route]:
    return FrozenMap(items if isinstance(items, Mapping) else {route.id: route for route in items})


def _tuples(items: Mapping[str, Sequence[str]]) -> Mapping[str, tuple[str, ...]]:
    return FrozenMap({id: tuple(names) for id, names in items.items()})


#: A color in brackets after two cities, as the score sheet prints half of a double: `London–Edinburgh (black)`.
_IN_BRACKETS = re.compile(r"(.+?)\s*\((\w+)\)\s*")


@frozen(repr=False)
class Board(Shown):
    """A map: cities and routes by id, points by route length, and every ticket printed for it.

    `aliases` are other names of cities and countries by id, such as those in other languages. `extra` is whatever else
    the map says, for variants that need it: tokens of cities, for example. Boards come from `ttr_rules.load_board`,
    which checks all but `extra`. Two boards that say the same are equal. Raises `InvalidInputError` for a route or a
    ticket that ends nowhere, and for a route of a length without points (P1).

    >>> import ttr_maps
    >>> board = ttr_maps.load("europe")
    >>> board
    <Board Europe: 47 cities, 101 routes, 101 tickets>
    >>> board.find_route("Paris", "Zurich").id, board.place_name("zurich")
    ('paris-zurich-gray', 'Zürich')
    >>> board.find_place("Zurick")
    Traceback (most recent call last):
        ...
    ttr_rules.errors.InvalidInputError: no city 'Zurick' on the board Europe; did you mean Zürich?
    """

    id: str
    name: str
    cities: Mapping[str, City] = field(converter=_by_id)
    routes: Mapping[str, Route] = field(converter=_routes_by_id)
    points: Mapping[int, int]
    tickets: tuple[Ticket, ...] = ()
    extra: Mapping[str, Any] = field(factory=dict[str, Any], converter=FrozenMap[str, Any])
    aliases: Mapping[str, tuple[str, ...]] = field(factory=dict[str, tuple[str, ...]], converter=_tuples)
    #: The names of the places: see `find_place`.
    names: PlaceNames = field(init=False, eq=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "names", PlaceNames(self.cities.values(), self.aliases))
        for route in self.routes.values():
            if route.length not in self.points:
                raise InvalidInputError(
                    f"the route {route.id} is {route.length} long, and {self.name} has no points for that"
                )
            for id in route.cities:
                if id not in self.cities:
                    raise InvalidInputError(f"the route {route.id} ends in {id!r}, which is not a city of {self.name}")
        for ticket in self.tickets:
            for id in ticket.places:
                if not self.place(id):
                    raise InvalidInputError(f"the ticket {ticket.id} names {id!r}, which is not a place of {self.name}")

    def __hash__(self) -> int:
        return hash((self.id, self.name))

    def __repr__(self) -> str:
        counts = f"{len(self.cities)} cities, {len(self.routes)} routes, {len(self.tickets)} tickets"
        return f"<Board {self.name}: {counts}>"

    @cached_property
    def fingerprint_data(self) -> list[object]:
        """The data of the board that the fingerprint of rules covers, as JSON has it: all but names and other names.

        >>> import ttr_maps
        >>> ttr_maps.load("europe").fingerprint_data[0]
        'europe'
        """
        tickets: list[dict[str, object]] = to_jsonable(self.tickets)
        used = [{name: value for name, value in ticket.items() if value is not None} for ticket in tickets]
        return [*map(to_jsonable, (self.id, self.cities, self.routes, self.points)), used, to_jsonable(self.extra)]

    def place(self, id: str) -> tuple[str, ...]:
        """The cities that a place on a ticket stands for: the city itself, or all crossings of a country."""
        if id in self.cities:
            return (id,)
        return tuple(city.id for city in self.cities.values() if city.country == id)

    def find_place(self, written: str) -> str:
        """Find the id of a city or country by its printed name, its id, or another name.

        Capitals, accents and punctuation make no difference, and umlauts may be spelled out. Raises `InvalidInputError`
        if there is none, with the closest name, or if it is ambiguous.

        >>> from ttr_maps import load
        >>> load("europe").find_place("Muenchen"), load("marklin").find_place("Denmark")
        ('munchen', 'country_denmark')
        """
        ids = self.names.meant(written)
        if len(ids) == 1:
            return ids[0]
        on = f"on the board {self.name}"
        if ids:
            raise InvalidInputError(f"{brief(written)} may mean {' or '.join(ids)} {on}: give the id")
        near = self.names.hint(written)
        raise InvalidInputError(f"no city {brief(written)} {on}" + (f"; did you mean {near}?" if near else ""))

    def place_name(self, id: str) -> str:
        """The printed name of a city or a country."""
        return self.names.printed.get(id, id)

    def route_name(self, id: str, language: Language = ENGLISH) -> str:
        """A route by its cities as printed, with its color if another one runs parallel to it.

        >>> from ttr_maps import load
        >>> load("europe").route_name("paris-zurich-gray"), load("europe").route_name("edinburgh-london-black")
        ('Paris–Zürich', 'Edinburgh–London (black)')
        """
        route = self.routes[id]
        name = "–".join([language.place(self.place_name(city)) for city in route.cities])
        if route.double_group and route.color is not Color.GRAY:
            return f"{name} ({language.name(route.color)})"
        return name

    def routes_between(self, first: str, second: str, color: str | None = None) -> tuple[Route, ...]:
        """The routes that join two places, given by their ids in either order, or only those of a `color`.

        A country stands for all its border crossings.
        """
        ends = set(product(self.place(first), self.place(second)))
        ends |= {(end, start) for start, end in ends}
        routes = [route for route in self.routes.values() if route.cities in ends]
        return tuple(route for route in routes if color is None or route.color == color)

    def find_route(self, *name: str) -> Route:
        """Find a route by id, or by two cities in any order and perhaps a color.

        A city goes by any of its names. The first route is returned if several match. Raises `InvalidInputError`,
        listing the routes there are, if none does.

        >>> from ttr_maps import load
        >>> load("europe").find_route("Rome", "Venice").id, load("marklin").find_route("Kiel", "Dänemark").id
        ('roma-venezia-black', 'kiel-country_denmark_2-gray')
        """
        return self.find_routes(*name)[0]

    def find_routes(self, *name: str) -> tuple[Route, ...]:
        """All routes that `find_route` may mean, in the order of the board: several for two cities."""
        if len(name) == 1:
            return self._written_as_one(name[0])
        if len(name) not in (2, 3):
            raise InvalidInputError(f"a route is an id, or two cities, or two cities and a color, not {brief(name)}")
        first, second = map(self.find_place, name[:2])
        color = _color(name[2]) if len(name) == 3 else None
        routes = self.routes_between(first, second, color)
        if not routes:
            others = ", ".join(route.id for route in self.routes_between(first, second))
            hint = f"; between these cities: {others}" if others else ""
            raise InvalidInputError(f"no route {brief('-'.join(name))} on the board {self.name}{hint}")
        return routes

    def _written_as_one(self, text: str) -> tuple[Route, ...]:
        """The routes given by an id, its cities in any order, or by cities with a dash between: `Paris–Zürich`."""
        parts = text.split("-")
        for id in (text, "-".join([*parts[1:2], *parts[:1], *parts[2:]])):
            if id in self.routes:
                return (self.routes[id],)
        bracketed = _IN_BRACKETS.fullmatch(text) if len(text) <= 1000 else None
        cities, color = (bracketed[1], _color(bracketed[2])) if bracketed else (text, None)
        for first, second in self.names.pairs(cities):
            routes = self.routes_between(first, second, color)
            if routes:
                return routes
        near = closest(text, self.routes, 0.85)
        hint = f"; did you mean {near}?" if near else ""
        raise InvalidInputError(f"no route {brief(text)} on the board {self.name}{hint}")


def _color(written: str) -> str:
    """The color of a route as written."""
    return {"grey": str(Color.GRAY)}.get(plain(written), plain(written))  # codespell:ignore grey


#: The most cards that a tunnel turns up, and so the most that it costs extra; the rules of all maps say three.
MOST_EXTRA = 6


def _color_of_cards(color: str | None) -> str | None:
    """The color of the cards that pay for a color of a route, None for those of any one color."""
    return None if color is None or color == Color.GRAY else str(color)


def _counts(counts: Mapping[str, int]) -> Counts:
    return Counts.of(counts)  # a plain function, since type checkers do not accept a classmethod as a converter


#: The fields of a `Cost` that are written only where they differ from their defaults, as few do.
RARE_FIELDS = ("marks", "any_cards", "extra", "most_wilds", "tunnel_cards", "colors")


@frozen(cache_hash=True, repr=False)  # costs are the keys of prices
class Cost:
    """A cost in terms of the board.

    - `kind`: "single" or "double" for a route (a double is one of several between its two cities), anything else for
      purchases added by plugins. `is_for_route` tells them apart.
    - `spaces`: the amount, at least 1, and at least `wilds` and the sum of `colors`, whatever changes it (see
      `Variant.claim_cost`).
    - `color`: the required color, None for any one color. Gray, the color of routes that any one color pays for, becomes None.
    - `wilds`: the number of spaces with a locomotive symbol.
    - `tunnel`: true for a tunnel.
    - `only_wilds`: only wild cards pay.
    - `marks`: those of the route. A tunnel's extra cost has none.
    - `any_cards`: any mix of cards pays, one a space, whatever `color` and `only_wilds` say. At least `wilds` of them
      are wild cards.
    - `extra`: true for what a tunnel costs on top of its claim.
    - `most_wilds`: at most so many wild cards pay, None for any number. What a tunnel costs extra allows those that
      are left.
    - `tunnel_cards`: the number of cards that a tunnel turns up, or of dice that are rolled for it, 6 at most.
    - `colors`: so many cards of each of these colors, whatever `color` and `only_wilds` say, and any cards for the
      spaces that are left. Wild cards may replace them.

    >>> import ttr_maps
    >>> Cost.of_route(ttr_maps.load("europe").routes["amsterdam-london-gray"])
    Cost(kind='single', spaces=2, color=None, wilds=2, tunnel=False, only_wilds=False, marks=())
    >>> Cost("station", spaces=2)
    Cost(kind='station', spaces=2, color=None, wilds=0, tunnel=False, only_wilds=False, marks=())
    >>> str(Cost("order", spaces=3, colors={"red": 2, "blue": 1}).colors)
    '2 red, 1 blue'
    """

    kind: str
    spaces: int
    color: str | None = field(default=None, converter=_color_of_cards)
    wilds: int = 0
    tunnel: bool = False
    only_wilds: bool = False
    marks: tuple[str, ...] = ()
    any_cards: bool = False
    extra: bool = False
    most_wilds: int | None = None
    tunnel_cards: int = 3
    colors: Counts = field(default=Counts(), converter=_counts)

    def __repr__(self) -> str:
        rare = RARE_FIELDS[1:]  # marks are always shown
        values = asdict(
            self, recurse=False, filter=lambda field, value: field.name not in rare or value != field.default
        )
        return f"Cost({', '.join(f'{name}={value!r}' for name, value in values.items())})"

    @property
    def is_for_route(self) -> bool:
        """True for the cost of a route, such as that of a claim, and for what its tunnel costs extra.

        >>> Cost("double", 3).is_for_route, Cost("station", 2).is_for_route
        (True, False)
        """
        return self.kind in ("single", "double")

    @classmethod
    def of_route(cls, route: Route) -> Cost:
        """The cost of claiming `route`."""
        return cls(
            kind="double" if route.double_group else "single",
            spaces=route.length,
            color=route.color,
            wilds=route.ferry_locomotives,
            tunnel=route.tunnel,
            marks=route.marks,
        )


def changed_cost(before: Cost, after: object, by: str) -> Cost:
    """A plugin's cost in place of another, raised so that it can be paid.

    It has at least one space, a space for every locomotive symbol, and as many as its `colors` together. Locomotives may
    pay for the symbols, and for every space if nothing else pays. The extra cost of a tunnel, which may be abandoned, is
    an exception. Raises `PluginError` for anything but a cost in whole numbers, and for `tunnel_cards` below 0 or above 6.

    >>> changed_cost(Cost("single", 2, wilds=2), Cost("single", 0, wilds=2, most_wilds=1), "a test")
    Cost(kind='single', spaces=2, color=None, wilds=2, tunnel=False, only_wilds=False, marks=(), most_wilds=2)
    """
    if after is before:
        return before
    if not isinstance(after, Cost):
        raise PluginError(f"{by} must give a Cost in place of {before}, not {brief(after)}")
    for name in ("spaces", "wilds", "most_wilds", "tunnel_cards"):
        number: object = getattr(after, name)
        if type(number) is not int and not (name == "most_wilds" and number is None):
            raise PluginError(f"{by} gives a Cost with {name}={brief(number)}, which is not a whole number")
    if not 0 <= after.tunnel_cards <= MOST_EXTRA:
        raise PluginError(
            f"{by} gives a Cost with tunnel_cards={after.tunnel_cards}: a tunnel turns up 0 to {MOST_EXTRA} cards"
        )
    wilds = max(after.wilds, 0)
    spaces = max(after.spaces, wilds, after.colors.total, 1)
    most = after.most_wilds
    if most is not None:
        only_wilds_pay = after.only_wilds and not (after.any_cards or after.colors or after.extra)
        most = max(most, spaces if only_wilds_pay else wilds)
    if (spaces, wilds, most) == (after.spaces, after.wilds, after.most_wilds):
        return after
    return evolve(after, spaces=spaces, wilds=wilds, most_wilds=most)

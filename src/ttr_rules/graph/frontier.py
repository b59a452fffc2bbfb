"""The longest path of a tangled network, city by city along a moving frontier (P3).

A set of routes can be traveled in one go, each route once, exactly when it is connected and at most two of its cities
are odd (have an odd number of its routes). So instead of walking, this module decides route by route whether the path
uses it, and keeps of all decisions only what later ones can feel. The cities are closed one after another. To close a
city is to decide its remaining routes. The frontier is the few cities with some routes decided and some not, each in a
numbered slot. Decisions so far are summed up by

- the labels: which frontier cities the chosen routes have joined to one another, and
- the parity: which frontier cities are odd so far, and how many closed cities stayed odd (two at most).

Of all choices with equal labels and equal parity only the longest can be part of the answer. A choice is
dropped when even all undecided routes would not make it longer than the best known path.

Chosen routes are written as one integer, a *packed* set: the total length in the high bits, one bit for each route in
the low bits. Adding a route is an addition, and the larger number is the longer path. Equal lengths are ordered by
their routes, so that the answer never depends on the order of a dictionary.
"""

from __future__ import annotations

#: For each city, its routes: the city at the other end, the route as a packed set, the bit of the route.
Around = dict[int, list[tuple[int, int, int]]]

#: To close one city: its slot, and its undecided routes as (slot at the other end, packed route).
Closing = tuple[int, list[tuple[int, int]]]

#: Packed sets by parity. The low two bits of a parity count the closed odd cities; slot s has the bit 4 << s.
Choices = dict[int, int]

#: Labels, one character for each slot: the name of the lowest slot that the city is joined to, or UNTOUCHED.
#: They are strings because a string remembers its hash, and replaces all of one character at once.
Labels = str

#: The label of a slot that is empty, or whose city has no chosen route yet.
UNTOUCHED = "."


def connected_parts(around: Around) -> list[list[int]]:
    """The cities of each connected part."""
    parts: list[list[int]] = []
    seen: set[int] = set()
    for start in around:
        if start not in seen:
            seen.add(start)
            part = [start]
            for city in part:  # grows while it is iterated over
                for other, _, _ in around[city]:
                    if other not in seen:
                        seen.add(other)
                        part.append(other)
            parts.append(part)
    return parts


def longest_chosen(around: Around, shift: int, known: int) -> int:
    """The longest path of one connected part as a packed set, or `known` when none is longer (P3).

    The low `shift` bits of a packed set are the routes.
    """
    best = known
    undecided = sum([route for routes in around.values() for _, route, _ in routes]) // 2 >> shift
    if undecided <= best >> shift:
        return best
    closings, width = closing_plan(around)
    states: dict[Labels, Choices] = {UNTOUCHED * width: {0: 0}}
    for slot, routes in closings:
        for other, route in routes:
            undecided -= route >> shift
            needed = ((best >> shift) + 1 - undecided) << shift
            states = _decide(states, slot, other, route, needed)
        states, finished = _close(states, slot)
        if finished >> shift > best >> shift:
            best = finished
    return best


def closing_plan(around: Around) -> tuple[list[Closing], int]:
    """The order in which to close the cities, and the number of slots it needs.

    The number of states grows with the width of the frontier, which depends strongly on the starting city.
    So all are tried, and the order with the narrowest frontiers is kept.
    """
    plan: list[Closing] = []
    width = 0
    least: int | None = None
    for start in around:
        cost, other_plan, other_width = _plan_from(start, around, least)
        if least is None or cost < least:
            least, plan, width = cost, other_plan, other_width
    return plan, width


def _plan_from(start: int, around: Around, least: int | None) -> tuple[int, list[Closing], int]:
    """A plan that begins with a city: about how many states it leads to, the closings, the number of slots.

    The next city is always the frontier city that brings the fewest new cities into the frontier, and of these the one
    with the fewest undecided routes. The plan is left unfinished as soon as it costs more than `least`.
    """
    slots: dict[int, int] = {start: 0}
    free: list[int] = []
    width = 1
    states = 0
    undecided = {city: len(routes) for city, routes in around.items()}
    closed: set[int] = set()
    plan: list[Closing] = []
    while slots:
        city = -1
        city_cost = -1
        for candidate in slots:
            new = 0
            for other, _, _ in around[candidate]:
                if other not in slots and other not in closed:
                    new += 1
            cost = new * 16 + undecided[candidate]
            if city_cost < 0 or cost < city_cost:
                city = candidate
                city_cost = cost
        slot = slots[city]
        routes: list[tuple[int, int]] = []
        for other, route, _ in around[city]:
            if other in closed:
                continue
            if other not in slots:
                if free:
                    slots[other] = free.pop()
                else:
                    slots[other] = width
                    width += 1
            routes.append((slots[other], route))
            undecided[other] -= 1
            states += 3 ** len(slots)
        if least is not None and states > least:
            break
        del slots[city]
        free.append(slot)
        closed.add(city)
        plan.append((slot, routes))
    return states, plan, width


def _decide(states: dict[Labels, Choices], slot: int, other: int, route: int, needed: int) -> dict[Labels, Choices]:
    """Leave the route between two slots out of each choice, or add it. Drop what is below `needed`."""
    after: dict[Labels, Choices] = {}
    for labels, choices in states.items():
        kept = {parity: chosen for parity, chosen in choices.items() if chosen >= needed}
        if kept:
            after[labels] = kept
    # A choice with the route added can still become as long as before, so nothing is dropped here.
    flip = 4 << slot | 4 << other
    for labels, choices in states.items():
        joined = _join(labels, slot, other)
        into = after.get(joined)
        if into is None:
            after[joined] = {parity ^ flip: chosen + route for parity, chosen in choices.items()}
            continue
        for parity, chosen in choices.items():
            parity ^= flip
            chosen += route
            if chosen > into.get(parity, -1):
                into[parity] = chosen
    return after


def _close(states: dict[Labels, Choices], slot: int) -> tuple[dict[Labels, Choices], int]:
    """Remove a city with no undecided routes from the frontier. Returns the longest choice that this completes, or 0.

    A choice whose last frontier city is closed cannot grow any more: it is a path. If chosen routes lie in
    another part of the frontier, though, the two parts can never meet, and the choice is dropped.
    """
    odd = 4 << slot
    finished = 0
    after: dict[Labels, Choices] = {}
    for labels, choices in states.items():
        label = labels[slot]
        rest = labels
        if label != UNTOUCHED:
            rest = _vacate(labels, slot)
            if labels.count(label) == 1:
                if rest.count(UNTOUCHED) == len(rest):
                    # Odd cities come in pairs: with the last one, there are two or none.
                    finished = max([finished, *choices.values()])
                continue
        into = after.get(rest)
        if into is None:
            into = after[rest] = {}
        for parity, chosen in choices.items():
            if parity & odd:
                if parity & 2:
                    continue
                parity += 1 - odd
            if chosen > into.get(parity, -1):
                into[parity] = chosen
    return after, finished


def _name(slot: int) -> str:
    return chr(ord("a") + slot)


def _join(labels: Labels, slot: int, other: int) -> Labels:
    """The labels after choosing a route between two slots."""
    first = labels[slot]
    if first == UNTOUCHED:
        first = _name(slot)
        labels = labels[:slot] + first + labels[slot + 1 :]
    second = labels[other]
    if second == UNTOUCHED:
        second = _name(other)
        labels = labels[:other] + second + labels[other + 1 :]
    if first < second:
        return labels.replace(second, first)
    return labels.replace(first, second)


def _vacate(labels: Labels, slot: int) -> Labels:
    """The labels after a slot is vacated: what was named after it is named after its next lowest slot."""
    label = labels[slot]
    rest = labels[:slot] + UNTOUCHED + labels[slot + 1 :]
    if label == _name(slot):
        lowest = rest.find(label)
        if lowest >= 0:
            rest = rest.replace(label, _name(lowest))
    return rest

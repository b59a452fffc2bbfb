"""The kernel: a fixed piece of pure Python that other times are divided by, so that machines can be compared.

What it does is what an engine of this game does: method calls, small lists, lookups by tuples, whole numbers as sets,
a shuffle now and then. One run takes about as long as a C program takes for forty whole random games of Europe
(CPython 3.12, the same core): the time that a playout of Europe is meant to take.

Figures can be compared only if they come from the same kernel. So whatever changes the work that it does changes
`KERNEL` too, the number that is printed with all figures.
"""

from __future__ import annotations

#: Which kernel this is. The first had 30 rounds.
KERNEL = 2

ROUNDS = 36
_CARDS = 110
_SEATS = 4


class _Table:
    __slots__ = ("drawn", "hands", "pile", "taken")

    def __init__(self, pile: list[int]) -> None:
        self.pile = pile
        self.drawn = 0
        self.hands = [[0] * 9 for _ in range(_SEATS)]
        self.taken = 0

    def draw(self, seat: int) -> int:
        """Draw a card."""
        card = self.pile[self.drawn]
        self.drawn += 1
        self.hands[seat][card] += 1
        return card


def run_kernel() -> int:
    """Run the kernel once; the number is always the same."""
    prices: dict[tuple[int, int], int] = {}
    random = 1912
    checksum = 0
    for round in range(ROUNDS):
        keys: list[int] = []
        for _ in range(_CARDS):
            random = (random * 1_103_515_245 + 12_345) % 2_147_483_648
            keys.append(random)
        table = _Table([index % 9 for index in sorted(range(_CARDS), key=keys.__getitem__)])
        seat = round % _SEATS
        while table.drawn < len(table.pile):
            card = table.draw(seat)
            hand = table.hands[seat]
            key = (card, hand[card])
            mask = prices.get(key)
            if mask is None:
                mask = prices[key] = (card * 2_654_435_761 + hand[card] * 40_503) & (1 << 101) - 1
            open_routes = mask & ~table.taken
            if open_routes:
                table.taken |= open_routes & -open_routes
            checksum += open_routes.bit_count()
            seat = (seat + 1) % _SEATS
    return checksum

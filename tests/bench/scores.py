"""Average points of bots and of players by chance: `python tests/bench/scores.py united-kingdom --games 100`.

For each number of players, games of bots among themselves, and games of players that take any legal action. Seeds are
the numbers from 0, so the same library gives the same averages. With `--terms`, what a bot's points come from.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import fmean

import ttr_rules as ttr
from ttr_tools.bots import Bot, play_game
from ttr_tools.testing.runs import Picks


class ByChance:
    """A player that takes any legal action; every other time rare kinds as often as common ones."""

    def __init__(self, seed: int | str) -> None:
        self._picks = Picks(seed)

    def choose(self, view: ttr.View, rules: ttr.Rules, actions: Sequence[ttr.Action]) -> ttr.Action:
        action: ttr.Action = self._picks.action(actions)
        return action


KINDS: dict[str, type[Bot | ByChance]] = {"bots": Bot, "chance": ByChance}


def sheets(rules: ttr.Rules, players: int, games: int, kind: type[Bot | ByChance]) -> Iterator[ttr.PlayerScore]:
    """The sheets of all players of some games."""
    for seed in range(games):
        game = ttr.new_game(rules=rules, players=players, seed=seed)
        play_game(game, [kind(f"{seed} {seat}") for seat in range(players)])
        assert game.final_scores is not None
        yield from game.final_scores.players


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("stack", nargs="+")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--players", type=int, nargs="+", default=[2, 4])
    parser.add_argument("--by", choices=KINDS, nargs="+", default=list(KINDS))
    parser.add_argument("--terms", action="store_true")
    given = parser.parse_args()
    rules = ttr.compile_rules(*given.stack)
    print(f"{' + '.join(given.stack)}, {given.games} games for each line")
    for players in given.players:
        for name in given.by:
            kind = KINDS[name]
            found = list(sheets(rules, players, given.games, kind))
            totals = [each.total for each in found]
            print(f"{players} players  {name:7} {fmean(totals):7.1f}  from {min(totals)} to {max(totals)}", flush=True)
            if given.terms and kind is Bot:
                points: Counter[str] = Counter(routes=0, tickets=0)
                for each in found:
                    points["routes"] += each.route_points
                    points["tickets"] += sum(
                        ticket.points if ticket.completed else -ticket.points for ticket in each.tickets
                    )
                    points.update({name: term.points for name, term in each.terms.items()} | dict(each.bonuses))
                print("  " + ", ".join(f"{name} {count / len(found):.1f}" for name, count in points.items()))


if __name__ == "__main__":
    main()

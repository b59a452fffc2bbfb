# mypy: ignore-errors
# ruff: noqa
"""Equal games: another build of the library, such as an older wheel, beside this one, with the same seeds and choices.

    python tests/compare_games.py OLD_PYTHON NEW_PYTHON [--games 2] [--path FOLDER] [--only STACK] [--old FILE] [--save FILE]

Each process plays every stack: at each decision a digest of the legal actions (as plain values, sorted) and, at the end,
of the sheet and the events; the next action is taken from the sorted list. Both get the same chance object, that of the
first version; `--path` is put into the PYTHONPATH of NEW (a compiled build). Where a position has more than MANY actions,
only their number and what is for sale are compared. NEW also plays games by numbers (`twin`): `Answers.step` on one
state, `advance` with the action at the same index on another, with events; both states must stay equal.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
from struct import unpack

STACKS = """europe north-america europe+dice north-america+dice switzerland nordic-countries marklin+germany-tickets india india+dice
united-kingdom united-kingdom!advanced europe+big-cities europe+mega-europa legendary-asia new-york london pennsylvania
europe!ask""".split()
MANY = 3000
#: How questions are recorded: in another form since rules return them. Legal actions show what is asked.
ASKED = ("Asked", "DecisionOpened")


class FirstChance:
    """The first version of chance, as a caller's object: keys of eight bytes, sorted."""

    def __init__(self, seed):
        self.seed = seed
        self.calls = 0

    def _digest(self, size):
        self.calls += 1
        return hashlib.shake_256(f"i:{self.seed}:{self.calls - 1}".encode(), usedforsecurity=False).digest(size)

    def shuffled(self, items):
        keys = unpack(f"<{len(items)}Q", self._digest(8 * len(items)))
        return [items[index] for index in sorted(range(len(items)), key=keys.__getitem__)]

    def roll(self, faces):
        return faces[int.from_bytes(self._digest(8), "little") % len(faces)]


def plain(x):
    if x is None or isinstance(x, (int, float, bool, str)):
        return x
    if hasattr(x, "items"):
        return sorted([plain(k), plain(v)] for k, v in x.items())
    if isinstance(x, (list, tuple, set, frozenset)):
        return [plain(y) for y in (sorted(x) if isinstance(x, (set, frozenset)) else x)]
    import attrs

    if attrs.has(type(x)):
        return [type(x).__name__, *[[a.name, plain(getattr(x, a.name))] for a in attrs.fields(type(x))]]
    return repr(x)


def compiled(name):
    import ttr_rules as ttr

    base, _, option = name.partition("!")
    if option == "advanced":
        from ttr_variants.united_kingdom import UnitedKingdom

        return ttr.compile_rules(UnitedKingdom(advanced=True))
    if option == "ask":
        from ttr_variants.europe import Europe

        return ttr.compile_rules(Europe(station_choice="ask"))
    return ttr.compile_rules(*base.split("+"))


def sheet(state, names):
    from ttr_rules.kernel.scoring import final_scores

    found = final_scores(state, names)
    rows = [
        [
            p.seat,
            p.name,
            p.route_points,
            plain(p.tickets),
            p.longest_path.length,
            plain(p.longest_path.routes),
            plain(p.lends),
            plain(p.terms),
            plain(p.bonuses),
            p.rank,
            plain(p.needed_loans),
            p.total,
            p.ticket_points,
            p.completed_tickets,
        ]
        for p in found.players
    ]
    return [rows, list(map(str, found.ties)), list(found.winners)]


def play(name, seed):
    import ttr_rules as ttr
    from ttr_rules.engine import advance, legal_actions

    rules = compiled(name)
    least, most = rules.components.min_players, rules.components.max_players
    players = least + seed % (most - least + 1)
    game = ttr.new_game(rules=rules, players=players, chance=FirstChance(seed))
    state = game.state.copy()
    names = [f"P{n}" for n in range(players)]
    rng, digest, decisions, log = random.Random(f"{name}{seed}"), hashlib.sha256(), 0, []
    while state.pending:
        seat = rng.choice([d.seat for d in state.pending])
        actions = legal_actions(state, seat)
        decisions += 1
        if len(actions) > MANY:
            digest.update(f"{len(actions)}".encode())
            rng.random()
            kinds = sorted({json.dumps(plain(a)) for a in actions if not hasattr(a, "payment")})
            things = sorted(
                {json.dumps([type(a).__name__, plain(getattr(a, "route", getattr(a, "city", "")))]) for a in actions}
            )
            digest.update(repr((kinds, things)).encode())
            best = None
            for a in actions:
                t = json.dumps(plain(a))
                h = hashlib.md5((t + str(decisions)).encode()).digest()
                if best is None or h < best[0]:
                    best = h, a
            action = best[1]
        else:
            texts = sorted((json.dumps(plain(a)), i) for i, a in enumerate(actions))
            digest.update("\n".join(t for t, _ in texts).encode())
            action = actions[texts[rng.randrange(len(texts))][1]]
        advance(state, action, log)
        if decisions % 16 == 0:
            digest.update(json.dumps(sheet(state, names)).encode())
    digest.update(json.dumps(sheet(state, names)).encode())
    digest.update(repr([(type(e).__name__, plain(e)) for e in log if type(e).__name__ not in ASKED]).encode())
    return decisions, digest.hexdigest()[:20]


def twin(name, seed):
    import ttr_rules as ttr
    from ttr_rules.engine import advance, legal_actions
    from ttr_rules.kernel.transaction import Transaction

    rules = compiled(name)
    players = rules.components.min_players + seed % (rules.components.max_players - rules.components.min_players + 1)
    one = ttr.new_game(rules=rules, players=players, seed=seed).state.copy()
    rng, steps = random.Random(f"{name}{seed}"), 0
    while one.pending:
        other, decision, fraction = one.copy(), one.pending[0], rng.random()
        actions = legal_actions(one, decision.seat)
        if len(actions) < 40_000:
            advance(other, actions[int(fraction * len(actions))], [])
        answers = one.rules.answers[type(decision)]
        tx = Transaction(one, None)
        counts = answers.counts(one, decision.seat)
        entry, index = answers.place(counts, int(fraction * counts[-1]))
        entry.perform(tx, decision.seat, entry.legal.nth(one, decision.seat, index))
        if len(actions) < 40_000 and one != other:
            return steps, "DIFFERENT"
        steps += 1
    return steps, "ok"


def main():
    p = argparse.ArgumentParser()
    p.add_argument("pythons", nargs="*")
    p.add_argument("--games", type=int, default=2)
    p.add_argument("--path", default="")
    p.add_argument("--only", default="")
    p.add_argument("--run", default="")
    p.add_argument("--old", default="")
    p.add_argument("--save", default="")
    p.add_argument("--twin", type=int, default=1)
    a = p.parse_args()
    stacks = a.only.split(",") if a.only else STACKS
    if a.run:
        for name in stacks:
            for seed in range(a.games):
                print(
                    json.dumps(
                        [
                            name,
                            seed,
                            *play(name, seed),
                            *(twin(name, seed) if a.run == "new" and seed < a.twin else (0, "ok")),
                        ]
                    ),
                    flush=True,
                )
        return

    def lines(python, which, path):
        env = dict(os.environ, PYTHONHASHSEED="0", **({"PYTHONPATH": path} if path else {}))
        r = subprocess.run(
            [
                os.path.abspath(python),
                os.path.abspath(__file__),
                "--run",
                which,
                "--games",
                str(a.games),
                "--twin",
                str(a.twin),
                "--only",
                ",".join(stacks),
            ],
            capture_output=True,
            text=True,
            env=env,
            cwd=tempfile.gettempdir(),
        )
        if r.returncode:
            print(r.stdout[-500:], r.stderr[-3000:])
        return {tuple(x[:2]): x[2:] for x in map(json.loads, r.stdout.splitlines())}

    if a.old and os.path.exists(a.old):
        old = {tuple(x[0]): x[1] for x in json.load(open(a.old))}
    else:
        old = lines(a.pythons[0], "old", "")
        if a.save:
            json.dump([[k, v] for k, v in old.items()], open(a.save, "w"))
    new = lines(a.pythons[-1], "new", a.path)
    bad, games, decisions, steps = 0, 0, 0, 0
    for key, got in new.items():
        games += 1
        decisions += got[0]
        steps += got[2]
        if got[:2] != old.get(key, [None])[:2] or got[3] != "ok":
            bad += 1
            print("DIFFERENT", key, old.get(key), got)
    missing = [(s, g) for s in stacks for g in range(a.games) if (s, g) not in new]
    print(
        f"{games} games, {decisions} decisions, {steps} steps by number: {bad} differ, {len(missing)} missing {missing[:3]}"
    )
    sys.exit(bool(bad or missing))


if __name__ == "__main__":
    main()

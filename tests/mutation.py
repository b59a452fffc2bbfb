"""Mutation testing: change the code in many small ways and see whether a test fails each time.

`python tests/mutation.py` takes a sample of the mutants of every module below (`--sample 20` of each unless said otherwise,
`--sample 0` for all), runs the tests that belong to the module on each until one fails, and prints the mutants that survived
and a table. Those that make no difference that anybody could see are explained beside the line, see `mutants.SURVIVES`, and are not
tried. `--only kernel/scoring` looks at one module;
`--results FILE` keeps the mutants that were killed in a file, and goes on from there (delete it when tests have changed for the worse).
It needs cosmic-ray, the dependency group `mutation`, Python 3.12 and a system that can fork. It works on a copy of the source
and leaves this one alone.

A mutant costs as little as it can: every run is a fork of a process that has pytest ready, only the changed module is
compiled, and the tests that run the changed line come first, the quickest and most telling of them foremost.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

from mutant_runs import Run, Seen, run, watch
from mutants import Mutant, mutants

ROOT = Path(__file__).parent.parent
#: The rules of play, without the few tests that take most of the time.
SLOW = ("test_nordic_payments", "test_bonus_tickets", "test_scoring")
PLAY = [
    *(
        f"tests/rules/{path.name}"
        for path in sorted((ROOT / "tests" / "rules").glob("test_*.py"))
        if path.stem not in SLOW
    ),
    "tests/test_perft.py",
    "tests/test_hooks_of_maps.py",
    "tests/test_offered_claims.py",
    "tests/test_offer.py::test_no_question_takes_much_work_or_room[europe]",
    "tests/test_plugins.py::test_how_many_tickets_are_kept_shows_after_the_last_of_three_stages",
    "tests/test_plugins.py::test_passes_end_the_game_as_soon_as_the_economy_has_nothing_left",
    "tests/test_plugins.py::test_a_turn_that_ends_after_a_question_was_no_pass",
]
SCORES = ["tests/rules/test_scoring.py", "tests/test_paths.py", "tests/test_lending.py", "tests/rules/test_stations.py"]
DICE = [
    f"tests/rules/test_{name}.py" for name in ("dice", "dice_payments", "dice_tokens", "dice_tunnels", "last_round")
]
MARKLIN = [f"tests/rules/test_{name}.py" for name in ("marklin", "passengers", "running_score")]
NORDIC = ["tests/rules/test_nordic.py", "tests/rules/test_nordic_payments.py"]
SETUP = ["tests/rules/test_setup.py", "tests/rules/test_ticket_draws.py"]
SAVED = [f"tests/test_{name}.py" for name in ("saves", "journals", "errors", "fuzz", "plugins")]
#: Modules and the tests that must notice a change in them. Those of variants begin with `variants/`.
MODULES: dict[str, list[str]] = {
    "kernel/scoring": [
        *SCORES,
        "tests/rules/test_running_score.py",
        "tests/test_sheets.py",
        "tests/test_plugins.py::test_what_a_plugin_scores_by_names_the_plugin_when_it_fails",
        "tests/test_plugins.py::test_a_tie_break_that_fails_is_told_as_the_plugins",
    ],
    "kernel/numbering": ["tests/test_numbering.py"],
    "kernel/steps": ["tests/test_numbering.py", "tests/test_perft.py", "tests/test_playthroughs.py"],
    "train_cards/upkeep": ["tests/rules/test_draws.py", "tests/rules/test_tunnels.py"],
    "kernel/scores": [*SCORES, "tests/test_sheets.py", "tests/rules/test_pennsylvania.py"],
    "kernel/open_routes": ["tests/rules/test_claims.py", "tests/test_arrange.py", "tests/test_shared_routes.py"],
    "kernel/turn": [
        *PLAY,
        "tests/test_turn_questions.py",
        "tests/test_no_leaks.py::test_tickets_are_shown_after_the_last_turn_and_not_before",
    ],
    "graph/paths": ["tests/test_paths.py", "tests/test_errors.py::test_routes_without_a_longest_path"],
    "graph/trails": ["tests/test_paths.py"],
    "graph/frontier": ["tests/test_paths.py"],
    "graph/lending": ["tests/test_lending.py", "tests/rules/test_stations.py"],
    **dict.fromkeys(
        [
            *("mechanics/claims", "mechanics/tickets"),
            *("train_cards/draws", "train_cards/row", "train_cards/payments", "train_cards/economy"),
        ],
        PLAY,
    ),
    **dict.fromkeys(
        ["mechanics/tunnels", "mechanics/ticket_mix"], [*PLAY, "tests/test_numbering.py", "tests/test_cost_changes.py"]
    ),
    "model/chance": [
        "tests/test_determinism.py",
        "tests/test_seeds.py",
        "tests/test_determinize.py::test_numbers_of_any_size_are_drawn_uniformly",
    ],
    **dict.fromkeys(["saves/saving", "saves/text", "saves/header", "saves/moves"], SAVED),
    "saves/verify": ["tests/test_saves.py"],
    "saves/migrations": ["tests/test_saves.py", "tests/test_errors.py"],
    **dict.fromkeys(
        ["saves/journal", "saves/linefile", "saves/open_files"],
        ["tests/test_journals.py", "tests/test_many_journals.py", "tests/test_interrupts.py"],
    ),
    **dict.fromkeys(
        [f"clients/{name}" for name in ("converting", "exposed", "messages", "reading", "sheets")],
        ["tests/test_messages.py", "tests/test_schema.py", "tests/test_fuzz.py::test_messages_of_servers_and_clients"],
    ),
    "hidden/ticket_layouts": ["tests/test_hidden_tickets.py"],
    "_internal/limits": ["tests/test_limits.py", "tests/test_fuzz.py"],
    "_internal/exact": ["tests/test_mapfile.py", "tests/test_saves.py"],
    **dict.fromkeys([f"variants/dice/{name}" for name in ("economy", "turn", "state", "events")], DICE),
    **dict.fromkeys(["variants/europe/stations", "variants/europe/lending"], ["tests/rules/test_stations.py", *SCORES]),
    **dict.fromkeys([f"variants/nordic_countries/{name}" for name in ("cards", "payments", "multisets")], NORDIC),
    "variants/switzerland": ["tests/rules/test_switzerland.py", "tests/test_rule_ids.py", *SETUP],
    **dict.fromkeys([f"variants/marklin/{name}" for name in ("cards", "journeys", "passengers", "state")], MARKLIN),
    "variants/mega_europa": ["tests/rules/test_europe_variants.py", *SETUP],
    "variants/bonus_tickets": ["tests/rules/test_bonus_tickets.py"],
}
LEFT_OUT = (".git", ".venv", "_build", "__pycache__", ".*_cache", ".hypothesis", ".benchmarks")
#: Seconds that the tests of a module never take.
LONG = 600
#: So many tests are tried before the files of all of them are loaded.
FIRST = 12


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, default=20, help="how many mutants of a module; 0 for all")
    parser.add_argument("--only", action="append", choices=MODULES, help="one module; may be given several times")
    parser.add_argument("--seed", type=int, default=1, help="which sample")
    parser.add_argument(
        "--results", type=Path, help="a file to keep the killed in; those found there are not tried again"
    )
    asked = parser.parse_args()
    killed = Killed(asked.results)
    table: list[tuple[str, int, int, int, int]] = []
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        copy = Path(folder).resolve() / "copy"
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(*LEFT_OUT))
        for module in asked.only or MODULES:
            path = path_of(module, copy)
            every = mutants(module, path)
            tried = every
            if asked.sample and len(every) > asked.sample:
                tried = Random(f"{asked.seed} {module}").sample(every, asked.sample)
            to_run = [each for each in tried if not each.explained]
            alive = 0
            for each in look_at(to_run, MODULES[module], path, copy, killed):
                alive += 1
                print("SURVIVED " + each.identity, flush=True)
            table.append((module, len(tried), len(every), len(to_run) - alive, len(tried) - len(to_run)))
            print(row(*table[-1]), flush=True)
    print("\n| module | tried | of | killed | explained | left |\n| --- | ---: | ---: | ---: | ---: | ---: |")
    for line in table:
        print(row(*line))
    total = [sum(column) for column in zip(*(line[1:] for line in table), strict=True)]
    print(row("all", *total))
    return 1 if total[0] > total[2] + total[3] else 0


def path_of(module: str, copy: Path) -> Path:
    """The file of a module in a copy of the source."""
    if module.startswith("variants/"):
        return copy / "variants" / "ttr_variants" / f"{module.removeprefix('variants/')}.py"
    return copy / "src" / "ttr_rules" / f"{module}.py"


def row(module: str, tried: int, of: int, killed: int, explained: int) -> str:
    """A line of the table that is printed."""
    return f"| {module} | {tried} | {of} | {killed} | {explained} | {tried - killed - explained} |"


def look_at(tried: list[Mutant], files: list[str], path: Path, copy: Path, killed: Killed) -> Iterator[Mutant]:
    """The mutants of a module that its tests do not notice."""
    original = path.read_text(encoding="utf-8")
    base = watch(copy, files, path, LONG)
    assert base.good, f"the tests fail without a change:\n{base.output}"
    seconds = sum(seen.seconds for seen in base.seen.values())
    for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*.pyc"):
        compiled.unlink()
    kills: Counter[str] = Counter()
    try:
        for each in tried:
            if each in killed:
                continue
            path.write_text(each.text, encoding="utf-8")
            order = best_first(base.seen, each, kills)
            found = Run()
            for part in parts(order):
                limits = {name: 10 * base.seen[name].seconds + 3 for name in part}
                found = run(copy, limits, 10 * seconds + 20)
                if not found.good:
                    break
            if found.good:
                yield each
            else:
                kills[found.failed or ""] += 1
                killed.add(each, found.failed)
    finally:
        path.write_text(original, encoding="utf-8")


def best_first(seen: dict[str, Seen], mutant: Mutant, kills: Counter[str]) -> list[str]:
    """The tests that run the changed lines, in the order in which they are likely to notice a change soonest.

    Those come first that have noticed many changes for the time they take. Tests that do not run the lines notice nothing, and are
    left out. (Those that start Python anew are among them: a mutant that they alone would notice counts as a survivor. A line that
    is run by no test, or when the module is imported, is left to all of them.)
    """

    def promise(name: str) -> float:
        return (kills[name] + 0.1) / (seen[name].seconds + 0.01)

    running = [name for name in seen if not seen[name].lines.isdisjoint(mutant.lines)]
    return sorted(running or seen, key=promise, reverse=True)


def parts(order: list[str]) -> list[list[str]]:
    """The tests in two runs, if the first saves loading the files of the second."""
    first, rest = order[:FIRST], order[FIRST:]
    return [first, rest] if {file_of(name) for name in rest} - {file_of(name) for name in first} else [order]


def file_of(test: str) -> str:
    return test.partition("::")[0]


class Killed:
    """The mutants that were killed, by their digests; in a file if there is one, so that a long run can be taken up again."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        lines = path.read_text(encoding="utf-8").splitlines() if path and path.exists() else []
        self.digests = {line.partition(" ")[0] for line in lines}

    def __contains__(self, mutant: Mutant) -> bool:
        return mutant.digest in self.digests

    def add(self, mutant: Mutant, by: str | None) -> None:
        self.digests.add(mutant.digest)
        if self.path:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(f"{mutant.digest} {mutant.identity} [{by}]\n")


if __name__ == "__main__":
    sys.exit(main())

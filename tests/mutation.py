"""Mutation testing: change the code in many small ways and see whether a test fails each time.

`python tests/mutation.py` takes a sample of the mutants of every module below (`--sample 20` of each unless said otherwise,
`--sample 0` for all), runs the tests that belong to the module on each, and prints the score and the mutants that
survived, less those that tests/MUTANTS.md lists with the reason. `--only scoring` looks at one module. It needs
cosmic-ray, the dependency group `mutation`. It works on a copy of the source and leaves this one alone.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random

ROOT = Path(__file__).parent.parent
PLAY = [
    f"tests/rules/test_{name}.py"
    for name in ("claims", "tunnels", "draws", "ticket_draws", "setup", "last_round", "europe_variants")
]
SCORES = ["tests/rules/test_scoring.py", "tests/test_paths.py", "tests/test_lending.py", "tests/rules/test_stations.py"]
#: Modules and the tests that must notice a change in them.
MODULES: dict[str, list[str]] = {
    "scoring": SCORES,
    "paths": ["tests/test_paths.py"],
    "frontier": ["tests/test_paths.py"],
    "lending": SCORES,
    "mechanics/claim": [*PLAY, "tests/test_offered_claims.py"],
    "mechanics/draws": PLAY,
    "mechanics/ticket_draws": PLAY,
    "mechanics/ticket_mix": [*PLAY, "tests/rules/test_marklin.py"],
    "mechanics/train_cards": PLAY,
    "mechanics/turn": [*PLAY, "tests/test_no_leaks.py::test_tickets_are_shown_after_the_last_turn_and_not_before"],
    "chance": [
        "tests/test_determinism.py",
        "tests/test_seeds.py",
        "tests/test_determinize.py::test_numbers_of_any_size_are_drawn_uniformly",
    ],
    "serial": ["tests/test_saves.py", "tests/test_errors.py", "tests/test_fuzz.py"],
    "redecide": ["tests/test_saves.py"],
    "journal": ["tests/test_saves.py"],
    "upcast": ["tests/test_saves.py"],
    "hidden_tickets": ["tests/test_determinize.py"],
    "limits": ["tests/test_fuzz.py"],
    "strangers": ["tests/test_hostile_actions.py"],
}
#: Changes that mean nothing here: `|` stands in annotations, which are not run; decorators fail at once; `is` is `==` for classes
#: and small numbers.
POINTLESS = re.compile(r"ReplaceBinaryOperator_BitOr_|RemoveDecorator|_Eq_Is$|_Is_Eq$|_NotEq_IsNot$|_IsNot_NotEq$")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, default=20, help="how many mutants of a module; 0 for all")
    parser.add_argument("--only", action="append", choices=MODULES, help="one module; may be given several times")
    parser.add_argument("--seed", type=int, default=1, help="which sample")
    parser.add_argument("--timeout", type=float, default=90, help="seconds until a mutant that does not end is killed")
    asked = parser.parse_args()
    known = reasons((ROOT / "tests" / "MUTANTS.md").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        copy = Path(folder) / "copy"
        shutil.copytree(
            ROOT,
            copy,
            ignore=shutil.ignore_patterns(".git", ".venv", "_build", "__pycache__", ".*_cache", ".hypothesis"),
        )
        killed = tried = 0
        survivors: list[str] = []
        for module in asked.only or MODULES:
            dead, count, alive = look_at(module, copy, asked.sample, asked.seed, asked.timeout)
            killed, tried = killed + dead, tried + count
            survivors += alive
            print(f"{module}: {dead} of {count} killed", flush=True)
            for each in alive:
                print(
                    "   " + ("(listed) " if identity(each) in known else "SURVIVED ") + each.replace("\n", "\n      "),
                    flush=True,
                )
    left = [each for each in survivors if identity(each) not in known]
    print(
        f"{killed} of {tried} mutants killed; {len(survivors) - len(left)} survivors are listed with a reason, {len(left)} are not"
    )
    return 1 if left else 0


def look_at(module: str, copy: Path, sample: int, seed: int, timeout: float) -> tuple[int, int, list[str]]:
    """How many mutants of a module were killed, of how many, and those that were not."""
    from cosmic_ray.mutating import mutate_and_test
    from cosmic_ray.work_db import WorkDB, use_db
    from cosmic_ray.work_item import TestOutcome

    python = f"PYTHONPATH={copy}/src:{copy}/variants:{copy}/maps:{copy}/tests {sys.executable}"
    tests = " ".join(MODULES[module])
    command = f"env {python} -m pytest -q -x -p no:cacheprovider --no-header {tests}"
    config = copy / "mutation.toml"
    config.write_text(
        f'[cosmic-ray]\nmodule-path = "src/ttr_rules/{module}.py"\ntimeout = {timeout}\nexcluded-modules = []\n'
        f'test-command = "{command}"\n[cosmic-ray.distributor]\nname = "local"\n',
        encoding="utf-8",
    )
    session = copy / "session.sqlite"
    session.unlink(missing_ok=True)
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    ray = Path(sys.executable).parent / "cosmic-ray"
    subprocess.run([ray, "init", str(config), str(session)], cwd=copy, check=True, env=environment, capture_output=True)
    subprocess.run(command, cwd=copy, check=True, env=environment, shell=True, capture_output=True)
    with use_db(str(session), WorkDB.Mode.open) as database:
        items = [item for item in database.work_items if not POINTLESS.search(item.mutations[0].operator_name)]
    if sample and len(items) > sample:
        items = Random(f"{seed} {module}").sample(items, sample)
    os.chdir(copy)
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    killed = 0
    survivors: list[str] = []
    for item in items:
        result = mutate_and_test(list(item.mutations), command, timeout)
        if result.test_outcome == TestOutcome.SURVIVED:
            survivors.append(f"{module}: {changed_lines(result.diff or '')}")
        else:
            killed += 1
    os.chdir(ROOT)
    return killed, len(items), survivors


def changed_lines(diff: str) -> str:
    """The lines of a diff that a mutant changed."""
    lines = [line for line in diff.splitlines() if line[:1] in "+-" and line[:3] not in ("+++", "---")]
    return "\n".join(line[0] + " " + line[1:].strip() for line in lines)


def identity(survivor: str) -> str:
    """A survivor as tests/MUTANTS.md writes it: in one line."""
    return " ".join(survivor.split())


def reasons(text: str) -> set[str]:
    """The survivors that are listed with a reason: what stands in code at the beginning of a point."""
    return {" ".join(found.split()) for found in re.findall(r"^- `` (.*?) ``", text, re.MULTILINE | re.DOTALL)}


if __name__ == "__main__":
    sys.exit(main())

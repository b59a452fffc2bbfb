"""Filter for cosmic-ray sessions: skips mutants that nobody could notice, and takes a sample of the others.

`python tests/mutation/skip.py SESSION.sqlite --sample 20` skips, in a session that `cosmic-ray init` made:

- changes of annotations inside functions, which nothing reads, and of `strict=True`, which only checks the program itself;
- what `survivors.toml` explains;
- beyond the sample, all the rest.
"""

from __future__ import annotations

import ast
import json
import sys
import tomllib
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random

from cosmic_ray.tools.filters.filter_app import FilterApp
from cosmic_ray.work_db import WorkDB
from cosmic_ray.work_item import MutationSpec, TestOutcome, WorkerOutcome, WorkResult

REASONS = Path(__file__).parent / "survivors.toml"
#: A place in a file: the line, counted from 1, and the column.
Place = tuple[int, int]


class Skip(FilterApp):  # type: ignore[misc]
    """The filter as a command."""

    def add_args(self, parser: ArgumentParser) -> None:
        parser.add_argument("--sample", type=int, default=0, help="how many mutants of the session to try; 0 for all")
        parser.add_argument("--seed", type=int, default=1, help="which sample")
        parser.add_argument(
            "--survivors",
            action="store_true",
            help="print the survivors as survivors.toml has them, and fail if there are any",
        )

    def filter(self, work_db: WorkDB, args: Namespace) -> None:
        if args.survivors:
            if found := [*survivors(work_db), *not_tried(work_db)]:
                sys.exit("\n".join(found))
            return
        if outdated := list(stale()):
            sys.exit("\n".join(["survivors.toml explains what is not in the source:", *outdated]))
        skipped: Counter[str] = Counter()
        left = []
        # Sorted, so that a sample is the same in every run: cosmic-ray's own order is random.
        for item in sorted(work_db.pending_work_items, key=lambda item: order(item.mutations[0])):
            if reason := why_skip(item.mutations[0]):
                skipped["without effect" if reason == NO_EFFECT else "explained"] += 1
                work_db.set_result(item.job_id, WorkResult(WorkerOutcome.SKIPPED, output=reason))
            else:
                left.append(item)
        tried = Random(args.seed).sample(left, min(args.sample or len(left), len(left)))
        chosen = {item.job_id for item in tried}
        for item in left:
            if item.job_id not in chosen:
                work_db.set_result(item.job_id, WorkResult(WorkerOutcome.SKIPPED, output="not in the sample"))
        told = "".join(f", {number} {what}" for what, number in sorted(skipped.items()))
        print(f"{len(tried)} of {len(left)} mutants are tried{told}")


NO_EFFECT = "nothing reads it"


def survivors(work_db: WorkDB) -> Iterator[str]:
    """Lines for `survivors.toml`, for every mutant that survived, without the reasons."""
    for item, result in work_db.completed_work_items:
        if result.test_outcome == TestOutcome.SURVIVED:
            mutation = item.mutations[0]
            line = lines(mutation.module_path)[mutation.start_pos[0] - 1].strip()
            yield f'["{module_name(mutation.module_path)}"] {mutation.definition_name}'
            yield f'  {{ line = {json.dumps(line)}, operators = [{json.dumps(operator(mutation))}], why = "" }},'


def not_tried(work_db: WorkDB) -> Iterator[str]:
    """Mutants whose tests have not run to an end, with the output if there is any."""
    yield from (f"not tried: {item.mutations[0]}" for item in work_db.pending_work_items)
    for item, result in work_db.completed_work_items:
        if result.worker_outcome != WorkerOutcome.SKIPPED and result.test_outcome not in (
            TestOutcome.KILLED,
            TestOutcome.SURVIVED,
        ):
            yield f"not tried: {item.mutations[0]}\n{result.output}"


def order(mutation: MutationSpec) -> tuple[str, str, int]:
    """The place of a mutant among all mutants."""
    return str(mutation.module_path), mutation.operator_name, mutation.occurrence


def why_skip(mutation: MutationSpec) -> str | None:
    """The reason for which a mutant is not tried, if there is one."""
    path = mutation.module_path
    line, column = mutation.start_pos
    text = lines(path)[line - 1]
    if text[:column].endswith("strict=") or any(
        start <= (line, column) < end for start, end in annotation_ranges(path)
    ):
        return NO_EFFECT
    return explanations().get((module_name(path), mutation.definition_name or "", text.strip(), operator(mutation)))


def module_name(path: Path) -> str:
    """A module as `survivors.toml` names it, `ttr_rules/graph/trails.py`, wherever the source is."""
    package = max(number for number, part in enumerate(path.parts) if part.startswith("ttr_"))
    return "/".join(path.parts[package:])


def operator(mutation: MutationSpec) -> str:
    """An operator's name without what all names have in common; of numbers also which way they go.

    `core/ReplaceComparisonOperator_Gt_GtE` is `Gt_GtE`, `core/NumberReplacer` is `Number+1` or `Number-1`.
    """
    name = str(mutation.operator_name).removeprefix("core/")
    if name == "NumberReplacer":
        return "Number-1" if mutation.occurrence % 2 else "Number+1"
    for family in ("ReplaceComparisonOperator_", "ReplaceBinaryOperator_", "ReplaceUnaryOperator_"):
        name = name.removeprefix(family)
    return name


@cache
def explanations() -> dict[tuple[str, str, str, str], str]:
    """The reasons of `survivors.toml`, by module, function, line and operator."""
    modules = tomllib.loads(REASONS.read_text(encoding="utf-8"))
    return {
        (module, function, entry["line"], operator): entry["why"]
        for module, functions in modules.items()
        for function, entries in functions.items()
        for entry in entries
        for operator in entry["operators"]
    }


def stale() -> Iterator[str]:
    """The entries of `survivors.toml` whose line is not, or no longer, in their function."""
    reported = set[tuple[str, str, str]]()
    for module, function, line, _ in explanations():
        if (module, function, line) not in reported and line not in lines_by_function(module).get(function, ()):
            reported.add((module, function, line))
            yield f"  {module}, {function or 'module level'}: {line}"


@cache
def lines_by_function(module: str) -> dict[str, set[str]]:
    """The lines of each function and class of a module, without indentation; of the whole module under ""."""
    root = REASONS.parents[2]
    path = next((path for source in ("src", "variants", "maps") if (path := root / source / module).exists()), None)
    if path is None:
        return {}
    text = [line.strip() for line in lines(path)]
    known = {"": set(text)}
    for node in ast.walk(ast.parse("\n".join(lines(path)))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            known.setdefault(node.name, set()).update(text[node.lineno - 1 : node.end_lineno])
    return known


@cache
def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").split("\n")


@cache
def annotation_ranges(path: Path) -> list[tuple[Place, Place]]:
    """Where the annotations of functions, and in them, begin and end."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [
        ((each.lineno, each.col_offset), (each.end_lineno or 0, each.end_col_offset or 0))
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for each in annotations_of(function)
    ]


def annotations_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[ast.expr]:
    if function.returns:
        yield function.returns
    for node in ast.walk(function):
        if isinstance(node, ast.arg | ast.AnnAssign) and node.annotation:
            yield node.annotation


if __name__ == "__main__":
    sys.exit(Skip().main())

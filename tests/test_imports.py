"""The order of the packages, who may import what, and that the core knows no variant."""

from __future__ import annotations

import ast
import py_compile
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from doctest import DocTestParser
from functools import cache
from graphlib import CycleError, TopologicalSorter
from importlib import import_module
from pathlib import Path
from types import ModuleType
from zipfile import ZipFile

import pytest

import ttr_maps
import ttr_rules
import ttr_variants
from ttr_rules import errors, events
from ttr_rules._internal.lazy import _imports

CORE, VARIANTS, MAPS = (Path(str(package.__file__)).parent for package in (ttr_rules, ttr_variants, ttr_maps))
LONGEST_FILE = 350

#: Each package of the library, with its place: a package may import those of lower places alone. What shares a place does
#: not import each other. `events` is a module that gathers what kernel and train cards have.
ORDER = (
    {"_version"},
    {"_internal"},
    {"errors"},
    {"model"},
    {"boards", "graph"},
    {"kernel"},
    {"_build"},
    {"mechanics", "train_cards"},
    {"events", "plugins"},
    {"narration", "play"},
    {"saves", "hidden"},
    {"bots"},
    {"clients"},
    {"testing", "render"},
    {"learning", "replay", "simulation"},
    {"web"},
    {"cli"},
    {"__main__"},
)
PLACE = {name: place for place, names in enumerate(ORDER) for name in names}
#: The modules for everybody: what a variant, a map, a test or a page of the docs imports.
PUBLIC = {
    "ttr_rules",
    *(
        f"ttr_rules.{name}"
        for name in (
            *("errors", "events", "model", "plugins", "train_cards", "saves", "clients", "boards", "testing"),
            *("bots", "learning", "narration", "render", "replay", "simulation", "web"),
        )
    ),
}


@cache
def modules() -> dict[str, Path]:
    """Every module of the library, its variants and its maps, by its name."""
    found: dict[str, Path] = {}
    for folder in (CORE, VARIANTS, MAPS):
        for path in sorted(folder.rglob("*.py")):
            parts = path.relative_to(folder.parent).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def imported(name: str) -> tuple[tuple[str, tuple[str, ...], int], ...]:
    """The modules that a module imports, wherever: at its top, in a function, for type checkers only.

    For each statement the name of the module, the names taken from it, and the line.
    """
    path = modules()[name]
    package = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    found: list[tuple[str, tuple[str, ...], int]] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [(each.name, (), node.lineno) for each in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            source = ".".join([*base, *([node.module] if node.module else [])])
            for each in node.names:
                inner = f"{source}.{each.name}"
                found.append((inner, (), node.lineno) if inner in modules() else (source, (each.name,), node.lineno))
    return tuple(found)


def arrows() -> Iterator[tuple[str, str, str]]:
    """Every import of a module of ours by another: who, whom, and where."""
    for name in modules():
        for target, _, line in imported(name):
            if target in modules() and target != name:
                yield name, target, f"{name}, line {line}: imports {target}"


def package_of(module: str) -> str:
    """The package of the library that a module belongs to; "" for the root."""
    return f"{module}.".split(".")[1]


def test_packages_import_in_one_order() -> None:
    there = {package_of(name) for name in modules() if name.startswith("ttr_rules.")}
    assert there == set(PLACE), "a package is new or gone: give it its place in ORDER"
    wrong = []
    for source, target, where in arrows():
        if source.startswith("ttr_rules.") and target.partition(".")[0] == "ttr_rules":
            above, below = package_of(source), package_of(target)
            if above != below and not (below and PLACE[below] < PLACE[above]):
                wrong.append(where)
    assert not wrong, "\n".join(wrong)
    assert len(list(arrows())) > 500, "the imports are not found any more"


def test_no_modules_import_each_other_in_a_circle() -> None:
    graph: dict[str, set[str]] = {name: set() for name in modules()}
    for source, target, _ in arrows():
        if not source.startswith(f"{target}."):  # a package runs before what is in it, and does not wait for it
            graph[source].add(target)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        raise AssertionError(" imports ".join(reversed(error.args[1]))) from None


def test_the_library_knows_no_variant_and_variants_know_public_modules_alone() -> None:
    wrong = []
    for name in modules():
        home = name.partition(".")[0]
        allowed = {"ttr_rules": (), "ttr_maps": ("ttr_maps",), "ttr_variants": ("ttr_maps", "ttr_variants")}[home]
        for target, names, line in imported(name):
            top = target.partition(".")[0]
            if top in ("ttr_variants", "ttr_maps") and home != top and top not in allowed:
                wrong.append(f"{name}, line {line}: imports {target}")
            if home != "ttr_rules" and top == "ttr_rules":
                public = set(getattr(import_module(target), "__all__", ()))
                if target not in PUBLIC or not set(names) <= public:
                    wrong.append(f"{name}, line {line}: {', '.join(names)} of {target} is not public")
    assert not wrong, "\n".join(wrong)


def private_names(trees: Iterable[ast.Module]) -> set[str]:
    """The names with an underscore in front that some modules use of objects, and do not define themselves."""
    used: set[str] = set()
    own: set[str] = set()
    for node in (node for tree in trees for node in ast.walk(tree)):
        if isinstance(node, ast.Attribute):
            (own if isinstance(node.ctx, ast.Store) else used).add(node.attr)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            own.add(node.name)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            own.add(node.target.id)
    return {name for name in used - own if name.startswith("_") and not name.startswith("__")}


def test_variants_use_nothing_private_of_the_library() -> None:
    """Stations, dice, passengers and tokens have no door that others do not have."""
    trees = [
        ast.parse(path.read_text(encoding="utf-8"))
        for name, path in modules().items()
        if name.startswith("ttr_variants")
    ]
    assert len(trees) > 40 and private_names(trees) == set()
    assert private_names([ast.parse("def f(game): return game._state, f._own\nf._own = 1")]) == {"_state"}


#: What a package may import that comes with an extra.
DATA = {"matplotlib", "openskill", "polars", "pyarrow", "scipy"}
EXTRAS = {
    "cli": {"click", "rich", *DATA},
    "learning": {"gymnasium", "numpy", "pettingzoo", "pyspiel"},
    "render": {"resvg_py"},
    "simulation": {"rich", *DATA},
    "testing": {"babel", "hypothesis", "pytest"},
    "web": {"anyio", "starlette", "uvicorn"},
}


def test_only_what_is_declared_is_imported() -> None:
    """attrs, cattrs and pluggy; a package may use those of its extra."""
    wrong = []
    for name in modules():
        allowed = {"ttr_rules", "ttr_maps", "ttr_variants", "attrs", *sys.stdlib_module_names}
        if name.startswith("ttr_rules."):
            allowed |= {"cattrs", "pluggy"}
            allowed |= EXTRAS.get(package_of(name), set())
        if name == "ttr_rules._internal.native":
            allowed.add("mypy_extensions")  # for type checkers and the compiler alone
        wrong += [
            f"{name}, line {line}: imports {target}"
            for target, _, line in imported(name)
            if target.partition(".")[0] not in allowed
        ]
    assert not wrong, "\n".join(wrong)


def test_no_file_is_too_long_and_each_says_what_it_is() -> None:
    texts = {name: path.read_text(encoding="utf-8") for name, path in modules().items()}
    assert [name for name, text in texts.items() if len(text.splitlines()) > LONGEST_FILE] == []
    assert [name for name, text in texts.items() if not ast.get_docstring(ast.parse(text))] == []


# -- the words of variants -----------------------------------------------------------------------------------------

#: What belongs to variants alone. Names of maps may stand in docstrings and comments, as examples.
THINGS = re.compile(
    r"(?i)(?<![a-z])(station|dice(?![a-z])|passenger|journey|märklin|marklin|nordic|swiss|switzerland|orient.express|mega"
    r"|mandala|mountain|compan(?:y|ies)|technolog|concession|district|attraction|right.of.way|tender|boiler|majorit"
    r"|india(?![a-z])|legendary|(?<!east_)asia|london|new.york|pennsylvania|british|united.kingdom|big.cit|bonus.ticket)"
)
MAP_NAMES = re.compile(r"(?i)(?<![a-z])(europ[ae]|north.america)")
EXAMPLE = "an example: "
COMMANDS = "examples of commands for people, which name stacks that they can play"

#: Where they stand all the same, and why. A line that is no longer needed fails the test.
EXCEPTIONS: dict[str, tuple[set[str], str]] = {
    "cli/__init__.py": ({"europe", "north-america"}, COMMANDS),
    "cli/about.py": ({"dice", "station", "north-america", "europe"}, COMMANDS),
    "cli/board.py": ({"mega", "europa", "europe", "switzerland", "north-america"}, COMMANDS),
    "cli/develop.py": ({"dice", "europe"}, COMMANDS),
    "cli/play.py": ({"dice", "europe", "north-america"}, COMMANDS),
    "cli/render.py": ({"europe", "marklin"}, COMMANDS),
    "cli/replay.py": ({"europe"}, COMMANDS),
    "cli/serve.py": ({"dice", "europe", "north-america"}, COMMANDS),
    "cli/simulate.py": ({"dice", "europe", "north-america"}, COMMANDS),
    "cli/tournament.py": ({"dice", "europe", "north-america"}, COMMANDS),
    "cli/terminal.py": ({"dice", "europe"}, COMMANDS),
    "cli/score.py": ({"europe", "london"}, COMMANDS),
    "cli/ticket_files.py": ({"marklin"}, COMMANDS + ": no other plugin lacks tickets"),
    "kernel/fields.py": ({"station"}, EXAMPLE + "a label for a column"),
    "kernel/plugin.py": ({"station"}, EXAMPLE + "how an option is set"),
    "learning/spiel.py": ({"europe"}, "OpenSpiel wants a default for each parameter, the stack too"),
    "model/board.py": ({"london"}, EXAMPLE + "how half of a double is printed"),
    "model/actions.py": ({"station"}, EXAMPLE + "an action of a variant"),
    "model/decisions.py": ({"dice"}, EXAMPLE + "a decision of a variant"),
    "play/tables.py": ({"europe"}, EXAMPLE + "a message shows how the names of plugins are written"),
    "narration/narrator.py": ({"station"}, EXAMPLE + "a message template"),
    "plugins/hooks.py": ({"station"}, EXAMPLE + "how Europe is put together"),
    "render/__init__.py": ({"london"}, EXAMPLE + "a route to draw"),
    "plugins/type_tags.py": ({"dice"}, EXAMPLE + "a tag"),
}


def words_in(path: Path) -> set[str]:
    """The words of variants in a file, its comments and docstrings included. Doctests are examples and do not count."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        return {word.lower() for pattern in (THINGS, MAP_NAMES) for word in pattern.findall(text)}
    if not THINGS.search(text) and not MAP_NAMES.search(text):
        return set()
    lines, tree = text.splitlines(), ast.parse(text)
    docs = [
        node.value for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    ]
    told: list[str] = []
    for doc in docs:
        if isinstance(doc.value, str):
            told += [each for each in DocTestParser().parse(doc.value) if isinstance(each, str)]
            last = doc.end_lineno or doc.lineno
            lines[doc.lineno - 1 : last] = [""] * (last - doc.lineno + 1)
    found = {word.lower() for word in THINGS.findall("\n".join([*told, *lines]))}
    return found | {word.lower() for line in lines for word in MAP_NAMES.findall(line.partition("#")[0])}


def test_the_core_has_no_word_of_a_variant() -> None:
    found: dict[str, set[str]] = {}
    for path in sorted((*CORE.rglob("*.py"), *CORE.rglob("*.toml"))):
        name = path.relative_to(CORE).as_posix()
        if words := words_in(path):
            found[name] = words
    assert found == {name: words for name, (words, _) in EXCEPTIONS.items()}, (
        "say why in EXCEPTIONS, or take the words out"
    )


def test_words_of_variants_are_found(tmp_path: Path) -> None:
    file = tmp_path / "some.py"
    for text, words in (
        ('def f() -> None:\n    """Like Europe\'s.\n\n    >>> f(\'dice\')\n    """', set()),
        ("indices = 1  # for the dice", {"dice"}),
        ("stations_left = 0", {"station"}),
        ("FEWER_STATIONS = 'north-america'", {"station", "north-america"}),
        ("class EuropeTie: ...", {"europe"}),
        ("def mandala(): ...  # mountains, companies", {"mandala", "mountain", "companies"}),
    ):
        file.write_text(text, encoding="utf-8")
        assert words_in(file) == words, text


# -- importing -----------------------------------------------------------------------------------------------------


def run(program: str) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", f"import sys; sys.path[:0] = {sys.path!r}; {program}"],
        capture_output=True, encoding="utf-8", timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


def test_importing_warns_of_nothing_and_prints_nothing() -> None:
    assert run("import ttr_rules, ttr_variants, ttr_maps") == ""


def test_importing_the_library_loads_nothing_that_it_does_not_need() -> None:
    extras = set.union(*EXTRAS.values())
    loaded = set(run("import ttr_rules; print(*sys.modules)").split())
    assert not loaded & {*extras, "_pytest", "ttr_variants", "ttr_maps", "numpy"}
    # Whoever plays here or in other processes needs no extra.
    play = "list(simulation.simulate('london', ['random', 'random'], 1, 1))"
    loaded = set(run(f"from ttr_rules import simulation; {play}; print(*sys.modules)").split())
    assert not loaded & {*extras, "numpy"}


def test_one_module_alone_asks_for_a_package_above_it_by_name() -> None:
    """Notebooks look for a picture on the class itself, so what is below asks for what draws, when a notebook does."""
    named: set[tuple[str, str]] = set()
    for name, path in modules().items():
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)) if "import_module" in text else ():
            if isinstance(node, ast.Call) and "import_module" in ast.dump(node.func):
                texts = [str(each.value) for each in node.args if isinstance(each, ast.Constant)]
                named |= {(name, text.rpartition(".")[0]) for text in texts if text.startswith("ttr_rules")}
    assert named == {("ttr_rules._internal.shown", "ttr_rules.render")}


def test_no_name_stands_for_a_function_and_a_module() -> None:
    """`ttr_rules.testing.playthrough` is the function, whatever was imported before."""
    for name in modules():
        package, _, inner = name.rpartition(".")
        if inner in getattr(import_module(package), "__all__", ()) if package else False:
            assert isinstance(getattr(import_module(package), inner), ModuleType), (
                f"{name} is a module and something else"
            )


@pytest.mark.pure
@pytest.mark.parametrize("package", sorted(PUBLIC))
def test_public_modules_say_what_they_have(package: str) -> None:
    if package == "ttr_rules.web":
        pytest.importorskip("starlette", reason="the extra web is not installed")
        pytest.importorskip("uvicorn", reason="the extra web is not installed")
    if package == "ttr_rules.learning":
        pytest.importorskip("pettingzoo", reason="the extra learning is not installed")
    names = import_module(package).__all__
    assert list(names) == sorted(set(names), key=names.index)
    for name in names:
        each = getattr(import_module(package), name)
        if isinstance(each, type) or (callable(each) and getattr(each, "__module__", "").startswith("ttr_rules")):
            assert (each.__doc__ or "").strip(), f"{package}.{name} has no docstring"


def test_the_root_stays_small() -> None:
    assert len(ttr_rules.__all__) <= 60


def test_every_error_of_the_library_is_one_family() -> None:
    found = [each for each in vars(errors).values() if isinstance(each, type) and issubclass(each, Exception)]
    assert len(found) >= 12
    assert all(issubclass(each, errors.TTRError) for each in found)
    assert issubclass(errors.IllegalActionError, ValueError)
    assert issubclass(errors.GameOverError, errors.IllegalActionError)
    assert issubclass(errors.NotYourTurnError, errors.IllegalActionError)


def test_events_of_the_kernel_and_of_train_cards_are_all_in_one_module() -> None:
    from ttr_rules.kernel import events as kernel_events
    from ttr_rules.train_cards import events as card_events

    assert sorted(events.__all__) == sorted({"Unknown", *kernel_events.__all__, *card_events.__all__})


def test_names_are_found_in_a_zip_file(tmp_path: Path) -> None:
    """Lazy packages read their own source, wherever it was imported from."""
    package = tmp_path / "lib.zip"
    with ZipFile(package, "w") as archive:
        archive.writestr("somewhere/__init__.py", LAZY)
    program = f"import sys; sys.path.insert(0, {str(package)!r}); import somewhere; print(somewhere.Counts(red=2))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "2 red\n"), done.stderr


def test_names_are_found_where_only_compiled_files_are(tmp_path: Path) -> None:
    """As `compileall -b` leaves them when the sources are deleted."""
    source = tmp_path / "somewhere" / "__init__.py"
    source.parent.mkdir()
    source.write_text(LAZY, encoding="utf-8")
    py_compile.compile(str(source), cfile=str(source.with_suffix(".pyc")), doraise=True)
    source.unlink()
    program = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import somewhere; print(somewhere.Counts(red=2))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "2 red\n"), done.stderr


def test_a_lazy_package_imports_each_of_its_names_for_type_checkers() -> None:
    for package in ("", ".boards", ".play", ".plugins", ".train_cards"):
        module = import_module(f"ttr_rules{package}")
        found = _imports(module.__name__)
        assert set(module.__all__) <= found.keys() | {"__version__"}
        assert all(getattr(module, name) is getattr(import_module(found[name]), name) for name in module.__all__)


LAZY = """
from typing import TYPE_CHECKING
from ttr_rules._internal.lazy import lazily
if TYPE_CHECKING:
    from ttr_rules.model import Counts
else:
    __getattr__, __dir__ = lazily(__name__)
__all__ = ["Counts"]
"""

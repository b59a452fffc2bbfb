"""Every check of the project, one session each: `nox` runs those that every change needs, `nox -l` lists all, `.ci/run` runs all.

What follows `--` goes to pytest or to the tool: `nox -s tests -- -k tunnels`. Sessions that look at what users get install the
newest versions; all others use the pins of requirements-dev.lock. Environments are kept in `.nox` and used again; `.ci/run` starts
from a clean clone, where there are none.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from random import randrange

import nox
from nox.command import CommandFailed

nox.needs_version = ">=2025.2.9"
nox.options.reuse_venv = "yes"
#: uv makes an environment in a fraction of the time, where it is installed; what shows that users' commands work stays with pip.
nox.options.default_venv_backend = "uv|virtualenv"

ROOT = Path(__file__).parent
LOCK = ROOT / "requirements-dev.lock"
DIST = ROOT / "dist"
SUPPORTED = ("3.11", "3.12", "3.13", "3.14")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

#: The packages that have catalogs of translations, each with further folders whose texts it translates.
CATALOGS = (("src/ttr_rules", "src/ttr_tools"), ("variants/ttr_variants", "maps/ttr_maps"))

os.environ.setdefault("PIP_DISABLE_PIP_VERSION_CHECK", "1")
os.environ["LANGUAGE"] = "en"  # what commands print is compared


# -- interpreters ----------------------------------------------------------------------------------------------


def version_of(python: str) -> str | None:
    """The version of an interpreter, such as "3.12"; None for a name that starts nothing (a version manager's shim)."""
    try:
        done = subprocess.run([python, "--version"], capture_output=True, text=True, check=False)
    except OSError:
        return None
    found = re.match(r"Python (\d+\.\d+)", done.stdout)
    return found[1] if found and done.returncode == 0 else None


def find_python(version: str) -> str | None:
    """The path of an interpreter: by its plain name if that starts, else one of pyenv, else the one that runs nox."""
    managed = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))
    for name in (f"python{version}", *map(str, managed), sys.executable):
        if version_of(name) == version:
            return shutil.which(name)
    return None


def find_free_threaded() -> str | None:
    """The path of an interpreter without a global lock, if there is one."""
    managed = sorted(Path.home().glob(".pyenv/versions/3.*t/bin/python"))
    for name in ("python3.14t", "python3.13t", *map(str, managed)):
        program = "import sys; sys.exit(sys._is_gil_enabled())"
        if version_of(name) and subprocess.run([name, "-c", program], check=False, capture_output=True).returncode == 0:
            return shutil.which(name)
    return None


PYTHONS = {version: path for version in SUPPORTED if (path := find_python(version)) is not None}
if not PYTHONS:
    sys.exit(f"none of the supported Pythons is on this machine: {', '.join(SUPPORTED)}")
OLDEST, NEWEST = next(iter(PYTHONS.values())), next(reversed(PYTHONS.values()))
nox.options.sessions = ["lint", "types", f"tests({next(reversed(PYTHONS))})"]
FREE_THREADED = find_free_threaded()

#: A session for every supported version: `nox -s "tests(3.12)"`. Those that are not on this machine are skipped, and say so.
every_python = nox.parametrize("python", [nox.param(PYTHONS.get(version, False), id=version) for version in SUPPORTED])


def skip_if_missing(session: nox.Session, what: str) -> None:
    """Skip a session whose interpreter is not on this machine."""
    if session.python is False:
        session.skip(f"{what} is not on this machine: NOT TESTED")


#: What the tests need besides the extras, for a wheel that is installed without the lock.
TESTING_COMPILED = ("pytest-xdist", "pytest-cov", "cloudpickle", "jsonschema", "httpx", "anyio", "babel")
#: On a CI server pytest rewrites no assertions, which takes each of its processes longer than to import the tests; only the few
#: tests that failed run again with more to say.
PLAIN = ("--assert=plain",) if "CI" in os.environ else ()
#: True where time is short: on a CI server, except at night (TTR_NIGHTLY).
QUICK = "CI" in os.environ and "TTR_NIGHTLY" not in os.environ
#: The games that the source plays, once the session `compiled` has played them.
PURE_GAMES: list[object] = []
#: The tests that passed in the sessions `readme` and `compiled` of this run of nox, and the lines that they ran. The session
#: `coverage` runs the other tests.
NOTES = tempfile.TemporaryDirectory(prefix="ttr-notes-")
PASSED, LINES = Path(NOTES.name) / "passed.txt", Path(NOTES.name) / "lines.coverage"
#: What the sessions `docs`, `browser`, `clients`, `simulation`, `learning` and `ppo` do.
DONE_ELSEWHERE = (
    "--ignore=tests/browser",
    "--ignore=tests/clients",
    "--ignore=tests/learning/test_ppo.py",
    "--ignore=tests/learning/test_training.py",
    "--ignore=tests/simulation/test_executors.py",
    "--deselect=tests/test_docs.py::test_the_site_builds_without_a_warning",
)
#: The quick tests in which another Python shows most in compiled code: what goes between C and Python, not what the rules say, as the
#: session `compiled` compares whole games on each.
THROUGH_COMPILED = [
    f"tests/test_{name}.py"
    for name in (
        "determinism",
        "errors",
        "hostile_actions",
        "numbering",
        "perft",
        "pickles",
        "reprs",
        "threads",
        "values",
    )
]
#: The quick tests of code that is never compiled (bots, pages, the command line, the kit …): on a compiled build they would say the same again.
#: Not those of mistakes in plugins: what a plugin gives is converted in compiled code.
BESIDE_COMPILED = tuple(f"tests/{name}" for name in (
    "learning/", "simulation/", "test_bench.", "test_bot", "test_ci.", "test_cli", "test_cookbook.",
    "test_docs.", "test_fuzz.", "test_imports.", "test_journals.", "test_kit_cures.", "test_languages.",
    "test_limits.", "test_mapfile.", "test_maps.", "test_messages.", "test_new_variant.", "test_pictures.",
    "test_placenames.", "test_planning.", "test_protocol.", "test_render_", "test_replay.", "test_rule_ids.",
    "test_schema.", "test_score_files.", "test_search_bot.", "test_sheets.", "test_strategies.",
    "test_testing_kit.", "test_ticketfile.", "web/",
))  # fmt: skip


# -- environments ----------------------------------------------------------------------------------------------


def install(session: nox.Session, *groups: str, project: bool = True, extras: str = "cli,testing,pictures,web") -> None:
    """Install the project for development and dependency groups, in the versions of the lock."""
    if session.venv_backend != "uv":
        session.install("-q", "pip>=25.1")  # for --group
    wanted = [f"--group={group}" for group in groups]
    session.install("-q", "-c", str(LOCK), *wanted, *(["-e", f".[{extras}]"] if project else []))


def built_wheel() -> str:
    """The wheel that the session `package` built."""
    return str(next(DIST.glob("ttr_rules-*.whl")))


@contextmanager
def folder() -> Generator[Path, None, None]:
    """A folder outside the project: what runs there cannot import from the source tree."""
    with tempfile.TemporaryDirectory(prefix="ttr-") as name:
        yield Path(name).resolve()


def run_tests(
    session: nox.Session, *arguments: str, again: tuple[str, ...] = (), env: dict[str, str | None] | None = None
) -> None:
    """Run tests with pytest; if only a few fail, those run once more (see `.ci/again.py`), with the arguments `again` added."""
    command = ("pytest", "-q", *arguments)
    if session.posargs:
        session.run(*command, env=env)
        return
    with folder() as cache:
        command = (*command, *PLAIN, "-o", f"cache_dir={cache}")
        env = {"PYTHONHASHSEED": str(randrange(2**32)), **(env or {})}  # the same for both runs
        try:
            session.run(*command, env=env)
        except CommandFailed as error:
            one_by_one = ("-n", "0") if "-n" in arguments else ()
            run_again(session, error, cache, *command, *one_by_one, *again, "--assert=rewrite", env=env)


def run_again(
    session: nox.Session, error: CommandFailed, cache: Path, *command: str, env: dict[str, str | None] | None = None
) -> None:
    """Run the few failed tests once more; an error that is not about failed tests is raised again."""
    if error.reason != "Returned code 1":
        raise error
    script = str(ROOT / ".ci" / "again.py")
    session.run(sys.executable, script, session.name, str(cache), *command, env=env, external=True)


def apt_install(session: nox.Session, package: str) -> None:
    """Install a package of the system with apt."""
    root = [] if os.geteuid() == 0 else ["sudo", "--non-interactive"]
    session.run(*root, "apt-get", "update", "-qq", external=True)
    session.run(*root, "apt-get", "install", "-qq", "--yes", package, external=True, silent=True)


def clone(target: Path) -> None:
    """What is committed, and nothing else."""
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(target)], check=True)


# -- what users type -------------------------------------------------------------------------------------------


@nox.session(python=NEWEST)
def readme(session: nox.Session) -> None:
    """The commands of the README, verbatim, each in a clean clone; the tests are measured for `coverage` while they run."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    commands = [line for block in blocks for line in block.splitlines() if line]
    assert len(commands) == 2, "the README has one command to play and one to test"
    for command in commands:
        with folder() as here, session.chdir(here):
            clone(here / "ttr-rules")
            session.chdir(here / "ttr-rules")
            if "pytest" in command:
                # Coverage is installed outside the environment, which the command alone makes.
                session.install(
                    "-q", "-c", str(LOCK), "--no-deps", "--target", str(here / "more"), "coverage", "pytest-cov"
                )
                env = {
                    "PYTHONPATH": os.pathsep.join((str(here / "more"), str(ROOT / ".ci"))),
                    "PYTEST_ADDOPTS": " ".join(("--cov", "--cov-report=", "-p", "passed", *PLAIN)),
                    "COVERAGE_CORE": "sysmon",
                    "COVERAGE_FILE": str(LINES),
                    "TTR_PASSED_NOTED": str(PASSED),
                }
                try:
                    session.run("bash", "-euc", command, external=True, env=env)
                except CommandFailed as error:
                    tree = here / "ttr-rules"
                    run_again(session, error, tree / ".pytest_cache", str(tree / ".venv" / "bin" / "pytest"))
            else:
                told = str(session.run("bash", "-euc", command, external=True, silent=True))
                session.log("\n".join(told.splitlines()[-40:]))
                if "wins with" not in told:
                    session.error("nobody has won the game")


@nox.session(python=False)
def tutorials(session: nox.Session) -> None:
    """The shell commands of the tutorials, literally, in order, in fresh environments."""
    with folder() as here:
        clone(here / "ttr-rules")
        session.run(sys.executable, "tests/tutorials.py", str(here / "ttr-rules"), external=True)


@nox.session(python=NEWEST, reuse_venv=False, venv_backend="virtualenv")
def pages(session: nox.Session) -> None:
    """Everything that the README and each other page with commands says, literally and in their order, in a folder of its own."""
    with folder() as here:
        clone(here / "clone")
        session.install("-q", f"{here / 'clone'}[cli,testing]")
        reader = str(here / "clone" / "tests" / "docs_pages.py")
        lines = str(session.run("python", reader, "--list", silent=True)).splitlines()
        for number, (page, place) in enumerate(line.split("\t") for line in lines):
            # The tutorials are one walk, done in one shell: the session above.
            if page not in session.posargs if session.posargs else page.startswith("tutorial/"):
                continue
            start = here / f"page-{number}"
            if place == "in a copy":
                clone(start)
            start.mkdir(exist_ok=True)
            with session.chdir(start):
                session.run("python", reader, "--literal", page)


# -- the source ------------------------------------------------------------------------------------------------


@nox.session(python=NEWEST)
def lint(session: nox.Session) -> None:
    """Lint and check the format with ruff; check with import-linter that modules import only what they may."""
    install(session, "lint", project=False)
    session.run("ruff", "check", *session.posargs, ".")
    session.run("ruff", "format", "--check", ".")
    session.run("lint-imports", "--no-cache", env={"PYTHONPATH": os.pathsep.join(("src", "variants", "maps"))})


@nox.session(python=NEWEST)
def spell(session: nox.Session) -> None:
    """Look for misspelt words in code, docs and tests."""
    install(session, "spell", project=False)
    session.run("codespell", *(session.posargs or (".", ".ci/run", ".github")))


@nox.session(python=NEWEST)
def types(session: nox.Session) -> None:
    """Check the types of the source with mypy and pyright, those of the tests with mypy, all strict; and what users' checkers find."""
    install(session, "test", "types", "lint", "languages", extras="cli,data,learning,openspiel,testing,pictures,web")
    session.run("mypy", *session.posargs)
    session.run("pyright", "--pythonpath", f"{session.bin}/python")
    suite = ("tests/test_typing.py", "tests/test_mistakes.py")
    session.run("pytest", "-q", "-m", "slow", *suite, env={"TTR_TYPES": "required"})


@nox.session(python=NEWEST)
def docs(session: nox.Session) -> None:
    """Build the documentation into docs/_build/html; a warning is an error."""
    install(session, "docs", extras="cli,data,learning,openspiel,testing,pictures,web")
    session.run("sphinx-build", "-nW", "--keep-going", "-q", "-b", "html", "docs", "docs/_build/html")


# -- tests -----------------------------------------------------------------------------------------------------


@nox.session
@every_python
def tests(session: nox.Session) -> None:
    """The test suite on one Python, or on all of them."""
    skip_if_missing(session, "this Python")
    install(session, "test")
    run_tests(session, "-n", "auto", *session.posargs)


@nox.session(python=NEWEST)
def coverage(session: nox.Session) -> None:
    """The test suite and the slow tests, and how much of the code they run; what passed in `readme` and `compiled` just before is not repeated."""
    install(session, "test", "docs", extras="cli,data,learning,openspiel,testing,pictures,web")
    # From 3.12 on lines are counted by the interpreter, at next to no cost. The report is a step of its own, after the tests, so that
    # it does not bury failures.
    tests: tuple[str, ...] = ("-n", "auto", "-m", "not typed and not thorough", "--cov", "--cov-report=")
    env: dict[str, str | None] = {"COVERAGE_CORE": "sysmon"}
    if PASSED.exists():
        env |= {"PYTHONPATH": str(ROOT / ".ci"), "TTR_PASSED_BEFORE": str(PASSED)}
        tests = ("-p", "passed", *tests)
    run_tests(session, *tests, *DONE_ELSEWHERE, *session.posargs, again=("--cov-append",), env=env)
    if LINES.exists():
        session.run("coverage", "combine", "--append", "--keep", str(LINES))
    session.run("coverage", "report", "--skip-covered", "--fail-under=97")


@nox.session(python=NEWEST)
def browser(session: nox.Session) -> None:
    """Test pages in a real Chromium, which is installed with apt if there is none."""
    install(session, "test", "browser")
    if not any(map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))):
        apt_install(session, "chromium")
    run_tests(session, "-m", "slow or not slow", "tests/browser", *session.posargs, env={"TTR_BROWSER": "required"})


@nox.session(python=NEWEST)
def clients(session: nox.Session) -> None:
    """Clients against the server: one in TypeScript with types that a generator makes from the schema, a bot in Python."""
    install(session, "clients", extras="cli,testing,web")
    run_tests(session, "-m", "slow or not slow", "tests/clients", *session.posargs, env={"TTR_CLIENTS": "required"})


@nox.session(python=FREE_THREADED or False)
def threads(session: nox.Session) -> None:
    """Tests of threads on an interpreter without a global lock."""
    skip_if_missing(session, "a free-threaded Python")
    session.install("-q", ".", "pytest")
    session.run("pytest", "-q", "tests/test_threads.py", "tests/test_determinism.py")


@nox.session(python=OLDEST)
def simulation(session: nox.Session) -> None:
    """Simulations as users run them: processes, loky, a Dask cluster that loses a worker, pandas; coverage and pages run the rest."""
    install(session, "simulation", extras="cli,data,testing,pictures")
    everything = ("-m", "slow or not slow", "-W", "error::pytest.PytestWarning")
    tests = [f"tests/simulation/test_{name}.py" for name in ("executors", "tables")]
    run_tests(session, *everything, *tests, *session.posargs)


@nox.session(python=OLDEST)
def learning(session: nox.Session) -> None:
    """Train a policy that beats the random bot, as its page says, and try the measurement of speed; coverage runs the other tests."""
    install(session, "test", extras="learning,testing")
    required = {"TTR_LEARNING": "required"}
    everything = ("-m", "slow or not slow")
    session.run("pytest", "-q", "-s", *everything, "tests/learning/test_training.py", *session.posargs, env=required)
    session.run("python", "tests/bench/environments.py", "--steps", "200")


@nox.session(python=OLDEST, venv_backend="virtualenv")
def ppo(session: nox.Session) -> None:
    """Train a policy with PPO of sb3-contrib that beats the random bot, as its page says."""
    # Their pins are here, not in the lock: it is for every system, and would pin PyTorch's libraries for graphics cards, gigabytes that
    # nobody needs here. pip prefers a CPU build (2.13.0+cpu) wherever it is configured to find one.
    pins = ("torch==2.13.0", "stable-baselines3==2.9.2", "sb3-contrib==2.9.2")
    session.install("-q", "-c", str(LOCK), *pins, "-e", ".[learning,testing]")
    required = {"TTR_LEARNING": "required", "TTR_PPO": "required"}
    session.run(
        "pytest", "-q", "-s", "-m", "slow or not slow", "tests/learning/test_ppo.py", *session.posargs, env=required
    )


@nox.session(python=NEWEST)
def fuzz(session: nox.Session) -> None:
    """Feed nonsense to every parser, for a minute, or for 5 seconds where time is short, unless told otherwise."""
    install(session, "fuzz", "test")
    session.run("python", "tests/fuzz/run.py", *(session.posargs or ("--seconds", "5" if QUICK else "60")))


@nox.session(python=NEWEST)
def mutation(session: nox.Session) -> None:
    """Mutation testing: a small sample, or `-- graph --sample 20` with what is in tests/mutation/graph.toml."""
    install(session, "mutation", "test")
    name, *options = session.posargs or ("",)
    runs = {name: options} if name else {key: ["--sample", "2"] for key in ("hidden", "dice")}
    sources = ("src", "variants", "maps")
    # With the slow tests; Hypothesis generates the same examples every time.
    env = {"CI": "true", "PYTHONPATH": os.pathsep.join(sources), "PYTEST_ADDOPTS": "-m 'not thorough'"}
    with folder() as here:
        for source in (*sources, "tests"):  # cosmic-ray changes files where they are
            shutil.copytree(ROOT / source, here / source, ignore=shutil.ignore_patterns("__pycache__"))
        for source in ("README.md", "pyproject.toml"):
            shutil.copy(ROOT / source, here)
        with session.chdir(here):
            session.run("python", "-m", "compileall", "-q", *sources)  # the tests of a mutant write no byte code
            for name, options in runs.items():
                config, results = f"tests/mutation/{name}.toml", f"{name}.sqlite"
                session.run("cosmic-ray", "init", config, results)
                session.run("cr-filter-operators", results, "tests/mutation/operators.toml")
                session.run("python", "tests/mutation/skip.py", results, *options)
                session.run("cosmic-ray", "baseline", config, env=env)
                session.run("cosmic-ray", "exec", config, results, env=env)
                session.run("cr-report", "--surviving-only", "--show-diff", results)
                session.run("python", "tests/mutation/skip.py", results, "--survivors")


@nox.session(python=NEWEST)
def bench(session: nox.Session) -> None:
    """Every benchmark, compared with the parent commit (or the one that is named); where time is short each runs once, on this tree."""
    install(session, "bench", "test")
    if QUICK and not session.posargs:
        session.run("pytest", "-q", "--benchmark-disable", "tests/bench/bench_tables.py")
    else:
        session.run("python", "tests/bench/compare.py", *(session.posargs or ("--seconds", "0.01")))


# -- what is handed out ----------------------------------------------------------------------------------------


@nox.session(python=NEWEST)
def package(session: nox.Session) -> None:
    """Build the sdist and the wheel into dist, look at what is in them, and install from each."""
    install(session, "release", project=False)
    shutil.rmtree(DIST, ignore_errors=True)
    session.run("python", "-m", "build", "--quiet", "--outdir", str(DIST), ".")
    session.run("check-wheel-contents", "--toplevel", "ttr_rules,ttr_tools,ttr_variants,ttr_maps", built_wheel())
    session.run("twine", "check", "--strict", *map(str, DIST.iterdir()))
    for built in (*DIST.glob("*.tar.gz"), *DIST.glob("*.whl")):
        session.install("-q", "--force-reinstall", "--no-deps", str(built))
        session.install("-q", f"{built}[cli]")
        with folder() as here, session.chdir(here):
            play(session, "europe", players=3)


@nox.session(reuse_venv=False, requires=["package"])
@every_python
def wheel(session: nox.Session) -> None:
    """Tests of the installed wheel, away from the source, on one Python or on all but the newest, where `compiled` runs everything from its own wheel."""
    skip_if_missing(session, "this Python")
    if session.python == NEWEST != OLDEST:
        session.skip("`compiled` runs the whole suite from a wheel on the newest Python")
    assert isinstance(session.python, str)
    # What may differ between a tree and a wheel; on Pythons on which neither `compiled` nor `lowest` tests the rest, what may between Pythons.
    names = ["maps", "plugins"]
    if session.python != OLDEST:
        names += ["cli", "determinism", "perft", "pickles", "playthroughs"]
    suite = [f"tests/test_{name}.py" for name in names]
    session.install("-q", f"{built_wheel()}[cli,testing,pictures]", "pytest-xdist", "cloudpickle")
    with folder() as here, session.chdir(here):
        copy_tests(here)
        run_tests(session, "-n", "auto", "-m", "not installed_tree and not slow", *suite)


@nox.session(reuse_venv=False)
@every_python
def compiled(session: nox.Session) -> None:
    """The compiled wheel on the newest Python and, where there is time, on the oldest, or on one: it plays the games of the source and passes some quick tests; on the newest, plugins cost no more instructions than promised, and it passes the whole suite, but for what passed in `readme` and is never compiled."""
    skip_if_missing(session, "this Python")
    if session.python not in ((NEWEST,) if QUICK else (OLDEST, NEWEST)) and not session.posargs:
        session.skip("built on the newest Python, every night on the oldest, and on all of them for a release")
    assert isinstance(session.python, str)
    with folder() as here:
        # Optimizing takes a C compiler a while: it does a little for the newest Python where time is short, and otherwise as much as
        # in a release; for other Pythons nothing.
        newest = session.python == NEWEST
        build = {"TTR_RULES_COMPILE": "1", "MYPYC_OPT_LEVEL": "0" if not newest else "1" if QUICK else "3"}
        session.install("-q", "pip")
        session.run("python", "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(here), str(ROOT), env=build)
        (wheel,) = here.glob("ttr_rules-*.whl")
        extras = "cli,data,learning,openspiel,testing,pictures,web" if newest else "cli,testing,pictures,web"
        session.install("-q", f"{wheel}[{extras}]", *TESTING_COMPILED)
        copy_tests(here)
        with session.chdir(here):
            games = ["python", "tests/same_games.py", "8"]
            ours = session.run(*games, "--compiled", silent=True)
            if not PURE_GAMES:  # the games of the source are the same on every Python
                sources = os.pathsep.join(str(ROOT / name) for name in ("src", "variants", "maps"))
                PURE_GAMES.append(session.run(*games, "--pure", silent=True, env={"PYTHONPATH": sources}))
            if ours != PURE_GAMES[0]:
                session.error("the compiled build plays other games than the source")
            if not newest or session.posargs:
                quick = session.posargs or THROUGH_COMPILED
                run_tests(session, "-n", "auto", "-m", "not installed_tree and not slow", *quick)
                return
            if shutil.which("valgrind") is None and "CI" in os.environ:
                apt_install(session, "valgrind")
            if shutil.which("valgrind") is None:
                session.warn("valgrind is not on this machine: what plugins cost in a playout is NOT MEASURED")
            else:
                session.run("python", "tests/bench/instructions.py")
            # Games are three times as quick here, so this is where the slow tests run too. The examples need the docstrings, of
            # which compiled code has none.
            suite = (
                *("--cov", "--cov-append", "--cov-report="),
                *("-m", "not installed_tree and not typed and not thorough"),
                f"--hypothesis-profile={'quick' if QUICK else 'ttr-rules'}",
                "--ignore=tests/test_examples.py",
                *DONE_ELSEWHERE,
                "tests",
            )
            env: dict[str, str | None] = {"PYTHONPATH": str(ROOT / ".ci"), "TTR_PASSED_NOTED": str(PASSED)}
            env |= {"COVERAGE_CORE": "sysmon", "COVERAGE_FILE": str(LINES)}
            if PASSED.exists():
                env |= {"TTR_PASSED_BEFORE": str(PASSED), "TTR_NOT_REPEATED": " ".join(BESIDE_COMPILED)}
            run_tests(session, "-p", "passed", "-n", "auto", *suite, env=env)


@nox.session(python=OLDEST, reuse_venv=False, venv_backend="virtualenv", requires=["package"])
def core(session: nox.Session) -> None:
    """The wheel without extras: it needs attrs, cattrs and pluggy alone, and says what the command line needs."""
    session.install("-q", built_wheel())
    with folder() as here, session.chdir(here):
        program = "import ttr_rules as ttr; print(ttr.playout(ttr.compile_rules('europe'), 3, seed=1).winners)"
        session.run("python", "-c", program)
        session.run("python", "-m", "ttr_rules", "play", "europe", success_codes=[2])


@nox.session(python=OLDEST, reuse_venv=False, venv_backend="virtualenv", requires=["package"])
def plugins(session: nox.Session) -> None:
    """Plugins as packages of their own, installed beside the wheel: third parties', and a new one from the template."""
    session.install("-q", f"{built_wheel()}[cli,testing,pictures]", "hatchling")
    with folder() as here, session.chdir(here):
        for number, project in enumerate(sorted(ROOT.glob("tests/thirdparty/**/pyproject.toml"))):
            shutil.copytree(project.parent, here / "packages" / str(number))
        session.run("python", "-m", "ttr_rules", "new-variant", "golden-spike", "--dir", "packages/golden-spike")
        packages = sorted(here.glob("packages/*"))
        new, *others = map(str, reversed(packages))
        build = ("python", "-m", "pip", "wheel", "-q", "--no-deps", "--wheel-dir", "wheels")
        # One is built as its author would. The others share a build environment, as making one for each takes long.
        session.run(*build, new)
        session.run(*build, "--no-build-isolation", *others)
        session.install("-q", "--no-deps", *map(str, here.glob("wheels/*.whl")))
        for package in packages:
            shutil.rmtree(package / "src")
            # The tutorials run the tests of a new one.
            if (package / "tests").exists() and package.name != "golden-spike":
                with session.chdir(package):
                    session.run("python", "-m", "pytest", "-q")
        listed = str(session.run("python", "-m", "ttr_rules", "variants", silent=True))
        names = [name for package in packages for name in plugin_names(package)]
        for name in names:
            if not re.search(rf"^{name} ", listed, re.MULTILINE):
                session.error(f"{name} is not among the installed variants:\n{listed}")
        play(session, "europe", *names, players=3)
        play(session, "europe", "dice", "telegraph", "golden-spike", players=4)


def plugin_names(package: Path) -> list[str]:
    """The plugins that a package announces."""
    project = tomllib.loads((package / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return list(project["entry-points"]["ttr_rules.plugins"])


@nox.session(python=OLDEST, reuse_venv=False, requires=["package"])
def lowest(session: nox.Session) -> None:
    """The wheel with the lowest versions that it allows of everything it depends on."""
    extras = [each for those in PROJECT["optional-dependencies"].values() for each in those]
    session.install("-q", built_wheel(), *(lowest_of(each) for each in (*PROJECT["dependencies"], *extras)))
    suite = [
        f"tests/{name}.py"
        for name in (
            "test_determinism",
            "test_door",
            "test_cli",
            "simulation/test_tables",
            "simulation/test_files",
            "web/test_sockets",
            "web/test_pages",
        )
    ]
    with folder() as here, session.chdir(here):
        copy_tests(here)
        run_tests(session, "-m", "not installed_tree and not slow", *suite)


def lowest_of(requirement: str) -> str:
    """The oldest line of versions that a requirement allows: `attrs>=25.4` gives `attrs==25.4.*`."""
    name, bound, version = requirement.partition(">=")
    assert bound, f"{requirement}: no lower bound"
    return f"{name}=={version}.*" if "." in version else f"{name}=={version}.0.*"


def copy_tests(target: Path) -> None:
    """The tests, the pages that they read and what they are configured by, without the source."""
    for name in ("tests", "docs"):
        shutil.copytree(ROOT / name, target / name, ignore=shutil.ignore_patterns("__pycache__", "_build"))
    for name in ("README.md", "pyproject.toml"):
        shutil.copy(ROOT / name, target)


def play(session: nox.Session, *stack: str, players: int) -> None:
    """A game by the command line."""
    session.run("python", "-m", "ttr_rules", "play", *stack, "--players", str(players), "--seed", "4", "--quiet")


# -- every night, and by hand ----------------------------------------------------------------------------------


@nox.session(python=NEWEST)
def thorough(session: nox.Session) -> None:
    """The tests marked `thorough`: more seeds, stacks and cases of what the slow tests show. The hosted checks run it every night."""
    install(session, "test", extras="cli,data,learning,openspiel,testing,pictures,web")
    run_tests(session, "-n", "auto", "-m", "thorough", *session.posargs)


@nox.session(python=NEWEST)
def languages(session: nox.Session) -> None:
    """Bring the catalogs of translations up to date with the source, and compile them; `-- fr` begins French."""
    install(session, "languages")
    for package, *sources in CATALOGS:
        folder = f"{package}/locales"
        with tempfile.TemporaryDirectory() as here:
            template = f"{here}/messages.pot"
            session.run(
                "pybabel", "-q", "extract", "-F", "babel.cfg", "--ignore-dirs", ".*", "--no-location", "--sort-output",
                "--no-wrap", "--project", "ttr-rules", "--version", "", "-o", template, package, *sources,
            )  # fmt: skip
            for code in session.posargs:
                if not (ROOT / folder / code).exists():
                    session.run("pybabel", "-q", "init", "-i", template, "-d", folder, "-l", code)
            session.run(
                "pybabel", "-q", "update", "-i", template, "-d", folder, "--no-wrap", "--no-fuzzy-matching",
                "--ignore-obsolete", "--ignore-pot-creation-date",
            )  # fmt: skip
        session.run("pybabel", "-q", "compile", "-d", folder)


@nox.session(python=NEWEST)
def translations(session: nox.Session) -> None:
    """Before a release: say which texts lack a translation, and play games in German."""
    install(session, "test")
    env = {"TTR_TRANSLATIONS": "required"}
    session.run("pytest", "-q", "-m", "slow or not slow", "tests/test_languages.py", *session.posargs, env=env)
    session.run("pytest", "-q", "-m", "translations", "tests", *session.posargs, env=env)


@nox.session(python=OLDEST)
def lock(session: nox.Session) -> None:
    """Update requirements-dev.lock, for every supported Python and system, and the versions of .pre-commit-config.yaml."""
    session.install("-q", "uv")
    session.run(
        "uv", "pip", "compile", "--quiet", "--upgrade", "--universal", "--python-version", SUPPORTED[0],
        "--all-extras", "--group", "dev", "--annotation-style", "line", "--custom-compile-command", "nox -s lock",
        "--output-file", LOCK.name, "pyproject.toml",
    )  # fmt: skip
    pins = dict(re.findall(r"^([\w.-]+)==([\w.]+)", LOCK.read_text(encoding="utf-8"), re.MULTILINE))
    hooks = ROOT / ".pre-commit-config.yaml"
    text = hooks.read_text(encoding="utf-8")
    hooks.write_text(
        re.sub(r"\[([\w.-]+)==[^]]+\]", lambda found: f"[{found[1]}=={pins[found[1]]}]", text), encoding="utf-8"
    )

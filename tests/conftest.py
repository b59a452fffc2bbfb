"""Makes `helpers` importable from every test file, however the tests are started."""

import gc
import os
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# A package of its own, which is tested where it is installed.
collect_ignore = ["thirdparty"]

HERE = str(Path(__file__).parent)
for folder in (HERE, str(Path(HERE) / "bench")):
    if folder not in sys.path:
        sys.path.insert(0, folder)
# The language of the machine makes no difference; tests of other languages say so.
os.environ["LANGUAGE"] = "en"
# Rules and boards stay for the whole run: looking through them for garbage all the time costs an eighth of it. See also
# `pytest_collection_finish`.
gc.set_threshold(500_000, 20, 100)
# How long a game takes depends on the machine.
settings.register_profile("ttr-rules", deadline=None, max_examples=50, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("quick", settings.get_profile("ttr-rules"), max_examples=25)
settings.load_profile("ttr-rules")

pytest.register_assert_rewrite("helpers")

#: Markers with names of cases, what they mark, and whether it is these cases or all others.
CASES = (("slow_cases", "slow", True), ("thorough_cases", "thorough", True), ("thorough_but", "thorough", False))
#: The tests in which a worker crashed.
crashed: list[str] = []


def compiled() -> bool:
    """Whether the hot path of the library under test is compiled."""
    from ttr_rules._internal.native import compiled

    return compiled


def pytest_terminal_summary(config: pytest.Config) -> None:
    """Where no terminal breaks lines, the summary at the end has room for a test's name and for what was wrong."""
    if not sys.stdout.isatty() and "COLUMNS" not in os.environ:
        config.get_terminal_writer().fullwidth = 240


@pytest.hookimpl(optionalhook=True)
def pytest_handlecrashitem(crashitem: str) -> None:
    """A crashed worker of pytest-xdist is worse than a failed test: the exit code says so."""
    crashed.append(crashitem)


def pytest_collection_finish() -> None:
    """Tests, and the rules and boards that were made for them, are never garbage."""
    gc.freeze()


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    if crashed:
        session.exitstatus = pytest.ExitCode.INTERNAL_ERROR


def pytest_configure(config: pytest.Config) -> None:
    """Where slow tests are left out, Hypothesis tries fewer examples, unless `--hypothesis-profile` says otherwise."""
    chosen = config.option.markexpr
    if "not slow" in chosen and "or not slow" not in chosen and not config.getoption("hypothesis_profile", None):
        settings.load_profile("quick")


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Give each worker of pytest-xdist tests that stand together, which share boards and rules; at the end they help each other.

    Workers do not rewrite assertions unless they are told to, as that takes longer than to import the tests; a failed test that
    is run alone shows the values.
    """
    if getattr(config.option, "numprocesses", None):
        os.environ["PYTEST_ADDOPTS"] = f"--assert=plain {os.environ.get('PYTEST_ADDOPTS', '')}"
        if config.option.dist == "no":
            config.option.dist = "worksteal"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the cases that `slow_cases`, `thorough_cases` and `thorough_but` are about, before pytest leaves slow tests out. A name of no case is an error.

    What is thorough is slow, too. Tests that fail while a translation is missing are left out, unless the session `translations` asks for
    them.
    """
    if "TTR_TRANSLATIONS" not in os.environ:
        left_out = [item for item in items if item.get_closest_marker("translations")]
        items[:] = [item for item in items if not item.get_closest_marker("translations")]
        config.hook.pytest_deselected(items=left_out)
    unused: dict[tuple[str, str], set[str]] = {}
    for item in items:
        for name, kind, chosen in CASES:
            for mark in item.iter_markers(name):
                assert isinstance(item, pytest.Function)
                unused.setdefault((name, item.nodeid.partition("[")[0]), set(mark.args)).discard(item.callspec.id)
                if (item.callspec.id in mark.args) == chosen:
                    item.add_marker(kind)
        if item.get_closest_marker("thorough"):
            item.add_marker("slow")
    if compiled():
        for item in items:
            if item.get_closest_marker("pure"):
                item.add_marker(pytest.mark.skip(reason="runs on a pure build: it looks into what is compiled here"))
    wrong = [f"{test}: {name} has no case {', '.join(sorted(ids))}" for (name, test), ids in unused.items() if ids]
    # Of a test that is named alone, or runs again because it failed, there are not all cases.
    some = any("::" in each for each in config.args) or config.getoption("lf", False)
    if wrong and not some:
        raise pytest.UsageError("\n".join(wrong))

"""Runs of tests in processes that are copies of this one, which has pytest and Hypothesis ready and none of the library."""

from __future__ import annotations

import contextlib
import gc
import os
import pickle
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import CodeType
from typing import Any

# Hypothesis would load the library for its entry point; it does so in `_settle`, when the changed module is in its place.
os.environ["HYPOTHESIS_NO_PLUGINS"] = "1"
import cattrs  # noqa: F401
import hypothesis
import hypothesis.extra.pytestplugin
import hypothesis.strategies
import pytest
from attrs import define, field, frozen

#: Much more than the tests need: a mutant that collects without end is stopped.
MEMORY = 3_000_000_000
#: From Python 3.12 on.
MONITORING: Any = getattr(sys, "monitoring", None)
WATCHER = 2
#: None of the plugins that happen to be there: they take time and change nothing. What is loaded already is not rewritten.
UNUSED = ("cacheprovider", "pytest_cov", "benchmark", "xdist")
OPTIONS = [
    *("-q", "-x", "--no-header", "--tb=short", "-W", "ignore::pytest.PytestAssertRewriteWarning"),
    *(option for name in UNUSED for option in ("-p", f"no:{name}")),
]
FOLDERS = ("src", "variants", "maps", "tests")


@frozen
class Seen:
    """What was seen of a test: how many seconds it took, and which lines of the module it ran."""

    seconds: float
    lines: frozenset[int]


@define
class Run:
    """The outcome of some tests: pytest's exit code (None: cut off), the test that failed or was cut off, what was seen of each, and
    what pytest wrote."""

    code: int | None = None
    failed: str | None = None
    seen: dict[str, Seen] = field(factory=dict)
    output: str = ""

    @property
    def good(self) -> bool:
        """Whether nothing was noticed: all passed, or no test was left to run."""
        return self.code in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)


def watch(copy: Path, files: Iterable[str], watched: Path, seconds: float) -> Run:
    """Run the tests in some files, and see how long each takes and which lines of a module it runs."""
    return _in_another_process(lambda found, _: _run(found, copy, files, _Watch(found, watched), True), seconds)


def run(copy: Path, limits: Mapping[str, float], seconds: float) -> Run:
    """Run the tests named, in their order, until one fails, or takes more than its seconds of processor time."""

    def work(found: Run, keep: Callable[[Run], object]) -> None:
        files = dict.fromkeys(name.partition("::")[0] for name in limits)
        _run(found, copy, files, _Limits(found, limits, keep), False)

    return _in_another_process(work, seconds)


def _run(found: Run, copy: Path, files: Iterable[str], plugin: object, keep_bytecode: bool) -> None:
    _settle(copy, keep_bytecode)
    found.code = int(pytest.main([*OPTIONS, *files], plugins=[plugin]))


def _settle(copy: Path, keep_bytecode: bool) -> None:
    os.chdir(copy)
    here = [str(copy / folder) for folder in FOLDERS]
    sys.path[:] = [*here, *(path for path in sys.path[1:] if path not in here)]
    os.environ["PYTHONPATH"] = os.pathsep.join(here)
    # The change must be compiled anew, since Python tells a new text by its size and second; all else is compiled once.
    sys.dont_write_bytecode = not keep_bytecode
    os.environ["PYTHONDONTWRITEBYTECODE"] = "" if keep_bytecode else "1"
    del os.environ["HYPOTHESIS_NO_PLUGINS"]
    hypothesis.entry_points.run()
    # The same examples every time: the score is the same in every run. A failure is enough, its smallest example is not sought.
    hypothesis.settings.register_profile(
        "mutants",
        derandomize=True,
        database=None,
        deadline=None,
        phases=[hypothesis.Phase.explicit, hypothesis.Phase.generate],
    )
    hypothesis.settings.load_profile("mutants")
    os.environ["HYPOTHESIS_PROFILE"] = "mutants"  # for `conftest.py`


class _Watch:
    """A plugin of pytest: writes down how long tests take, and which lines of a file they run."""

    def __init__(self, found: Run, watched: Path) -> None:
        self.found = found
        self.watched = str(watched)
        self.lines: set[int] = set()
        MONITORING.use_tool_id(WATCHER, "mutants")
        MONITORING.register_callback(WATCHER, MONITORING.events.LINE, self._line)
        MONITORING.set_events(WATCHER, MONITORING.events.LINE)

    def _line(self, code: CodeType, line: int) -> object:
        if code.co_filename == self.watched:
            self.lines.add(line)
        return MONITORING.DISABLE  # until the next test

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.lines.clear()
        MONITORING.restart_events()
        start = time.process_time()
        try:
            return (yield)
        finally:
            self.found.seen[item.nodeid] = Seen(time.process_time() - start, frozenset(self.lines))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.found.failed = report.nodeid


class _Limits:
    """A plugin of pytest: runs the tests asked for, in the order asked for, each for so much time at most."""

    def __init__(self, found: Run, limits: Mapping[str, float], keep: Callable[[Run], object]) -> None:
        self.found = found
        self.limits = limits
        self.keep = keep

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        found = {item.nodeid: item for item in items}
        items[:] = [found[name] for name in self.limits if name in found]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        # If the time is up, the system ends this process; then what was kept last says where.
        self.found.failed = item.nodeid
        self.keep(self.found)
        signal.setitimer(signal.ITIMER_PROF, self.limits[item.nodeid])
        try:
            return (yield)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:  # that is all there is to know
            self.found.code = int(pytest.ExitCode.TESTS_FAILED)
            self.keep(self.found)
            os._exit(0)


def _in_another_process(work: Callable[[Run, Callable[[Run], object]], None], seconds: float) -> Run:
    """What some work in a copy of this process has found: all of it, or what it kept until it was cut off."""
    with tempfile.NamedTemporaryFile(prefix="mutant-") as answer, tempfile.TemporaryFile() as output:
        gc.freeze()  # what is here stays, and need not be looked through in the copy
        child = os.fork()
        if child == 0:
            _be_another_process(work, Path(answer.name), output.fileno())
        try:
            end = time.monotonic() + seconds
            while time.monotonic() < end and os.waitpid(child, os.WNOHANG)[0] == 0:
                time.sleep(0.005)
        finally:
            for kill in (os.killpg, os.kill):  # its group: with all that the tests have started
                with contextlib.suppress(ProcessLookupError):
                    kill(child, signal.SIGKILL)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(child, 0)
        said = Path(answer.name).read_bytes()
        found: Run = pickle.loads(said) if said else Run()
        output.seek(0)
        found.output = output.read().decode(errors="replace")
        return found


def _be_another_process(work: Callable[[Run, Callable[[Run], object]], None], answer: Path, output: int) -> None:
    """Do the work, leave what it finds where it is looked for, and end."""
    try:
        os.setsid()
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.dup2(output, 1)
        os.dup2(output, 2)
        found = Run()

        def keep(found: Run) -> None:
            answer.write_bytes(pickle.dumps(found))

        work(found, keep)
        keep(found)
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(0)

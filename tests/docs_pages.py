"""Runs the code of a documentation page as a reader would who types it in from top to bottom.

- A `python` block with `>>>` is a session; its output is compared. Other `python` blocks are run. All share their names.
- A `{code-block}` with a `:caption:` is a file of that name: written to a folder that can be imported from, and used there.
- A `toml` block must be TOML.
- In a `console` block, lines after `$` are commands, the others what they print. `ttr-rules` and `python` are run, in the
  page's folder or that entered by `cd`; `pip install` of that folder makes its entry points known, as an installation would;
  others are not run, nor are the tests of a package: `--literal` and `tutorials.py` type them.
- `text` and `sh` blocks are for reading only here; those of the tutorials are run by `tutorials.py`.
- An `{include}` of a file outside the docs counts as what it includes.

`python tests/docs_pages.py --literal PAGE` does all that a page says in the folder it is started in, with the environment it is started in:
every command is typed as it is, `sh` blocks and installations too, and output is compared as above. The session `pages` of nox calls it page by page, as `--list` has them.
"""

from __future__ import annotations

import doctest
import importlib
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

DOCS = Path(__file__).parent.parent / "docs"
FLAGS = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
LANGUAGES = {"python", "toml", "console", "text", "sh"}
#: What is not typed, and why: a pattern and a reason. Everything else on a page is.
NOT_TYPED = {
    r"\.venv/bin/nox\b": "sessions, which CI calls itself",
    r"\.venv/bin/sphinx-build ": "the session `docs` builds the site",
    r"TTR_RULES_COMPILE=1 ": "the session `compiled` builds and installs this",
    r"python (-m pytest )?tests/bench/": "the session `bench` runs the benchmarks",
    r"python docs/how-to/train_a_policy\.py ": "the session `learning` runs this",
    r"python -m pip install '\.\[learning\]' sb3-contrib": "brings PyTorch, a large download; the session `ppo` installs it",
    r"python docs/how-to/train_with_ppo\.py ": "the session `ppo` runs this",
    r"python docs/cookbook/studies/": "takes minutes; the page itself plays the first games again",
    r"python -m ttr_rules tournament north-america --bots search,": "takes half an hour; `test_search_bot.py` plays a few games",
    r"\.venv/bin/python -m pip install .*requirements-dev\.lock": "every session installs from the lock",
    r"\.venv/bin/pre-commit ": "changes the hooks of the copy; `lint` and `spell` run the same tools",
    r"(npm|npx|node) |ttr-rules serve |python remote_bot\.py ": "the session `clients` types these, with a server",
    r"ttr-rules serve": "goes on until it is stopped; `tests/web/test_serve.py` starts each of these commands",
    r"python3 -m venv \.venv && ": "a command of the README, which the session `readme` types",
}
#: Commands of a page whose reader is in a clone of the repository.
IN_A_CLONE = re.compile(r"pip install (-\S+ )*'?\.[\['\s]|\.venv/bin/|python (docs|tests)/", re.MULTILINE)
#: Runs the tests of a package.
TESTS = "python -m pytest"
_FENCE = re.compile(r"^(?P<fence>`{3,}|:{3,})(?P<head>[^\n]*)\n(?P<body>.*?)^(?P=fence)$", re.MULTILINE | re.DOTALL)


def pages_in_order() -> list[str]:
    """The pages that people wrote in the order in which a reader meets them: the README, then the table of contents."""
    found: list[str] = []

    def visit(name: str) -> None:
        path = DOCS / name
        if name in found or not path.is_file():
            return
        found.append(name)
        text = path.read_text(encoding="utf-8")
        for body in re.findall(r"^```\{toctree\}\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
            entries = [line.strip() for line in body.splitlines() if line.strip() and not line.startswith(":")]
            if ":glob:" in body:
                entries = [each.stem for entry in entries for each in sorted(path.parent.glob(f"{entry}.md"))]
            for entry in entries:
                visit((path.parent / f"{entry}.md").relative_to(DOCS).as_posix())

    visit("index.md")
    return ["../README.md", *(name for name in found if name in written_pages())]


def has_commands(page: str) -> bool:
    """Whether a page tells its reader to type commands at a shell."""
    return any(block.language in ("sh", "console") for block in blocks(page))


def needs_clone(page: str) -> bool:
    """Whether the commands of a page are typed in a clone of the repository."""
    return any(block.language in ("sh", "console") and IN_A_CLONE.search(block.text) for block in blocks(page))


def written_pages() -> list[str]:
    """The pages that people wrote, by name; those of the reference are made from the code."""
    found = (path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md"))
    return sorted(name for name in found if not name.startswith(("_build", "reference/")))


@dataclass(frozen=True)
class Block:
    """A block of code: its language, the file it is, where it begins, and its text."""

    language: str
    file: str | None
    line: int
    text: str


def blocks(name: str) -> Iterator[Block]:
    """The blocks of code of a page."""
    yield from _blocks(DOCS / name)


def _blocks(path: Path) -> Iterator[Block]:
    page = path.read_text(encoding="utf-8")
    for found in _FENCE.finditer(page):
        head, body = found["head"].strip(), found["body"]
        line = page[: found.start("body")].count("\n") + 1
        directive = re.fullmatch(r"\{(.*)\}\s*(.*)", head)
        file = None
        if directive is not None:
            if directive[1] == "include" and directive[2].endswith(".md"):
                yield from _blocks(path.parent / directive[2])
            if directive[1] != "code-block":
                continue
            head = directive[2]
            options, _, body = body.partition("\n\n")
            caption = re.search(r"^:caption: (\S+)$", options, re.MULTILINE)
            file = caption[1] if caption else None
            line += options.count("\n") + 2
        yield Block(head, file, line, body)


def plugin_of(module: ModuleType) -> Any:
    """The plugin that a file of a page defines."""
    from ttr_rules.plugins.discovery import variant_in  # here, because not every reader has installed the library yet

    return variant_in(module)


class Reader:
    """Somebody who does what a page says, in a folder of its own."""

    def __init__(self, page: str, folder: Path, *, literal: bool = False) -> None:
        self.page = page
        self.folder = folder
        self.literal = literal
        self.site = folder / "_site"
        if not literal:
            self.site.mkdir()
        self.names: dict[str, object] = {"__name__": "page"}

    def read(self) -> None:
        """Do everything on the page."""
        for block in blocks(self.page):
            where = f"{self.page}:{block.line}"
            assert block.language in LANGUAGES, f"{where}: a block in {block.language or 'no language'}"
            if block.file is not None:
                self._write(block)
            elif block.language == "python":
                self._python(block, where)
            elif block.language == "console":
                self._console(block, where)
            elif block.language == "sh" and self.literal:
                lines = [line for line in block.text.splitlines() if not reason_not_to_type(line)]
                self._type("\n".join(lines), where)
            if block.language == "toml":
                tomllib.loads(block.text)

    def _write(self, block: Block) -> None:
        assert block.file is not None
        path = self.folder / block.file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.text, encoding="utf-8")
        importlib.invalidate_caches()
        if path.suffix == ".py":
            compile(block.text, str(path), "exec")

    def _python(self, block: Block, where: str) -> None:
        padded = "\n" * (block.line - 1) + block.text
        if ">>>" not in block.text:
            exec(compile(padded, str(DOCS / self.page), "exec", dont_inherit=True), self.names)
            return
        test = doctest.DocTestParser().get_doctest(padded, self.names, where, str(DOCS / self.page), 0)
        told: list[str] = []
        failed = doctest.DocTestRunner(optionflags=FLAGS).run(test, out=told.append, clear_globs=False).failed
        self.names |= test.globs
        assert not failed, "".join(told)

    def _console(self, block: Block, where: str) -> None:
        parts = re.split(r"^\$ (.*)\n", block.text, flags=re.MULTILINE)
        assert not parts[0].strip(), f"{where}: output before a command"
        for command, output in zip(parts[1::2], parts[2::2], strict=True):
            if command.startswith("cd "):
                self._enter(command.removeprefix("cd "))
            elif self.literal:
                self._compare(command, output, self._type(command, where), where)
            elif re.match(r"(python -m |\S*/)?pip install( -e)? '?\.(\[\w+\]')?$", command):
                self._install()
            elif command.startswith(TESTS):
                continue
            elif command.startswith(("ttr-rules ", "python ")) and not command.startswith("python -m pip "):
                code, printed = self._run(command)
                assert code == 0, f"{where}: $ {command}\n{printed}"
                self._compare(command, output, printed, where)

    def _enter(self, folder: str) -> None:
        """Go on in another folder, whose modules can be imported from there."""
        self.folder = (self.folder / folder).resolve()
        sys.path[:0] = [str(self.folder), str(self.folder / "src")]

    def _compare(self, command: str, output: str, printed: str, where: str) -> None:
        """What a command of ours printed, with what the page says, if it says something."""
        if output and command.startswith(("ttr-rules ", "python ")):
            same = doctest.OutputChecker().check_output(output, printed, FLAGS)
            assert same, f"{where}: $ {command}\n{printed}\ninstead of\n{output}"

    def _type(self, command: str, where: str) -> str:
        """Type a command, or several, as they are; what they print."""
        print(f"[{where}] {command}", flush=True)
        environment = {**os.environ, "PYTHONIOENCODING": "utf-8", "PYTHONPATH": "", "COLUMNS": "80", "NO_COLOR": "1"}
        done = subprocess.run(
            ["bash", "-euc", command], cwd=self.folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True,
            text=True, encoding="utf-8", check=False,
        )  # fmt: skip
        assert done.returncode == 0, f"{where}: {command}\n{done.stdout[-4000:]}{done.stderr[-4000:]}"
        importlib.invalidate_caches()
        return done.stdout + done.stderr

    def _install(self) -> None:
        """What an editable installation leaves behind, without a package index."""
        project = tomllib.loads((self.folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        info = self.site / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
        info.mkdir()
        info.joinpath("METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
        )
        points = "".join(
            f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in those.items())
            for group, those in project["entry-points"].items()
        )
        info.joinpath("entry_points.txt").write_text(points)
        sys.path.insert(0, str(self.site))

    def _run(self, command: str) -> tuple[int, str]:
        words = re.sub(r"^ttr-rules ", "python -m ttr_rules ", command)
        words = re.sub(r"^python ", f"{sys.executable} ", words)
        path = os.pathsep.join(
            [str(self.folder), str(self.folder / "src"), str(self.site), os.environ.get("PYTHONPATH", "")]
        )
        environment = {**os.environ, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8", "COLUMNS": "80", "NO_COLOR": "1"}
        environment.pop("PYTEST_ADDOPTS", None)
        done = subprocess.run(
            words,
            shell=True,
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        return done.returncode, done.stdout + done.stderr


def reason_not_to_type(command: str) -> str | None:
    """Why a command is not typed; None if it is."""
    return next((reason for pattern, reason in NOT_TYPED.items() if re.match(pattern, command)), None)


def main(arguments: list[str]) -> int:
    """List the pages with commands in their order, or do literally what one of them says, here."""
    match arguments:
        case ["--list"]:
            for page in pages_in_order():
                if has_commands(page):
                    print(page, "in a copy" if needs_clone(page) else "anywhere", sep="\t")
        case ["--literal", page]:
            folder = Path.cwd()
            sys.path[:0] = [str(folder), str(folder / "src")]
            Reader(page, folder, literal=True).read()
        case _:
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

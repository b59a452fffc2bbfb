"""What a stack is made of, told: options with their meaning and alternatives, options that are not there; plain output."""

from __future__ import annotations

import inspect
import os
import re
import sys

import pytest

pytest.importorskip("click")
pytest.importorskip("rich")

from test_cli import TABLE, process, refused, run

import ttr_rules as ttr
from ttr_rules.errors import PluginError
from ttr_rules.kernel.variant import HOOKS
from ttr_rules.plugins import Variant
from ttr_rules.plugins.discovery import load_plugin
from ttr_tools.testing import playthrough


def options(*stack: str) -> dict[str, str]:
    """The options that `explain` lists: what it says of each."""
    text = run("explain", *stack).stdout.partition("\noptions:\n")[2]
    return dict(re.findall(r"^  (\S+: \S+) = (.*)$", text, re.MULTILINE))


def test_an_option_that_is_given_is_shown_with_what_it_may_be_and_what_it_means() -> None:
    assert options("europe")["europe: tie_break"].startswith("P5 (or P6) [P5]: the tie-break of ")
    assert options("europe:tie_break=P6")["europe: tie_break"].startswith(
        "P6 (or P5, the default) [P5]: the tie-break of "
    )
    assert options("europe", "dice:tunnel_faces=2")["dice: tunnel_faces"] == (
        "2 (or 1, the default, 0, 3, 4, 5, 6) [R14]: how many of the six faces of a tunnel die show a tunnel"
    )
    assert options("germany-tickets")["marklin: tickets"] == "not given: the tickets, supplied by the caller"


@pytest.mark.parametrize("stack", [["europe"], ["europe", "dice"], ["germany-tickets", "dice"], ["nordic-countries"]])
def test_every_option_says_what_it_means_and_only_plugins_of_the_stack_have_some(stack: list[str]) -> None:
    rules = ttr.compile_rules(*stack)
    found = options(*stack)
    assert found
    for name, said in found.items():
        assert re.search(r": \S+ .+", said), (name, said)
        assert name.partition(": ")[0] in {*rules.stack, "core", "train-cards"}
    assert any(name.startswith("train-cards: ") for name in found) is ("dice" not in stack)
    assert any(name.startswith("dice: ") for name in found) is ("dice" in stack)
    assert ("europe: station_choice" in found) is ("europe" in stack)


@pytest.mark.parametrize(
    ("stack", "message"),
    [
        ("europe:foo=1", "plugin 'europe' has no option 'foo'; it has station_choice, tie_break"),
        (
            "europe:tie_brake=P6",
            "plugin 'europe' has no option 'tie_brake'; did you mean tie_break? It has station_choice, tie_break",
        ),
        ("north-america:foo=1", "plugin 'north-america' has no options"),
        ("marklin:foo=1,tickets=2", "plugin 'marklin' has no option 'foo'; it has tickets"),
    ],
)
def test_an_option_that_a_plugin_does_not_have_is_named_with_those_that_it_has(stack: str, message: str) -> None:
    assert refused("explain", stack) == message
    with pytest.raises(PluginError) as caught:
        ttr.compile_rules(stack)
    assert str(caught.value) == message and "__init__" not in message


def test_plugins_say_which_options_they_take(monkeypatch: pytest.MonkeyPatch) -> None:
    from ttr_rules.plugins import Variant, discovery, option

    class Nothing(Variant, name="nothing"):
        """Nothing: it changes nothing."""

    class Colored(Variant, name="nothing"):
        """Nothing: it has a color."""

        color: str = option("red")

    class Point:
        value = "somewhere"

        def __init__(self, made: object) -> None:
            self.made = made

        def load(self) -> object:
            return self.made

    def taken(made: object, options: str) -> object:
        monkeypatch.setattr(discovery, "_find_point", lambda name: Point(made))
        return load_plugin(f"nothing:{options}")

    assert taken(Colored, "color=2") == Colored(color="2")
    for made in (Nothing, Nothing()):
        with pytest.raises(PluginError, match=r"^plugin 'nothing' has no options$"):
            taken(made, "size=2")
    with pytest.raises(PluginError, match=r"^plugin 'nothing' has no option 'size'; it has color$"):
        taken(Colored, "size=2")
    with pytest.raises(
        PluginError, match=r"^plugin 'nothing' has no option 'colr'; did you mean color\? It has color$"
    ):
        taken(Colored, "colr=2")


# -- other commands ------------------------------------------------------------------------------------------------


def test_a_playthrough_has_any_seed_and_no_negative_number_of_actions() -> None:
    text = run("playthrough", "europe", "--seed", "Orient Express", "--actions", "2").stdout
    assert text.startswith("europe, 2 players, seed Orient Express\nMade by: ")
    assert "--seed 'Orient Express' --actions 2\n" in text
    assert text == playthrough("europe", players=2, seed="Orient Express", actions=2)
    assert run("playthrough", "europe", "--seed", "7", "--actions", "1").stdout == playthrough(
        "europe", players=2, seed=7, actions=1
    )
    assert "-3 is not in the range" in refused("playthrough", "europe", "--actions", "-3")
    with pytest.raises(ttr.InvalidInputError, match="at least 0, not -3"):
        playthrough("europe", players=2, actions=-3)


@pytest.mark.slow
@pytest.mark.thorough_but("", "1")
@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo terminal")
@pytest.mark.parametrize("value", [*(pytest.param(each, marks=pytest.mark.slow) for each in (None, "")), "1"])
def test_with_no_color_a_terminal_gets_plain_text(value: str | None) -> None:
    """No color and no bold either; an empty value means nothing, as https://no-color.org says."""
    import pty

    reader, writer = pty.openpty()
    environ = {name: each for name, each in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR", "COLUMNS")}
    environ |= {"TERM": "xterm-256color"} | ({} if value is None else {"NO_COLOR": value})
    import subprocess

    with subprocess.Popen(
        [sys.executable, "-m", "ttr_rules", "score", "-"], stdin=subprocess.PIPE, stdout=writer, env=environ
    ) as child:
        os.close(writer)
        assert child.stdin is not None
        child.stdin.write(TABLE.encode())
        child.stdin.close()
        text = b""
        while True:
            try:
                part = os.read(reader, 65536)
            except OSError:
                break
            if not part:
                break
            text += part
    os.close(reader)
    assert b"wins with" in text
    assert (b"\x1b[" in text) is (value != "1")


@pytest.mark.slow
def test_a_pipe_gets_plain_text_whatever_the_environment_says() -> None:
    assert b"\x1b" not in process("score", "-", input=TABLE.encode(), env={"TERM": "xterm-256color"}).stdout


@pytest.mark.pure
def test_hooks_lists_every_hook_by_its_kind_with_what_it_is_for() -> None:
    lines = run("hooks").stdout.splitlines()
    assert [line.partition(":")[0] for line in lines if not line.startswith("  ")] == ["Values", "Things", "In play"]
    listed = dict(line.split(maxsplit=1) for line in lines if line.startswith("  "))
    assert tuple(listed) == HOOKS
    assert listed["on_claim"] == "After each claim, when it is paid and its cars and points are counted"


@pytest.mark.pure
@pytest.mark.parametrize("hook", HOOKS)
def test_a_hook_is_described_as_in_the_reference(hook: str) -> None:
    method = getattr(Variant, hook)
    text = run("hooks", hook).stdout
    assert text.startswith(f"@hookimpl\ndef {hook}(self, ")
    assert str(inspect.getdoc(method)).partition("\n\n>>> ")[0] in text
    assert "\nExample:\n\n" in text or hook == "claim_key"
    assert ("There is one answer" in text) is ("below: " in text.splitlines()[1])
    users = text.rstrip().rpartition("\nOverridden by: ")[2].split(", ")
    for name in ("europe", "dice", "pennsylvania"):
        assert (name in users) is (getattr(type(load_plugin(name)), hook) is not method)


def test_a_hook_that_there_is_not_is_refused_with_the_nearest() -> None:
    assert "no hook 'on_claims'; did you mean 'on_claim'?" in refused("hooks", "on_claims")

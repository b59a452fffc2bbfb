"""A Sphinx extension: what a variant's page says of it by directives, read from the plugin, its rulebook and its map.

`{facts} NAME` is its table of facts, `{rules-of} NAME` its rules by id, `{options-of} NAME` its options, `{score-keys} NAME` the
keys of a player in a score file, `{sources} NAME` where its data comes from, and `{variants}` a card for every variant.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path

import catalog
from docutils import nodes
from pages import cell, linked, listed, table
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import ExtensionMetadata
from stacks import OfficialStack, official_stacks

import ttr_maps
from ttr_rules import Rules, compile_rules
from ttr_rules.plugins import Installed, Option, PluginInfo, options_of
from ttr_rules.plugins.discovery import BUILT_IN, load_plugin
from ttr_rules.text import written
from ttr_tools.cli.score import score_keys
from ttr_tools.render import draw_board

#: The keys that every player of a score file has, whatever the stack.
COMMON_KEYS = ("name", "routes", "tickets")
#: Small pictures of boards, in the folder of the built site.
PICTURES = "_static/boards"


@cache
def found() -> dict[str, tuple[Installed, PluginInfo]]:
    """The variants that come with the library, by name."""
    return {each.name: (each, each.info) for each in catalog.plugins() if each.info is not None}


def info_of(name: str) -> PluginInfo:
    """The description of a variant."""
    return found()[name][1]


@cache
def every_stack() -> tuple[OfficialStack, ...]:
    """The official stacks, which are all compiled for it."""
    return official_stacks()


def is_playable(name: str) -> bool:
    """True if a variant is a whole game that is complete as it comes."""
    return any(each.stack == (name,) and each.problem is None for each in every_stack())


def rules_of_stack(name: str) -> Rules:
    """The rules of a stack with a variant, for what can be read from them."""
    rules = catalog.rules_with(name)
    return rules if rules is not None else compile_rules(*info_of(name).requires)


def brings_map(name: str) -> bool:
    """True if a variant brings a board of its own."""
    return "board" in catalog.hook_functions(load_plugin(name))


# -- the pieces, as Markdown -----------------------------------------------------------------------------------


def facts(name: str) -> Iterator[str]:
    """The table of facts."""
    info, rules = info_of(name), rules_of_stack(name)
    parts = rules.components
    rows: list[tuple[str, str]] = [("name in a stack", f"`{name}`")]
    if info.aliases:
        rows.append(("also called", listed(info.aliases)))
    if info.requires:
        rows.append(("built on", ", ".join(f"[{info_of(each).title}]({each}.md)" for each in info.requires)))
    if brings_map(name) or info.requires:
        rows.append(("map", map_in_words(rules)))
        cards = "" if name in ("max", "orient-express") else f", {parts.cars} cars each"
        rows.append(("players", f"{parts.min_players} to {parts.max_players}{cards}"))
    if is_playable(name):
        piles = rules.deck.piles
        kinds = ", ".join(f"{len(pile)} {kind}" for kind, pile in piles.items())
        rows.append(("tickets", str(len(rules.deck.tickets)) + (f": {kinds}" if len(piles) > 1 else "")))
    elif "ticket_deck" in catalog.hook_functions(load_plugin(name)) or name == "marklin":
        rows.append(("tickets", "[supplied by you](../how-to/give-the-tickets.md)"))
    if name != "dice":
        rows.append(("with dice", with_dice(name)))
    given = catalog.hook_functions(load_plugin(name))
    hooks = (f"[`{hook}`](../reference/hooks.md#{hook.replace('_', '-')})" for hook in given)
    rows.append(("hooks", ", ".join(hooks)))
    yield from table(("", ""), rows)


def map_in_words(rules: Rules) -> str:
    """The board of a stack: its size, and what kinds of route are on it."""
    board = rules.own_board or rules.board
    crossings = sum(city.country is not None for city in board.cities.values())
    routes = board.routes.values()
    kinds = {
        "tunnels": sum(route.tunnel for route in routes),
        "ferries": sum(route.ferry_locomotives > 0 for route in routes),
    }
    more = [f"{count} {kind}" for kind, count in kinds.items() if count]
    cities = f"{len(board.cities) - crossings} cities" + (f", {crossings} border crossings" if crossings else "")
    return f"{board.name}: {cities}, {len(routes)} routes" + (f" ({', '.join(more)})" if more else "")


def with_dice(name: str) -> str:
    """True if dice go with a variant."""
    problems = [each.problem for each in every_stack() if each.stack == (name, "dice")]
    return "no" if any(problems) else "yes"


def rules_of(name: str) -> Iterator[str]:
    """The rules of a variant by id, in the words of its rulebook."""
    for rule in catalog.own_rules(name):
        yield f"[{rule.id}](#rule-{rule.id}) {rule.title}"
        yield f": {linked(rule.text)}\n"


def options(name: str) -> Iterator[str]:
    """The options that decide something in a stack with a variant: its own first, then those that every game has."""
    mine = [each for each in options_of(load_plugin(name)).values() if each.meaning]
    if mine:
        yield from option_table(mine)
    else:
        yield f"`{name}` has no options of its own.\n"
    chosen = next((each for each in mine if each.alternatives), None)
    if chosen is not None:
        value = next(each for each in chosen.alternatives if each != chosen.default)
        yield f"Write an option after the name, `{name}:{chosen.name}={written(value)}`, or pass it in Python:"
        yield f"`compile_rules({name!r}, rulings={{{chosen.name!r}: {value!r}}})`.\n"
    below = [each for each in (*info_of(name).requires, *BUILT_IN) if (name, each) != ("dice", "train-cards")]
    inherited = [
        (each, option.name)
        for each in below
        for option in options_of(load_plugin(each)).values()
        if option.alternatives
    ]
    those = ", ".join(f"`{option}` ({each})" for each, option in inherited)
    yield f"Options of what it is built on apply as well: {those}. [Choose rulings](../how-to/choose-rulings.md) shows how.\n"


def option_table(given: Iterable[Option]) -> Iterator[str]:
    """A table of options: name, default and alternatives, what they mean, the rule."""
    yield from table(
        ("option", "default", "or", "what it decides"),
        (
            (
                f"`{each.name}`",
                f"`{written(each.default)}`",
                ", ".join(f"`{written(other)}`" for other in each.alternatives if other != each.default)
                or "another value",
                cell(each.meaning) + (f" ([{each.rule}](#rule-{each.rule}))" if each.rule else ""),
            )
            for each in given
            if each.meaning
        ),
    )


def keys_of(name: str) -> Iterator[str]:
    """The keys of a player in a score file, beyond those that every stack has."""
    below = {key.name for key in score_keys(compile_rules("europe"))} if name == "dice" else COMMON_KEYS
    keys = [key for key in score_keys(rules_of_stack(name)) if key.name not in below]
    if not keys:
        more = " and those of the game it is added to" if name == "dice" else ""
        yield f"No keys beyond the common ones, `name`, `routes` and `tickets`{more}.\n"
        return
    yield "Besides `name`, `routes` and `tickets`, a player of a [score file](../how-to/score-a-table.md) may have:\n"
    yield from table(
        ("key", "what", "example"), ((f"`{key.name}`", cell(key.summary), f"`{key.example}`") for key in keys)
    )


def sources(name: str) -> Iterator[str]:
    """The notes at the head of the map files on the sources of their data and on what was not verified."""
    board = rules_of_stack(name).board
    folder = files(ttr_maps) / board.id
    for path in sorted((each for each in folder.iterdir() if each.name.endswith(".toml")), key=lambda each: each.name):
        head = re.match(r"(?:#[^\n]*\n)+", path.read_text(encoding="utf-8"))
        if head is not None:
            title, _, text = " ".join(line.lstrip("# ") for line in head[0].splitlines()).partition(". ")
            yield f"- `{board.id}/{path.name}`: {text or title}"
    yield ""
    yield "[How far the data can be trusted](../reference/maps.md#how-far-the-data-can-be-trusted) tells the same of every map.\n"


def gallery() -> Iterator[str]:
    """A card for every variant: those that are whole games first, then what goes on top of them."""
    whole = [name for name in found() if brings_map(name) or is_playable(name)]
    for title, names in (("Games", whole), ("Additions", [name for name in found() if name not in whole])):
        yield f"## {title}\n"
        yield "::::{grid} 1 2 2 3\n:gutter: 3\n"
        for name in sorted(names, key=lambda name: (not brings_map(name), info_of(name).title)):
            yield from card(name)
        yield "::::\n"


def card(name: str) -> Sequence[str]:
    """The card of a variant, with a small picture of its board."""
    info = info_of(name)
    head = [f":::{{grid-item-card}} {info.title}", f":link: {name}", ":link-type: doc", ""]
    source = f"../{PICTURES}/{rules_of_stack(name).board.id}.svg"
    picture = ["```{raw} html", f'<img class="small-board" src="{source}" alt="" loading="lazy">', "```"]
    return [*head, *(picture if has_board(name) else ()), f"`{name}`", "", info.summary, ":::", ""]


def has_board(name: str) -> bool:
    """True if a variant is played on one board."""
    return brings_map(name) or bool(info_of(name).requires)


def draw_small_boards(app: Sphinx, problem: Exception | None) -> None:
    """Write the boards that the cards show."""
    if problem is not None or app.builder.format != "html":
        return
    folder = Path(app.outdir) / PICTURES
    folder.mkdir(parents=True, exist_ok=True)
    for rules in [rules_of_stack(name) for name in found() if has_board(name)]:
        path = folder / f"{rules.board.id}.svg"
        if not path.exists():
            path.write_text(draw_board(rules.board, theme="light").svg, encoding="utf-8")


PIECES = {"facts": facts, "rules-of": rules_of, "options-of": options, "score-keys": keys_of, "sources": sources}


class Piece(SphinxDirective):
    """Something that a page says about the variant it names."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        name = self.arguments[0]
        if name not in found():
            raise self.error(f"no variant called {name!r}")
        return self.parse_text_to_nodes("\n".join(PIECES[self.name](name)))


class Gallery(SphinxDirective):
    """A card for every variant."""

    def run(self) -> list[nodes.Node]:
        return self.parse_text_to_nodes("\n".join(gallery()), allow_section_headings=True)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Called by Sphinx."""
    for name in PIECES:
        app.add_directive(name, Piece)
    app.add_directive("variants", Gallery)
    app.connect("build-finished", draw_small_boards)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

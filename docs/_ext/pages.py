"""The pages of the reference, as Markdown made from the code."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any

import catalog
import click
import pictures
import tasks
from catalog import RULE_ID
from stacks import official_stacks

import ttr_maps
from ttr_rules import Action, Decision, Event, Game, TTRError, compile_rules
from ttr_rules.clients import json_schema
from ttr_rules.kernel.variant import HOOKS, VALUES
from ttr_rules.model import Rule
from ttr_rules.plugins import Variant, rulebook
from ttr_tools.cli import commands
from ttr_tools.cli.authors import purpose_and_example
from ttr_tools.cli.score import score_keys

#: The packages in which names are defined, in the order in which the pages show them.
ORDER = (
    *("plugins", "play", "kernel", "mechanics", "model", "train_cards"),
    *("saves", "clients", "narration", "replay", "render", "bots", "hidden", "boards", "graph"),
)
INDEX = """# Reference

Generated from the code each time this site is built.

```{toctree}
:maxdepth: 1

api/index
hooks
moves
maps
score-files
rules
errors
cli
packages
```
"""


@cache
def all_rules() -> Mapping[str, Rule]:
    """The rules of the library and of all bundled plugins, by id."""
    return rulebook()


def linked(text: str) -> str:
    """Markdown with its rule ids linked to the index."""
    known = all_rules()
    return RULE_ID.sub(lambda found: f"[{found[0]}](#rule-{found[0]})" if found[0] in known else found[0], text)


def cell(text: str) -> str:
    """Text for the cell of a table."""
    return linked(" ".join(text.split())).replace("|", "\\|")


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """A Markdown table."""
    yield f"| {' | '.join(head)} |"
    yield f"|{' --- |' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"
    yield ""


def rst(*lines: str) -> Iterator[str]:
    """Lines that Sphinx reads as its own markup."""
    yield "```{eval-rst}"
    yield from lines
    yield "```"
    yield ""


def class_link(kind: type[Any]) -> str:
    """A class by name, linked if it is public."""
    name = kind.__name__
    found = catalog.public_names().get(name)
    return f"{{py:class}}`~{found.module}.{name}`" if found and catalog.value_of(name) is kind else f"`{name}`"


#: Public classes have members for the library itself, which it does not promise to anybody.
INTERNAL = {
    "Rules": (
        *(
            "stack",
            "recipe",
            "on_deal",
            "loans",
            "claim_cars",
            "claim_points",
            "around_actions",
            "part_types",
            "claimable",
        ),
        *(
            "fleet_of",
            "ticket_ids",
            "tickets_return",
            "turn_of",
            "alone",
            "answer_list",
            "action_numbers",
            "part_numbers",
        ),
        *(
            "parts_per_turn",
            "complete",
            "same_as",
            "agrees_with",
            "closed_beside",
            "new_parts",
            "answered_by",
            "contributing",
        ),
    ),
    "State": (
        *("memo", "moment", "stopped", "ask_by_fields", "field", "tickets_dealt", "tickets_chosen", "set_up_revealed"),
        *("answered", "tickets_drawn", "hold_tickets", "reveal_tickets", "reveal_ticket"),
    ),
    "Answers": ("count_into", "count_passes", "place"),
    "CardPiles": (
        *(
            "items_in",
            "sample_hidden",
            "count_kinds",
            "top",
            "top_card",
            "in_numbers",
            "lay_row",
            "lay_piles",
            "rebuild",
        ),
        *("sweep", "spend", "pick_up_laid", "number_cards", "name_cards", "discards_of", "undrawn", "value"),
    ),
}


# -- every public name -----------------------------------------------------------------------------------------


def public_name(name: str) -> Iterator[str]:
    """One public name."""
    value, found = catalog.value_of(name), catalog.public_names()[name]
    full = f"{found.module}.{name}"
    if isinstance(value, type):
        options = (
            ["   :show-inheritance:"]
            if {base.__name__ for base in value.__bases__} & set(catalog.public_names())
            else []
        )
        if value in (Action, Decision, Event) or not issubclass(value, Action | Decision | Event | BaseException):
            options.append("   :members:")
        if value is Game:
            options.append("   :inherited-members: object")  # some of its methods are compiled, in a class of their own
        left_out = HOOKS if value is Variant else INTERNAL.get(name, ())  # the page on hooks has those of `Variant`
        if left_out:
            options.append(f"   :exclude-members: {', '.join(left_out)}")
        yield from rst(f".. autoclass:: {full}", *options)
    elif inspect.isfunction(inspect.unwrap(value)):
        yield from rst(f".. autofunction:: {full}")
    else:
        text = catalog.comment_on(name, found.home) or "Marks a method of a variant that overrides a hook: `@hookimpl`."
        shown = [f"   :value: {value!r}"] if len(repr(value)) < 120 and "object at" not in repr(value) else []
        yield from rst(f".. py:data:: {full}", *shown, "", f"   {text.replace('`', '``')}")


def api() -> Iterator[tuple[str, str]]:
    """The pages of public names: one for each task, one for each module that people come to for its own sake, and a list of all."""
    index = [
        "# Names by what you want to do",
        "",
        "Every public name: what these modules have. Anything else may change without notice.",
        "",
    ]
    pages = []
    for page, task in tasks.TASKS.items():
        pages.append(page)
        yield f"api/{page}", "\n".join(task_page(page))
        names = [name for names in tasks.sections_of(page).values() for name in names]
        index += [f"**[{task.title}]({page}.md).** {task.about}", "", by_module(names), ""]
    for module in tasks.modules():
        title, page = tasks.title_of(module), tasks.page_of_module(module)
        here = [
            name
            for name, found in catalog.public_names().items()
            if found.module == module and tasks.page_of(name) == page
        ]
        about = linked(catalog.first_line(import_module(module)))
        pages.append(page)
        elsewhere = [name for name in catalog.names_in(module) if name not in here]
        yield f"api/{page}", "\n".join(one_module(title, module, about, here, elsewhere))
        index += [f"**[{title}]({page}.md)** in `{module}`. {about}", "", links(here), ""]
    index += ["```{toctree}", ":hidden:", "", *pages, "```"]
    yield "api/index", "\n".join(index)


def links(names: Iterable[str]) -> str:
    """Names that lead to where they are documented."""
    found = catalog.public_names()
    return ", ".join(f"{{py:obj}}`~{found[name].module}.{name}`" for name in names)


def by_module(names: Iterable[str]) -> str:
    """Links to names, grouped by the module to import them from, `ttr_rules` first."""
    modules: dict[str, list[str]] = {"ttr_rules": []}
    for name in names:
        modules.setdefault(catalog.public_names()[name].module, []).append(name)
    return "; ".join(f"in `{module}`: {links(here)}" for module, here in modules.items() if here)


def task_page(page: str) -> Iterator[str]:
    """The page of a task: its names, section by section."""
    task = tasks.TASKS[page]
    yield from (f"# {task.title}", "", task.about, "", f"Explained in: {task.more}.", "")
    for head, names in tasks.sections_of(page).items():
        yield from (f"## {head}", "")
        if head in task.modules:
            yield from rst(f".. automodule:: {task.modules[head]}", "   :no-members:", "", ".. py:currentmodule:: None")
        for name in names:
            yield from public_name(name)


def one_module(title: str, module: str, about: str, here: Sequence[str], more: Sequence[str]) -> Iterator[str]:
    """The page of a public module: its names by the modules that define them."""
    yield from (f"# {title}", "", f"`{module}`: {about}", "")
    homes: dict[str, list[str]] = {}
    for name in here:
        homes.setdefault(catalog.public_names()[name].home, []).append(name)
    for home in sorted(homes, key=lambda home: (place_of(home), home)):
        head = re.split(r":|;|\. | \(|, (?:which|such as|put) ", catalog.first_line(import_module(home)))[0].rstrip(".")
        yield from (f"## {head}", "")
        for name in sorted(homes[home], key=lambda name: position(name, home)):
            yield from public_name(name)
    elsewhere = [name for name in more if name in catalog.public_names()]
    if elsewhere:
        yield from (f"Also in `{module}`: {links(elsewhere)}", "")


def place_of(home: str) -> int:
    """The place of a module among the others: that of its package."""
    package = home.split(".")[1]
    return ORDER.index(package) if package in ORDER else len(ORDER)


def position(name: str, module: str) -> int:
    """The position of a name's definition in its module."""
    source = catalog.source_of(module)
    places = [source.find(f"\n{start}{name}") for start in ("class ", "def ", "")]
    return min([place for place in places if place >= 0], default=0)


# -- hooks -----------------------------------------------------------------------------------------------------


def hooks_page() -> Iterator[str]:
    """Every hook: what it is for, its signature, who implements it, an example, where it is explained."""
    yield "# Hooks\n"
    yield "Every way in which a plugin shapes the rules: methods of `Variant` that it overrides and marks `@hookimpl`."
    yield "[Stacks: replace and adjust](../explanation/stacks.md) explains how answers are combined;"
    yield "[House rules](../how-to/house-rules.md) has short plugins to copy from. `ttr-rules hooks` prints this page, hook by hook."
    yield "The examples are tests; they import from `ttr_rules`, `ttr_rules.plugins` and `attrs`.\n"
    for names, title, about in (
        (
            VALUES,
            "Values",
            "A stack has one answer: a method that calls `below()` adjusts the answer from below, any other replaces it.",
        ),
        (catalog.THINGS, "Things", "The answers of all plugins in a stack are taken together, base first."),
        (
            [hook for hook in HOOKS if hook not in (*VALUES, *catalog.THINGS)],
            "In play",
            "Called in the game: the map first, then what is built on it, then the others, in whatever order the stack is named. `@tryfirst` makes a method the last.",
        ),
    ):
        yield f"## {title}\n"
        yield f"{about}\n"
        yield from table(
            ("hook", "what it is for"),
            (
                (f"[`{hook}`](#{hook.replace('_', '-')})", cell(catalog.first_line(getattr(Variant, hook))))
                for hook in names
            ),
        )
        for hook in names:
            yield from one_hook(hook, catalog.hook_signatures()[hook], hook not in VALUES)


def one_hook(hook: str, signature: str, collecting: bool) -> Iterator[str]:
    """One hook, as `ttr-rules hooks` describes it, with links."""
    purpose, example = purpose_and_example(hook)
    yield f"### `{hook}`\n"
    yield from rst(f".. py:function:: ttr_rules.plugins.Variant.{signature}", "   :no-contents-entry:")
    yield f"{linked(purpose)}\n"
    if example:
        yield f"```python\n{example}\n```\n"
    methods = catalog.implementations()[hook]
    adjusting = [name for name, method in methods.items() if catalog.is_wrapper(method)]
    others = [name for name in methods if name not in (*adjusting, *catalog.BUILT_IN)]
    below = [name for name in methods if name in catalog.BUILT_IN]
    if below or not collecting:
        yield f"- Default: {listed(below) or 'none'}"
    yield f"- {'Overridden' if collecting else 'Replaced'} by: {listed(others) or 'no plugin that comes with the library'}"
    if not collecting:
        yield f"- Adjusted by: {listed(adjusting) or 'no plugin that comes with the library'}"
    links = ", ".join(f"[{title}](../{page})" for page, title in catalog.shown_on()[hook].items())
    yield f"- Shown in: {links}\n" if links else ""


# -- actions, decisions, events --------------------------------------------------------------------------------


def moves() -> Iterator[str]:
    """Tables of every action, decision and event."""
    yield "# Actions, decisions, events\n"
    yield "Those of the library and of all bundled plugins. In a [saved game](../how-to/save-and-load.md) "
    yield "each is tagged with its origin and its name, such as `core.ClaimRoute`.\n"
    yield "## Decisions and their answers\n"
    answers = catalog.answers()
    yield from table(
        ("decision", "defined by", "fields", "what must be decided", "answered by"),
        (
            (*start(tag, kind), ", ".join(map(class_link, sorted(answers.get(kind, ()), key=own_first))))
            for tag, kind in catalog.types_of(Decision).items()
        ),
    )
    yield "## Actions\n"
    yield "Every action has the field `seat`; only the others are listed.\n"
    yield from table(
        ("action", "defined by", "fields", "what it does"),
        (start(tag, kind) for tag, kind in catalog.types_of(Action).items()),
    )
    yield "## Events\n"
    yield "`event.seen_by(seat).event` has `Unknown(count)` in place of whatever the seat may not see.\n"
    yield from table(
        ("event", "defined by", "fields", "what happened"),
        (start(tag, kind) for tag, kind in catalog.types_of(Event).items()),
    )


def own_first(kind: type[Any]) -> tuple[bool, str]:
    """The order of types: those of the library, then those of plugins."""
    return not kind.__module__.startswith("ttr_rules."), kind.__name__


def start(tag: str, kind: type[Any]) -> tuple[str, str, str, str]:
    """The cells that all tables of types have."""
    listed = [
        f"`{name}: {type}`" + (f" – {secrecy}" if secrecy else "")
        for name, type, secrecy in catalog.fields_of(kind)
        if name != "seat" or issubclass(kind, Event)
    ]
    about = catalog.first_line(kind)
    fields = "<br>".join(each.replace("|", "\\|") for each in listed)
    return class_link(kind), tag.partition(".")[0], fields, cell(about)


# -- maps -----------------------------------------------------------------------------------------------------


def maps_page() -> Iterator[str]:
    """The maps that come with the library."""
    yield "# Maps\n"
    rows = []
    for name in ttr_maps.NAMES:
        board = ttr_maps.load(name)
        crossings = sum(city.country is not None for city in board.cities.values())
        sets: dict[str, int] = {}
        for ticket in board.tickets:
            sets[ticket.set or "base"] = sets.get(ticket.set or "base", 0) + 1
        rows.append(
            (
                f"`{name}`",
                board.name,
                f"{len(board.cities) - crossings}" + (f" and {crossings} border crossings" if crossings else ""),
                str(len(board.routes)),
                str(sum(route.tunnel for route in board.routes.values())),
                str(sum(route.ferry_locomotives > 0 for route in board.routes.values())),
                ", ".join(f"{count} of `{kind}`" for kind, count in sets.items()),
            )
        )
    yield from table(("name", "map", "cities", "routes", "tunnels", "ferries", "tickets"), rows)
    yield "`ttr_maps.load(name)` returns the board. Any of them can be given to `compile_rules` as `board=`.\n"
    form = "## The form of a map file"
    yield f"{form}\n\n```{{include}} ../../maps/README.md\n:start-after: '{form}'\n```"


def score_files_page() -> Iterator[str]:
    """The keys that a player of a score file may have, stack by stack."""
    yield "# Score files\n"
    yield "What a player of a [table to score](../how-to/score-a-table.md) may have. `ttr-rules score --template STACK` prints a "
    yield "commented file to fill in.\n"
    stacks = {each.stack: score_keys(compile_rules(*each.stack)) for each in official_stacks() if each.problem is None}
    alone = {stack: keys for stack, keys in stacks.items() if stack[-1] != "dice"}
    yield from table(
        ("stack", "keys of a player"),
        ((f"`{' '.join(stack)}`", ", ".join(f"`{key.name}`" for key in keys)) for stack, keys in alone.items()),
    )
    yield "Adding `dice` to a stack does not change its keys.\n"
    known = {key.name: key for keys in alone.values() for key in keys}
    yield from table(
        ("key", "what", "example"), ((f"`{key.name}`", cell(key.summary), f"`{key.example}`") for key in known.values())
    )


# -- errors, rules, command line -------------------------------------------------------------------------------


def errors_page() -> Iterator[str]:
    """The errors as a tree."""
    yield "# Errors\n"
    yield "Each has a readable message. Catch `TTRError` to catch all of them.\n"

    def branch(kind: type[BaseException], depth: int) -> Iterator[str]:
        also = [base.__name__ for base in kind.__bases__ if base.__module__ == "builtins" and base is not Exception]
        more = f" Also a `{also[0]}`." if also else ""
        yield f"{'  ' * depth}- {class_link(kind)}: {linked(catalog.first_line(kind))}{more}"
        for child in kind.__subclasses__():
            if child.__module__.startswith("ttr_rules.") and child.__name__ in catalog.public_names():
                yield from branch(child, depth + 1)

    yield from branch(TTRError, 0)


def _by_number(id: str) -> tuple[str, int]:
    """The sort key of a rule id: R2 comes before R10."""
    letters = id.rstrip("0123456789")
    return letters, int(id[len(letters) :])


def rules_page() -> Iterator[str]:
    """The rule index: id, our words, code, tests, ruling and alternative."""
    yield "# Rule index\n"
    yield "The rules by the ids that refusals, docstrings and tests cite, in our own words; `ttr_rules.plugins.rulebook()` has them as data. *Kept in* names the code that refuses by a rule, or counts by it.\n"
    section = ""
    for id, rule in by_section():
        if rule.section != section:
            section = rule.section
            yield f"## {section}\n"
        yield f"(rule-{id})=\n### {id}: {rule.title}\n"
        yield f"{linked(rule.text)}\n"
        if rule.ruling is not None:
            yield f"**Ruling**: `{rule.ruling} = {catalog.defaults()[rule.ruling]}`; the alternative is `{rule.alternative}`.\n"
        keep = catalog.kept().get(id, [])
        yield f"**Kept in**: {', '.join(f'`{place}`' for place in keep)}\n" if keep else ""
        more = [f"`{place}`" for place in catalog.cited().get(id, ()) if place not in keep]
        yield from folded("More code" if keep else "Code", more) if more or not keep else ()
        yield from folded("Tests", [f"`{place}`" for place in catalog.tested().get(id, ())])
        yield ""


def by_section() -> list[tuple[str, Rule]]:
    """The rules by section: first the sections of the rules that every stack starts from, last the rulings."""
    common = [rule.section for name in ("core", "train-cards") for rule in catalog.own_rules(name)]
    order = [*dict.fromkeys([*common, *(rule.section for rule in all_rules().values())])]
    order.sort(key=lambda section: (section.startswith("Rulings"), section == "Variants"))
    return sorted(all_rules().items(), key=lambda item: (order.index(item[1].section), *_by_number(item[0])))


def folded(title: str, places: Sequence[str]) -> Iterator[str]:
    """A list of places: a few in the open, many behind a click."""
    if len(places) <= 3:
        yield f"**{title}**: {', '.join(places) or 'none yet'}\n"
    else:
        inner = "".join(f"<li><code>{place.strip('`')}</code></li>" for place in places)
        yield f"<details><summary><b>{title}</b>: {len(places)} places</summary><ul>{inner}</ul></details>\n"


def cli_page() -> Iterator[str]:
    """The output of `--help` for each command."""
    yield "# Command line\n"
    yield "`ttr-rules` and `python -m ttr_rules` are the same; both need the extra `cli`.\n"
    top = click.Context(commands, info_name="ttr-rules", terminal_width=100, **commands.context_settings)
    yield f"```text\n{commands.get_help(top)}\n```\n"
    for name, command in commands.commands.items():
        context = click.Context(command, info_name=name, parent=top, terminal_width=100)
        yield f"## `ttr-rules {name}`\n"
        yield f"```text\n{command.get_help(context)}\n```\n"


def packages_page() -> Iterator[str]:
    """The contents of each package, and the packages that it may use."""
    yield "# Packages\n"
    yield "What each package is for, its modules, and the packages it imports. [Architecture](../explanation/architecture.md) shows"
    yield "the same as a picture.\n"
    found = pictures.all_packages().values()
    yield from table(
        ("package", "what it is for", "modules", "uses"),
        (
            (f"`{each.name}`", cell(each.purpose), listed(each.modules), listed(sorted(each.uses)))
            for each in sorted(found, key=lambda each: (len(each.uses), each.name))
        ),
    )


def code(name: str) -> str:
    """A name as code."""
    return f"`{name}`"


def listed(names: Iterable[str]) -> str:
    """Names in a cell."""
    return ", ".join(map(code, names))


def schemas() -> dict[str, str]:
    """The JSON Schemas of the stacks that come with the library, by stack."""
    found = [each.stack for each in official_stacks() if each.problem is None]
    return {"+".join(stack): json.dumps(json_schema(compile_rules(*stack)), indent=1) + "\n" for stack in found}


def pages() -> dict[str, str]:
    """Every page of the reference by its name below `docs/reference`."""
    made = {
        "hooks": hooks_page(),
        "moves": moves(),
        "maps": maps_page(),
        "score-files": score_files_page(),
        "errors": errors_page(),
        "rules": rules_page(),
        "cli": cli_page(),
        "packages": packages_page(),
    }
    return {"index": INDEX, **dict(api()), **{name: "\n".join(lines) for name, lines in made.items()}}

"""The reference as people look for things: what they want to do, and the names that do it."""

from __future__ import annotations

from collections.abc import Mapping

import catalog
from attrs import frozen


@frozen
class Task:
    """A page of the reference: its title, what it is about, where it is explained, its names by section, and modules to tell of."""

    title: str
    about: str
    more: str
    sections: Mapping[str, tuple[str, ...]]
    modules: Mapping[str, str] = {}  # by section


#: Every name of `ttr_rules` itself is here; other names only where somebody would look for them under what they want to do.
TASKS: Mapping[str, Task] = {
    "play": Task(
        "Play",
        "Set up games and play them, by people, programs and bots.",
        "[A first game](../../tutorial/first-game.md), [a bot in 30 lines](../../tutorial/a-bot-in-30-lines.md)",
        {
            "Set up a game": ("new_game", "compile_rules", "installed", "Rules"),
            "Play it": ("Game", "State", "Move"),
            "Chance": ("SeededChance",),
            "Which build this is": ("compiled",),
            "Let bots play": ("Bot", "Player", "play_game", "playout", "determinize"),
            "Decisions": ("Decision", "Turn", "NextCard", "TicketSetup", "TicketChoice", "TicketMix", "TunnelDue"),
            "Actions": (
                "Action",
                "ClaimRoute",
                "DrawBlind",
                "DrawFaceUp",
                "DrawTickets",
                "KeepTickets",
                "AnnounceMix",
                "PayTunnel",
                "AbandonTunnel",
                "Pass",
            ),
            "When something is refused": ("Refusal", "TTRError", "IllegalActionError", "InvalidInputError"),
        },
    ),
    "score": Task(
        "Score",
        "Score a table, read the sheet of a game.",
        "[Score your game](../../tutorial/score-your-game.md), [score a table](../../how-to/score-a-table.md)",
        {
            "Score a table": ("score",),
            "The sheet": ("FinalScores", "PlayerScore", "TicketScore", "Score", "Detail", "SheetWords", "sheet_text"),
            "Longest paths": ("longest_path", "LongestPath"),
            "Any position": ("arrange",),
        },
    ),
    "save": Task(
        "Save",
        "Keep games in files, and read them again.",
        "[Save and load](../../how-to/save-and-load.md), [keep journals](../../how-to/keep-a-journal.md)",
        {
            "Saved games": ("dumps", "loads", "pack"),
            "Journals": ("Journals", "Journal"),
        },
    ),
    "show": Task(
        "Show",
        "What a player may see, what a player may do, and how to send or draw it.",
        "[Show a player](../../how-to/show-a-player.md), [write a client](../../how-to/write-a-client.md), "
        "[draw a board](../../how-to/draw-a-board.md)",
        {
            "What a seat sees": ("View", "cards", "SeenCards", "TicketProgress", "ticket_progress"),
            "What happened": ("Event", "SeenEvent", "SeenMove", "Unknown"),
            "What a seat may do": ("Offer", "OfferedKind", "Purchase", "PaymentPage"),
            "As a picture": (
                "draw_board",
                "draw_position",
                "draw_view",
                "lay_out",
                "draw_sheet",
                "Picture",
                "Style",
                "Theme",
                "variables",
                "changed_elements",
            ),
        },
        {"As a picture": "ttr_tools.render"},
    ),
    "clients": Task(
        "Clients in any language",
        "The messages between a server and its clients, as JSON, and the schema of all that is JSON.",
        "[Write a client](../../how-to/write-a-client.md), [generate a client](../../how-to/generate-a-client.md)",
        {
            "Plain data": ("to_json", "action_from_json", "event_from_json", "view_from_json", "rules_from_json"),
            "What a server sends": (
                "ServerMessage",
                "Hello",
                "Update",
                "Accepted",
                "Refused",
                "Payments",
                "Actions",
                "Over",
                "ErrorMessage",
            ),
            "What a client sends": ("ClientMessage", "Join", "Act", "ListPayments", "ListActions"),
            "Read a message": ("read_client_message", "read_server_message"),
            "The board": ("board", "BoardInfo", "RouteInfo", "TicketInfo", "TicketGoal", "Country", "StackEntry"),
            "The geometry of the board": ("BoardLayout", "RouteLayout", "SpaceLayout", "CityLayout"),
            "The schema and its version": ("json_schema", "client_schema", "PROTOCOL"),
        },
    ),
    "boards": Task(
        "Boards, cards and tickets",
        "The data of a game.",
        "[Load a map of your own](../../how-to/load-a-map.md), [the maps](../maps.md)",
        {
            "Boards": ("Board", "City", "Route", "load_board", "Network"),
            "Tickets": ("Ticket",),
            "Cards": ("Card", "Color", "Counts", "CARD_COLORS", "STANDARD_CARDS"),
        },
    ),
}

#: The titles of the other pages, a module each: what it is for.
MODULES: Mapping[str, str] = {
    "ttr_rules.plugins": "Extend: write a plugin",
    "ttr_tools.testing": "Test a variant",
    "ttr_tools.bots": "Bots, and what they need",
    "ttr_rules.events": "Events",
    "ttr_rules.train_cards": "Train cards, and economies like them",
    "ttr_tools.simulation": "Simulate many games",
    "ttr_tools.learning": "Reinforcement learning",
    "ttr_tools.narration": "Tell a game in sentences",
    "ttr_tools.replay": "Replay a game in a browser",
    "ttr_tools.web": "Play in the browser",
    "ttr_rules.language": "Texts in several languages",
    "ttr_rules.engine": "Play on states",
    "ttr_rules.actions": "Action rules: payments, numbers, turns",
    "ttr_rules.parts": "Parts of a state",
    "ttr_rules.scores": "Scores",
    "ttr_rules.hints": "Hints for bots, marks on pictures",
    "ttr_rules.sequences": "Frozen mappings and long sequences",
    "ttr_rules.graph": "Paths and connections",
    "ttr_rules.reading": "Read untrusted files",
    "ttr_rules.loading": "Load modules and tools when they are needed",
    "ttr_rules.text": "Words for messages",
    "ttr_rules.errors": "Errors",
}


def page_of(name: str) -> str:
    """The page on which a public name is documented: that of a task, or that of the module that has it."""
    for page, task in TASKS.items():
        if any(name in names for names in task.sections.values()):
            return page
    return page_of_module(catalog.public_names()[name].module)


def page_of_module(module: str) -> str:
    """The page of a public module: its name without that of the package it is in."""
    return module.partition(".")[2] or module


def sections_of(page: str) -> Mapping[str, tuple[str, ...]]:
    """The sections of a task, with one for names of its module that nobody has put anywhere yet."""
    task = TASKS[page]
    placed = {name for names in task.sections.values() for name in names}
    left = tuple(name for name in catalog.public_names() if page_of(name) == page and name not in placed)
    return {**task.sections, **({"More": left} if left else {})}


def unplaced() -> list[str]:
    """Mistakes in the tasks: names of the root that are under no task, and names under a task that are not public."""
    known = catalog.public_names()
    named = {name for task in TASKS.values() for names in task.sections.values() for name in names}
    root = {name for name, found in known.items() if found.module == "ttr_rules"}
    return sorted((root - named) | (named - known.keys()))


def modules() -> list[str]:
    """The modules with a page of their own: those that have names which are under no task."""
    left = {found.module for name, found in catalog.public_names().items() if page_of(name) not in TASKS}
    return sorted(left, key=lambda module: ([*MODULES, module].index(module), module))


def title_of(module: str) -> str:
    """The title of the page of a module."""
    return MODULES.get(module, f"`{module}`")

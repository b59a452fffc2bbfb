"""The status shown to a player: the players, the row, the hand, the tickets, each in a line or two."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from rich import box
from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from ttr_rules import View
from ttr_rules.model import Counts
from ttr_rules.play import Game, ticket_progress
from ttr_rules.train_cards import SeenCards
from ttr_tools.cli.look import missing_spaces
from ttr_tools.cli.screen import Screen, painted
from ttr_tools.cli.sheets import style_of
from ttr_tools.narration.labels import cards_label, ticket_label
from ttr_tools.narration.shown import columns_of, shown_fields
from ttr_tools.narration.words import Names

#: Longer texts are not shown with the status: `/label` shows them.
_LONGEST = 150
_LABEL = 9
_LONGEST_NAME = 24


def show_status(screen: Screen, game: Game, seat: int, names: Names) -> None:
    """Print what `seat` sees of the table, as compactly as possible."""
    view = game.view(seat)
    width = screen.width
    longest = max(map(cell_len, names.players)) + cell_len(names.language.gettext(" (you)"))
    columns, others = _fitting(_columns(view, names), longest, width)
    with screen.console.capture() as captured:
        screen.console.print(_players(view, names, columns), width=width)
    screen.say()
    for line in captured.get().splitlines():
        screen.say(Text.from_ansi(line.rstrip()))
    more = [(title, _each(cells, names)) for title, cells in others.items()]
    lines = [*more, *_table(view, names), *_own(view, names), *_tickets(game, view, names)]
    room = max([_LABEL, *(len(label) for label, _ in lines)])
    for label, text in lines:
        screen.say(Text.assemble((f"{label:{room}} ", "bold"), painted(text, names.language)), indent=room + 1)
    screen.say()


def _columns(view: View, names: Names) -> dict[str, list[str]]:
    """Scores, cars, and everything else that is a number per player."""
    say = names.language.gettext
    columns: dict[str, list[str]] = {
        say("Points"): [str(points) for points in view.scores],
        say("Cars"): [str(cars) for cars in view.cars],
        say("Tickets"): ["?" if count is None else str(count) for count in view.ticket_counts],
    }
    return columns | dict(columns_of(view, names))


def _fitting(columns: dict[str, list[str]], name: int, width: int) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """The columns that fit next to the longest name, and the others, so that no title is cut."""
    left = width - min(name, _LONGEST_NAME)
    shown: dict[str, list[str]] = {}
    for title, cells in columns.items():
        left -= 2 + max(cell_len(each) for each in (*title.split(), *cells))
        if left < 0:
            break
        shown[title] = cells
    return shown, {title: cells for title, cells in columns.items() if title not in shown}


def _each(cells: Sequence[str], names: Names) -> str:
    """What each player has of something, on a separate line."""
    return ", ".join(f"{names.player(seat)} {cell}" for seat, cell in enumerate(cells))


def _players(view: View, names: Names, columns: Mapping[str, Sequence[str]]) -> Table:
    """The players line by line, with their numbers."""
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("", no_wrap=True, overflow="ellipsis", max_width=_LONGEST_NAME)
    for title in columns:
        table.add_column(title, justify="right")
    for seat in range(len(view.players)):
        player = Text(names.player(seat), style=style_of(seat))
        if seat == view.seat:
            player.append(names.language.gettext(" (you)"), style="not bold")
        table.add_row(player, *(cells[seat] for cells in columns.values()))
    return table


def _table(view: View, names: Names) -> Iterator[tuple[str, str]]:
    """What is public: the face-up row first, then what the parts of the state expose."""
    say = names.language
    for part in view.parts.values():
        if isinstance(part, SeenCards):
            row = ", ".join(map(names.value, part.face_up)) or say.gettext("nothing")
            text = say.gettext("{cards}; {count} in the pile", cards=row, count=part.draw_pile_size)
            yield say.gettext("Face up"), text
    if view.turns_left:
        one, many = "{count} more turn in all, this one included", "{count} more turns in all, this one included"
        yield say.gettext("Last round"), say.ngettext(one, many, view.turns_left)


def _own(view: View, names: Names) -> Iterator[tuple[str, str]]:
    """The hand, and what plugins expose to this seat; a view contains nothing that is secret from it."""
    say = names.language.gettext
    for part in view.parts.values():
        if isinstance(part, SeenCards) and part.hand is not None:
            yield say("Hand"), cards_label(part.hand, names.card_words, names.language).replace(" + ", ", ")
    before: object = None
    for shown in shown_fields(view, names):
        if shown.is_column(len(view.players)) or shown.is_empty or _says_the_same(before, shown.value):
            continue
        before = shown.value
        text = shown.text(names)
        if len(text) > _LONGEST:
            label, count = shown.label.lower(), len(shown.entries(names))
            text = say("{count} entries; /{label} lists them", count=count, label=label)
        yield shown.label, text


def _says_the_same(items: object, counts: object) -> bool:
    """Whether a count adds nothing to the items themselves, which were shown just before."""
    if not isinstance(items, tuple) or not isinstance(counts, Counts):
        return False
    names = cast("tuple[str, ...]", items)
    return counts == {name: names.count(name) for name in names}


def _tickets(game: Game, view: View, names: Names) -> Iterator[tuple[str, str]]:
    """The tickets held, completed ones separate from the others."""
    assert view.seat is not None, "only a player has a status"
    if not view.tickets:
        return
    done: list[str] = []
    still: list[str] = []
    say = names.language.gettext
    for each in ticket_progress(game.state, view.seat):
        label = ticket_label(game.rules.tickets[each.ticket], names)
        if each.completed:
            done.append(label)
        elif each.spaces is None:
            still.append(say("{ticket} (cannot be completed any more)", ticket=label))
        else:
            still.append(f"{label} ({missing_spaces(each.spaces, names)})")
    if still:
        yield say("Tickets"), say("to do: {tickets}", tickets=", ".join(still))
    if done:
        yield "" if still else say("Tickets"), say("completed: {tickets}", tickets=", ".join(done))

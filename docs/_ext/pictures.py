"""The pictures of the page on architecture, as SVG: the packages, the way of an action, and how a stack compiles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from drawing import Box, Drawing
from layers import circles, layout
from packages import Package, packages

import ttr_maps
import ttr_rules
import ttr_tools
import ttr_variants
from ttr_rules import Rules, compile_rules, engine, plugins

PER_ROW = 4
ROW, WIDTH, HEIGHT = 78, 140, 40
STACK = ("europe", "dice")


@cache
def all_packages() -> dict[str, Package]:
    """The packages of the rules and of their tools, and the variants and maps that come with it."""
    paths = [Path(str(each.__file__)).parent for each in (ttr_rules, ttr_tools, ttr_variants, ttr_maps)]
    return packages(paths[:2], *paths[2:])


def package_picture(found: Mapping[str, Package]) -> str:
    """Packages in rows, each above everything that it uses; arrows that follow from others are left out."""
    drawing = Drawing("packages-picture", "The packages of the library in layers; arrows point to what a package uses.")
    groups = {" + ".join(sorted(group)): group for group in circles({name: each.uses for name, each in found.items()})}
    home = {name: title for title, group in groups.items() for name in group}
    graph = {
        title: {home[used] for name in group for used in found[name].uses} - {title} for title, group in groups.items()
    }
    plan = layout(graph, PER_ROW, WIDTH)
    lowest = len(plan.rows) - 1
    boxes = {
        name: Box(10 + middle - WIDTH / 2, 10 + (lowest - row) * ROW, WIDTH, HEIGHT)
        for row, line in enumerate(plan.rows)
        for name, middle in line.items()
    }
    for (name, target), way in plan.ways.items():
        passed = [(10 + x, 10 + (lowest - row) * ROW + down) for row, x in way for down in (0, HEIGHT)]
        drawing.falling([boxes[name].bottom, *passed, boxes[target].top])
    for name, box in boxes.items():
        members = [found[each] for each in sorted(groups[name])]
        hint = "; ".join(f"{each.name}: {each.purpose}" for each in members)
        style = "strong" if name.startswith("ttr_") else ""
        if len(members) == 1:
            drawing.box(box, name, style=style, font="name", hint=hint)
        else:
            drawing.box(box, f"{len(members)} in a circle", style="faint", hint=hint)
    right = max(box.x + box.width for box in boxes.values())
    right = max([right, *(10 + x for way in plan.ways.values() for _, x in way)])
    return drawing.svg(right + 10, lowest * ROW + HEIGHT + 20)


def action_picture() -> str:
    """The way of an action: from a player through a rule to events, the state, a view, and back."""
    drawing = Drawing(
        "action-picture",
        "A player plays an action. Answers find its rule, which refuses it, or performs it and emits events. The effect of each event changes "
        "the state. Views show a seat what it may see of the state. Saved games keep the events.",
    )
    width, left, middle, right = 190, 20, 285, 550
    player = drawing.box(Box(left, 110, 120, 72), "Player", "a person, a bot,", "a program")
    action = drawing.box(Box(175, 110, 120, 72), "Action", *named("Game.play"))
    answers = drawing.box(
        Box(330, 110, 185, 72), "Answers", *named("Answers.counts", "Answers.numbers"), style="strong"
    )
    rule = drawing.box(
        Box(right, 110, width, 72), "Action rule", *named("ActionRule.refusal", "ActionRule.perform"), style="strong"
    )
    economy = drawing.box(Box(480, 10, 125, 46), "Economy", "costs, payments")
    chance = drawing.box(Box(630, 10, 110, 46), "Chance", "shuffles, rolls")
    event = drawing.box(Box(right, 270, width, 72), "Event", *named("Event.apply", "Event.seen_by"), style="strong")
    state = drawing.box(Box(middle, 270, width, 72), "State", "parts, scores,", "pending decisions", style="strong")
    view = drawing.box(Box(left, 270, width, 72), "View", *named("Game.view"), "what one seat may see")
    saved = drawing.box(Box(430, 420, 170, 46), "Saved game", "actions and events")

    drawing.arrow(player.right, action.left)
    drawing.arrow(action.right, answers.left)
    drawing.arrow(answers.right, rule.left)
    drawing.arrow((economy.x + 90, economy.y + 46), (rule.x + 60, rule.y))
    drawing.arrow((chance.x + 30, chance.y + 46), (rule.x + 110, rule.y))
    drawing.line(f"M {rule.x + 20} {rule.y} C {rule.x + 20} 58 {player.top[0]} 58 {player.top[0]} {player.y}", "dashed")
    drawing.text((300, 58), "refused, with the id of a rule", "small")
    drawing.arrow(rule.bottom, event.top)
    drawing.text((rule.bottom[0] + 8, 230), "emits", "small", anchor="start")
    drawing.arrow(event.left, state.right)
    drawing.text((512, 298), "changes", "small")
    drawing.arrow(state.left, view.right)
    drawing.text((247, 298), "shows", "small")
    drawing.arrow((player.bottom[0], view.y), player.bottom)
    drawing.arrow((answers.bottom[0], state.y), answers.bottom, "dashed")
    drawing.text((answers.bottom[0] + 8, 230), "legal actions", "small", anchor="start")
    drawing.arrow((event.x + 60, event.y + 72), (saved.x + 140, saved.y))
    drawing.text((600, 392), "stored", "small", anchor="start")
    drawing.line(f"M {saved.x + 30} {saved.y} L {state.x + 130} {state.y + 72}", "dashed")
    drawing.text((425, 392), "loaded: the same effects", "small", anchor="end")
    return drawing.svg(760, 480)


def named(*names: str) -> tuple[str, ...]:
    """Names that the library has: a picture that shows any other is not drawn."""
    for name in names:
        thing: object = ttr_rules
        for part in name.split("."):
            thing = getattr(thing, part, None) or getattr(plugins, part, None) or getattr(engine, part, None)
        if thing is None:
            raise LookupError(f"the picture of an action shows {name}, which is not there any more")
    return names


def stack_picture(stack: Sequence[str] = STACK) -> str:
    """A picture of the answers in a stack: a dot where an answer comes from, a ring where it is adjusted."""
    rules = compile_rules(*stack)
    drawing = Drawing(
        "stack-picture",
        f"The hooks of {' + '.join(rules.stack)}: which plugin gives the answer to each, and which adjusts it. The answers become Rules.",
    )
    order = plugins_of(rules)
    step, name_width, head = 34, 110, 120
    bottom = head + len(order) * 46
    row = {name: bottom - 46 * number - 23 for number, name in enumerate(order)}
    for name, y in row.items():
        drawing.box(Box(10, y - 17, name_width, 34), name, font="name")
        drawing.line(f"M {name_width + 10} {y} H {name_width + 30 + step * len(rules.provenance)}", "faint", head=False)
    floor = bottom + 10
    for number, each in enumerate(rules.provenance):
        x = name_width + 40 + step * number
        drawing.text((x + 4, head - 6), each.hook, "name", anchor="start", turned=-55)
        marks = dict.fromkeys(each.by, "mark") | dict.fromkeys(each.adjusted, "ring")
        if marks:
            drawing.line(f"M {x} {min(row[name] for name in marks)} V {floor + 22}")
        for name, style in marks.items():
            drawing.dot((x, row[name]), style)
    right = name_width + 40 + step * len(rules.provenance)
    drawing.box(Box(name_width + 20, floor + 24, right - name_width - 40, 40), "Rules", style="strong")
    drawing.dot((26, floor + 34), "mark")
    drawing.text((40, floor + 39), "answers", "small", anchor="start")
    drawing.dot((26, floor + 58), "ring")
    drawing.text((40, floor + 63), "adjusts", "small", anchor="start")
    return drawing.svg(right + 50, floor + 76)


def plugins_of(rules: Rules) -> list[str]:
    """The plugins that answer something, the lowest first: the core, what it brings along, then the stack."""
    answering = [name for each in rules.provenance for name in (*each.by, *each.adjusted)]
    below = [name for name in dict.fromkeys(answering) if name not in rules.stack]
    return [*sorted(below, key=lambda name: name != "core"), *rules.stack]


def pictures() -> dict[str, str]:
    """Every picture by its name."""
    return {"packages": package_picture(all_packages()), "action": action_picture(), "stack": stack_picture()}

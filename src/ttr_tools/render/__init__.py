"""Pictures as SVG: a board, a position, what one seat sees, a final sheet.

>>> from ttr_maps import load
>>> from ttr_tools.render import draw_board
>>> picture = draw_board(load("europe"))
>>> picture.svg.startswith('<svg xmlns="http://www.w3.org/2000/svg" class="ttr-map"')
True

What others can rely on when they style or animate the SVG of a board:

- `<svg class="ttr-map" data-board="europe" data-theme="auto">`. The rules of its only `<style>` are for `.ttr-map` and what is in it.
  The colors are CSS variables of `.ttr-map[data-theme="auto"]`: `--red`, `--player-0`, `--paper`, `--ink`, …; `variables("dark")`
  gives those of a theme. The theme "auto" follows the reader's system, or an element around it with `data-theme="light"` or "dark".
- `<g class="route color-red tunnel ferry" id="route-12" data-route="12" data-name="london-dieppe-1" data-color="red"
  data-length="2">`: a route. The number is its place in `board.routes`, the name its id; `tunnel` and `ferry` only where they apply.
  Inside: a `<title>` in words, `<path class="way">` from city to city, and a `<g class="space" data-space="0">` for each space,
  with `<rect class="box">` and `<rect class="car">`. The color that a plugin gives a route replaces the printed one; if it is
  none of routes, its boxes have it as `fill`, and the class is `bright` or `dim` in place of `color-red`.
- The class `owner-0` on a route shows its cars in the color of seat 0, without it they are not shown; `data-owner` has the seats.
  `<text class="owner-mark">` in the middle space is the number of the player, the seat and one. Where several seats hold a route,
  its spaces have classes `owner-0` too. There are six colors of players; seat 6 has that of seat 0. The class `lit` lights a
  route up. `<text class="letter">`, `<path class="engine">`, and `<rect class="tag">` below each `<text class="note">`, hide while
  the route has an owner.
- `<g class="city" id="city-london" data-city="london">`: a city, with a `<title>`, `<circle class="dot">`,
  `<text class="label">` for each line of its name, and what plugins add: `<text class="city-note">` and pieces,
  `<g class="piece house owner-0" data-owner="0">`. The class `wanted` marks a city of a seat's own tickets.
- `<g class="panel">`: the lines of text below the map.
- With `ids="left-"`, all ids begin with that, for several pictures on one page.
"""

from ttr_tools.render.drawing import (
    Style as Style,
    draw_board as draw_board,
    draw_position as draw_position,
    draw_sheet as draw_sheet,
    draw_view as draw_view,
)
from ttr_tools.render.scene import changed_elements as changed_elements, lay_out as lay_out
from ttr_tools.render.svg import Picture as Picture, Theme as Theme, variables as variables

/** The routes of a board as SVG: a rectangle for each space. */

import type { BoardLayout, SpaceLayout } from "./messages.js";

export function draw(layout: BoardLayout): string {
  const wide = layout.space_width;
  const rect = ({ x, y, length, angle }: SpaceLayout) =>
    `<rect x="${-length / 2}" y="${-wide / 2}" width="${length}" height="${wide}" transform="translate(${x} ${y}) rotate(${angle})"/>`;
  const spaces = layout.routes.flatMap((route) => route.spaces.map(rect));
  const frame = [layout.left, layout.top, layout.width, layout.height].join(" ");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${frame}">${spaces.join("")}</svg>`;
}

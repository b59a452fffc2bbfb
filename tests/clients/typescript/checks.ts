/** What the compiler must find: each line below is wrong, and `@ts-expect-error` fails the build if nothing is found. */

import type { Act, Color, Event, Parts, PlayerSheet, ServerMessage, View } from "./messages.js";

export function wrong(view: View, event: Event, parts: Parts, score: PlayerSheet, message: ServerMessage): void {
  // @ts-expect-error: a misspelt field
  view.tikets;
  // @ts-expect-error: parts are typed with their fields
  parts.Stations.built["wien"]?.toUpperCase();
  // @ts-expect-error: there is no such part
  parts.Dice;
  // @ts-expect-error: the hand of a spectator is null
  parts.CardPiles.hand.red;
  // @ts-expect-error: there are no cards of this kind
  parts.CardPiles.face_up.includes("pink");
  // @ts-expect-error: no color
  const color: Color = "pink";
  if (event.type === "train-cards.CardDrawn") {
    // @ts-expect-error: what another seat drew is a number of cards
    event.card.toUpperCase();
  }
  // @ts-expect-error: a sheet has its terms under `terms`
  score.token_points;
  // @ts-expect-error: no message is of this type
  message.type === "welcome";
  // @ts-expect-error: an action needs the number that came with the update
  const act: Act = { type: "act", action: { type: "core.Pass", seat: 0 } };
  // @ts-expect-error: a route is claimed with a payment
  const claim: Act = { type: "act", expected: 1, action: { type: "core.ClaimRoute", seat: 0, route: "x" } };
  // @ts-expect-error: nobody pays with cards of this kind
  const pink: Act = { type: "act", expected: 1, action: { type: "core.ClaimRoute", seat: 0, route: "x", payment: { pink: 1 } } };
  void [color, act, claim, pink];
}

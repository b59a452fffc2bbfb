/** A client that plays one seat. All types come from the schema. */

import type {
  Action, BoardInfo, ClientMessage, Offer, Over, ServerMessage, View,
} from "./messages.js";

/** Says what to play: given what the seat sees and what it can do. */
export type Player = (view: View, offer: Offer, board: BoardInfo) => Action;

/** Play a seat until the game is over. */
export function play(url: string, token: string, choose: Player): Promise<Over> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url);
    let board: BoardInfo | undefined;
    let answered = -1;
    const send = (message: ClientMessage) => socket.send(JSON.stringify(message));

    const handle = (message: ServerMessage): void => {
      switch (message.type) {
        case "hello":
          if (message.protocol !== 1) return reject(new Error(`the server sends version ${message.protocol}`));
          board = message.board;
          return;
        case "update":
          // Others may act while an answer is on its way: that asks nothing new.
          if (message.offer && board && message.expected !== answered) {
            answered = message.expected;
            const action = choose(message.view, message.offer, board);
            send({ type: "act", action, expected: message.expected });
          }
          return;
        case "over":
          socket.close();
          return resolve(message);
        case "refused":
          return reject(new Error(`${message.rules.join(", ")}: ${message.reason}`));
        case "error":
          return reject(new Error(message.reason));
        case "accepted":
        case "payments":
        case "actions":
          return;
        default:
          message satisfies never; // of later versions of the server: not for this client
      }
    };

    socket.onopen = () => send({ type: "join", token });
    socket.onmessage = (event) => handle(JSON.parse(event.data) as ServerMessage);
    socket.onclose = () => reject(new Error("the server is gone"));
  });
}

/** Claims the route worth most, or draws cards; keeps as many tickets as it may. */
export const greedy: Player = (view, offer, board) => {
  const worth = new Map(board.routes.map((route) => [route.id, route.points]));
  const claims = offer.kinds
    .flatMap((kind) => kind.purchases.map((purchase) => purchase.cheapest))
    .filter((action) => action.type === "core.ClaimRoute");
  claims.sort((one, other) => (worth.get(other.route) ?? 0) - (worth.get(one.route) ?? 0));
  const claim = claims[0];
  if (claim !== undefined) return claim;

  const others = offer.kinds.flatMap((kind) => kind.actions);
  const kept = others.filter((action) => action.type === "core.KeepTickets").at(-1);
  const draw = others.find((action) => action.type.startsWith("train-cards.Draw"));
  const action = kept ?? draw ?? others[0] ?? offer.kinds[0]?.purchases[0]?.cheapest;
  if (action === undefined) throw new Error(`no offer in turn ${view.turn_number}`);
  return action;
};

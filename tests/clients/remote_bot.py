"""A bot that plays far from the server: `python remote_bot.py wss://games.example.org/TABLE/socket TOKEN`."""

import json
import sys

from websockets.sync.client import connect

import ttr_rules as ttr
from ttr_rules.clients import (
    Act,
    ClientMessage,
    ErrorMessage,
    Over,
    Refused,
    Update,
    read_server_message,
    rules_from_json,
)
from ttr_tools.bots import Bot


def play(url: str, token: str, seed: int) -> ttr.FinalScores:
    """Play a seat until the game is over; `seed` is the bot's own chance."""
    with connect(url) as socket:

        def send(message: ClientMessage) -> None:
            socket.send(json.dumps(ttr.to_json(rules, message)))

        socket.send('{"type": "join", "token": ' + json.dumps(token) + "}")
        rules = rules_from_json(socket.recv())
        bot, answered = Bot(seed), -1
        for text in socket:
            message = read_server_message(rules, text)
            if isinstance(message, Update) and message.offer is not None and message.expected != answered:
                # A game that could be the one on the server: everything that this seat does not see is dealt anew.
                world = ttr.determinize(message.view, rules, seed=message.number)
                action = bot.choose(message.view, rules, world.legal_actions(message.view.seat))
                send(Act(action, message.expected))
                answered = message.expected  # what others do meanwhile asks nothing new of this seat
            elif isinstance(message, Over):
                return message.scores
            elif isinstance(message, Refused | ErrorMessage):
                raise RuntimeError(message.reason)
    raise RuntimeError("the server is gone")


if __name__ == "__main__":
    print(play(sys.argv[1], sys.argv[2], seed=1))

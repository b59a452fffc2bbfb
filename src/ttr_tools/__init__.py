"""Tools on top of the rules.

They are bots, narration, pictures, replays, simulation, learning, a server, the command line, and a kit for authors.

Each is a package of its own, and imports only what `ttr_rules` documents.
"""

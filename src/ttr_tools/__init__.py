"""Tools on top of the rules: bots, narration, pictures, replays, simulation, learning, a server, the command line, a kit for authors.

Each is a package of its own, and imports only what `ttr_rules` documents.
"""

"""A program full of mistakes: every line marked `# mistake` must be found, and no other."""

from __future__ import annotations

import ttr_rules as ttr
from ttr_rules import NoSuchName  # mistake
from ttr_rules.errors import SaveErorr  # mistake
from ttr_rules.events import CardDrawn
from ttr_rules.plugins import hookimp  # mistake
from ttr_variants.europe import BuildStation, Europe, Stations
from ttr_variants.marklin import Marklin

game = ttr.new_game("europe", players=2, seed=1)
view = game.view(0)
state = game.state

# Functions and their keywords.
ttr.new_gaem("europe", players=2)  # mistake
ttr.comple_rules("europe")  # mistake
ttr.new_game("europe", plyers=2)  # mistake
ttr.new_game("europe", players=2.5)  # mistake
ttr.loads(ttr.dumps(game), verifi=True)  # mistake
ttr.dumps("game")  # mistake
ttr.playout("europe", 3, 1)  # mistake
ttr.score({"players": []})  # mistake
ttr.compile_rules("europe", ruling={})  # mistake

# Actions: those of the library and those of a variant.
ttr.ClaimRuote(0, "x", {})  # mistake
ttr.BuildStation(0, "wien", {"red": 1})  # mistake
ttr.DrawFaceUp(0)  # mistake
ttr.DrawFaceUp(seat=0, color="red")  # mistake
BuildStation(0, "wien")  # mistake
ttr.KeepTickets(0, 3)  # mistake

# A game.
game.legal_acitons()  # mistake
game.play("DrawBlind")  # mistake
game.play(ttr.DrawBlind(0), expectd=3)  # mistake
game.final_scores.winners  # mistake
game.state.scores.append("7")  # mistake
game.events[0].sene_by(0)  # mistake
game.move  # mistake

# Views and states: what is there, and what belongs to a plugin.
view.tikets  # mistake
view.hadn  # mistake
view.hand  # mistake
view.stations  # mistake
view.part(Stations).bulit  # mistake
view.part("Stations")  # mistake
ttr.cards(view).hnad  # mistake
ttr.cards(view).hand.total  # mistake
ttr.cards(view).hands  # mistake
state.scroes  # mistake
state.stashuns  # mistake
state.hands  # mistake
state.part(Stations).built["wien"] = "Ada"  # mistake
ttr.cards(state).draw_pile_size  # mistake

# Scores, boards, events.
scores = ttr.playout(ttr.compile_rules("europe"), 2, 1)
scores.winers  # mistake
scores.players[0].totl  # mistake
scores.players[0].terms["stations"].pionts  # mistake
game.rules.board.routes["x"].lenght  # mistake
game.rules.bord  # mistake
[event.crad for event in game.events if isinstance(event, CardDrawn)]  # mistake

# Options of plugins: their names, their values.
Europe(tie_breaks="P6")  # mistake
Europe(tie_break="P7")  # mistake
Europe(station_choice="aks")  # mistake
Marklin(tickets=3)  # mistake

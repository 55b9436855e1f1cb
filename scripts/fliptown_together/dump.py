import sys
from lanplay.engine.chance import Chance
from lanplay.engine.record import Header
from lanplay.engine.requests import Choose
from lanplay.engine.simulation import Simulation
from lanplay.games import load
from lanplay.games.fliptown.questions import Move
from lanplay_ai.fliptown.players import FliptownPlayer
from lanplay_ai.fliptown.profiles import PROFILES
from lanplay_ai.fliptown.outlook import FliptownOutlook
from lanplay_ai.fliptown.search import Search
GAME=load("fliptown"); OPT={n:v[0] for n,v in GAME.options.items()}
out=open("check.txt","w")
class L(FliptownPlayer):
    def answer(self,view,q):
        if isinstance(q,Move):
            o=FliptownOutlook(view); s=q.sheet; t=view.table
            ways=Search(o,q.turn,12,20000).ways(s)
            sh=view.face(t.sheriff) if t.sheriff is not None else None
            print(s.cash,s.gold,s.stars,s.wanted,s.pans,s.hammers,s.hotel,s.land,*s.circled,s.items,len(s.pool),*s.pool,len(s.poker),*s.poker,s.assigned,s.counted,t.round,t.turn,*q.turn.flipped,-1 if sh is None else sh,len(o.faces),*o.faces,ways[0].worth,len(ways),o.together(ways[0].sheet,ways[0].pause),len({(w.sheet.plain(),w.pause) for w in ways}) if 0 else 0,o.worth(s),file=out)
        return super().answer(view,q)
for n in range(int(sys.argv[1])):
    key=b"dump %d"%n
    g=Simulation(GAME,Header(GAME.name,OPT,("x",),key),[L(PROFILES["expert"],key)],Chance(key))
    while g.request is not None: g.step()
    print(g.table.scores)

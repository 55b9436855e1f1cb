#!/usr/bin/env python3
"""Learn what the things on a sheet of Fliptown are worth together (``together.txt``).

usage: fliptown_together.py play FIRST LAST FILE; fliptown_together.py fit FILE,FILE TEXT

Solo games by the weights there are, every fifth turn off the best way (by up to 2.5 points); then
a network of 16 units is fitted to what the weights leave unexplained of what each turn came to
(TD(lambda), lambda 0.85), with scikit-learn and numpy.
"""

# -- play
import sys
if sys.argv[1] == "play":
    import sys,pickle
    from random import Random
    from lanplay.engine.chance import Chance
    from lanplay.engine.record import Header
    from lanplay.engine.requests import Choose
    from lanplay.engine.simulation import Simulation
    from lanplay.games import load
    from lanplay_ai.deciding import decided
    from lanplay_ai.fliptown.outlook import FliptownOutlook
    from lanplay_ai.fliptown.players import FliptownPlayer
    from lanplay_ai.fliptown.profiles import FliptownProfile
    from lanplay_ai.fliptown.search import Search
    from lanplay_ai.fliptown.ahead import ahead
    GAME=load("fliptown")
    OPT={n:v[0] for n,v in GAME.options.items()}
    from lanplay.games.fliptown.questions import Move
    class L:
        def __init__(s,key,off):
            s.p=FliptownPlayer(FliptownProfile("","",beam=6,nodes=3000),key); s.r=Random(key); s.offp=off
        def answer(s,view,q):
            if not isinstance(q,Move): return s.p.answer(view,q)
            o=FliptownOutlook(view)
            ways=Search(o,q.turn,6,3000).ways(q.sheet)
            s.promised=ways[0].worth; s.off=s.r.random()<s.offp
            w=ways[0]
            if s.off:
                near=[x for x in ways[:30] if x.worth>ways[0].worth-2.5]
                w=s.r.choice(near)
            s.off=w.worth<s.promised-1e-9
            return w.answer
    def play(n,off):
        key=b"nnlearn %d"%n
        h=Header(GAME.name,OPT,("x",),key)
        p=L(key,off); g=Simulation(GAME,h,[p],Chance(key))
        out=[]; moment=(0,0); last=g.table.sheets[0].copy(); first=None
        while g.request is not None:
            t=g.table
            if isinstance(g.request,Choose) and t.turn and (t.round,t.turn)!=moment:
                moment=(t.round,t.turn)
                o=FliptownOutlook(g.views[0])
                left=o.left+1
                s=last; A=ahead(left,4-t.round if t.turn>1 else 4-t.round,1.0)
                v=A.worth(s,A.regions)+A.cash[s.cash]+s.stars
                hv=o.hand(s.poker) if s.poker else 0.0
                fv=o.fine(s,s.cash,s.stars) if s.wanted and s.poker else 0.0
                g.step()
                out.append((s.plain(),left,len(s.poker),v,hv,fv,p.promised,p.off))
                continue
            if t.turn==0 or True: last=t.sheets[0].copy()
            g.step()
        return out,g.table.scores[0]
    a,b,off,f=int(sys.argv[2]),int(sys.argv[3]),0.2,sys.argv[4]
    res=[]
    for n in range(a,b):
        res.append(play(n,off))
        if n%250==249: pickle.dump(res,open(f,"wb"))
    pickle.dump(res,open(f,"wb"))
    import statistics
    print(len(res),statistics.mean(x[1] for x in res),statistics.median(x[1] for x in res))
else:
    import pickle,sys,numpy as np,warnings; warnings.filterwarnings('ignore')
    from lanplay.games.fliptown.sheet import Sheet
    from lanplay_ai.fliptown.features import region_features,owned_features,counter_features
    from sklearn.neural_network import MLPRegressor
    files,out,LAM,AL=sys.argv[2].split(","),sys.argv[3],0.85,1.0
    SL=("arrests","assigned","bonuses","bounties","cash","character","circled","counted","ever_wanted","gained","gold","hammers","hotel","items","land","mined","moments","pans","poker","pool","ranks","stars","uses","wanted")
    games=[]
    for f in files: games+=pickle.load(open(f,"rb"))
    off2={}
    for rows,score in games:
        for r in rows: off2.setdefault(r[1],[]).append(score-r[6])
    off2={k:sum(v)/len(v) for k,v in off2.items()}
    names={}; SC=[]
    ent=[];y=[];lf=[];gid=[]
    for g,(rows,score) in enumerate(games):
        later=float(score)
        for pl,left,cards,v,hv,fv,prom,off in rows[::-1]:
            prom+=off2[left]
            later=prom if off else (1-LAM)*prom+LAM*later
            d=dict(zip(SL,pl)); f=[(f"turn {left}",1)]
            for r in range(5): f+=[(n,1) for n in region_features(r,d["circled"][r])]
            f+=[(n,1) for n in owned_features(d["items"],d["hotel"],d["land"])]
            for c in ("cash","gold","wanted","pans","hammers"): f+=counter_features(c,d[c])
            ent.append(f); y.append(later-(v+hv-fv)); lf.append(left); gid.append(g)
            for n,_ in f: names.setdefault(n,len(names))
    F=len(names)
    scale=np.ones(F)
    for n,i in names.items():
        if n.split()[0] in("cash","gold","wanted","pans","hammers","squares"): 
            try: scale[i]=1/float(n.split()[1]) if n.split()[0]!="squares" else 1
            except: pass
    X=np.zeros((len(ent),F))
    for k,f in enumerate(ent):
        for n,t in f: X[k,names[n]]+=t*scale[names[n]]
    y=np.array(y); lf=np.array(lf); gid=np.array(gid)
    off=np.array([y[lf==l].mean() if (lf==l).any() else 0 for l in range(17)]); Y=y-off[lf]
    n=len(games); tr=gid%8!=0; te=~tr
    m=MLPRegressor(hidden_layer_sizes=(16,),alpha=AL,learning_rate_init=2e-3,batch_size=256,max_iter=1,warm_start=True,random_state=1)
    bst=(-9,); hist=[]
    import time; t0=time.time()
    for ep in range(40):
        if ep==26: m.learning_rate_init=5e-4; m._optimizer.learning_rate_init=5e-4; m._optimizer.learning_rate=5e-4
        m.fit(X[tr],Y[tr]); p=m.predict(X[te]); r=1-((Y[te]-p)**2).mean()/(Y[te]**2).mean(); hist.append(round(float(r),4))
        if r>bst[0]: bst=(r,[w.copy() for w in m.coefs_],[b.copy() for b in m.intercepts_])
        if time.time()-t0>75: break
    print(n,F,bst[0],hist[::4])
    w0,w1=bst[1]; b0,b1=bst[2]
    np.savez(out+'.npz',w0=w0,w1=w1,b0=b0,b1=b1)
    with open(out+'.txt','w') as o:
        print("share: "+" ".join(str(round(1000*float(x))) for x in w1[:,0]),file=o)
        print("start: "+" ".join(str(round(1000*float(x))) for x in b0),file=o)
        for nme,i in sorted(names.items()): print(f"{nme}: "+" ".join(str(round(1000*scale[i]*float(x))) for x in w0[i]),file=o)

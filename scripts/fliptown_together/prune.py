import sys
rows=[l.rstrip().split(": ") for l in open(sys.argv[1])]
net={k:[int(x) for x in v.split()] for k,v in rows}
keep=[i for i,s in enumerate(net["share"]) if s and any(net[k][i] for k in net if k not in("share","start"))]
with open(sys.argv[2],"w") as o:
    for k in sorted(net,key=lambda k:(k!="share",k!="start",k)):
        v=[net[k][i] for i in keep]
        if any(v): print(f"{k}: "+" ".join(map(str,v)),file=o)
print(len(keep),len(net))

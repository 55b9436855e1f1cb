#include "game.h"
int main(int n,char**a){init(a[1]);Net net;net.load(a[2]);ifstream f(a[3]);Cfg c;int bad=0,tot=0,cnt=0;
 for(;;){Sheet s;auto R=[&](auto&x){long v;f>>v;x=v;};R(s.cash);if(!f)break;R(s.gold);R(s.stars);R(s.wanted);R(s.pans);R(s.hammers);R(s.hotel);R(s.land);for(int i=0;i<5;i++)R(s.c[i]);R(s.items);R(s.np);for(int i=0;i<s.np;i++)R(s.pool[i]);R(s.nh);for(int i=0;i<s.nh;i++)R(s.hand[i]);R(s.assigned);R(s.counted);
  int r,t,fl[3],sh,m;R(r);R(t);for(int i=0;i<3;i++)R(fl[i]);R(sh);R(m);vector<int> un(m);for(auto&x:un)R(x);double w,to,ow;int k,z;f>>w>>k>>to>>z>>ow;
  Outlook o;o.make(r,t,un,sh);vector<Way> ways;search(o,fl,s,c,ways);tot++;double my=o.worth(s,0);double tg=o.together(&net,ways[0].s,ways[0].pause);
  if(fabs(my-ow)>1e-6){printf("worth r%d t%d np%d: mine %.4f python %.4f wanted %d nh %d items %d\n",r,t,s.np,my,ow,s.wanted,s.nh,s.items);bad++;}
  else if(fabs(ways[0].worth-w)>1e-6){printf("best r%d t%d np%d gold %d trail %d: mine %.4f (p%d trail %d) python %.4f\n",r,t,s.np,s.gold,s.trail(),ways[0].worth,ways[0].pause,ways[0].s.trail(),w);bad++;}
  else if(fabs(tg-to)>1e-3){printf("net %f %f\n",tg,to);cnt++;}
 }printf("%d bad of %d, net %d\n",bad,tot,cnt);}

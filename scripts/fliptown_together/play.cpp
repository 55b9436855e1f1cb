#include "game.h"
struct Rec{Sheet s;int left;float v,prom;bool off;};
struct Game{int score;vector<Rec> recs;};
static vector<int> deckof(u64 key,int round,int sh=0){vector<int> d(52);for(int i=0;i<52;i++)d[i]=i;Rng r(key,round,sh+1);for(int i=51;i>0;i--)swap(d[i],d[r.below(i+1)]);return d;}
static int EXPL=0;
static void sheriff(Outlook&o,Sheet&s,int face,int round){
 auto later=[&](const Sheet&x){return ahead_worth(x,o.left,o.rounds)+VCN[o.left][0][min<int>(x.cash,127)]+x.stars;};
 int cash=FCASH[round-1],st=FSTAR[round-1];
 if(s.wanted>0&&s.wanted<=s.gold){double ch=o.chance(s.wanted);Sheet safe=s;safe.gold-=s.wanted;double free=later(safe);Sheet a=s,b=s;b.stars-=min<int>(st,s.stars);a.cash-=cash;double fv;
  if(s.wanted>=14||s.cash<cash)fv=later(b);else if(s.stars<st)fv=later(a);else fv=max(later(a),later(b));
  double caught=ch*fv+(1-ch)*later(s);if(free>caught){s.gold-=s.wanted;return;}}
 if(num(face)<s.wanted){s.arrests=1;bool ic=s.wanted<14&&s.cash>=cash;if(ic&&s.stars>=st){Sheet a=s,b=s;a.cash-=cash;b.stars-=st;ic=!(later(b)>later(a));}
  if(ic)s.cash-=cash;else s.stars-=min<int>(st,s.stars);}}
static void startturn(Sheet&s,const int*fl,int round){memset(s.pool,0,sizeof s.pool);s.np=0;s.assigned=s.counted=-1;int reds=0;for(int i=0;i<3;i++)reds+=suit(fl[i])==0||suit(fl[i])==2;
 if((reds==3&&(s.items&I_RED))||(reds==0&&(s.items&I_BLACK)))s.stars+=round;
 for(int i=0;i<3;i++){int v=num(fl[i]);if((v==11&&(s.items&I_HJ))||(v==12&&(s.items&I_HQ))||(v==13&&(s.items&I_HK)))s.pool[s.np++]=BAIL;}s.pool[s.np++]=PLAN;}
static Game play(u64 key,const Cfg&c,const Net*net,double off,bool rec){
 Game g;Sheet s;s.cash=4;s.gold=2;Rng ex(key,77,5);vector<Way> ways;Outlook o;
 for(int r=1;r<=3;r++){vector<int> deck=deckof(key,r),disc;int top=0,shn=0;auto draw=[&](){if(top==(int)deck.size()){deck=disc;disc.clear();top=0;Rng q(key,r,100+shn++);for(int i=(int)deck.size()-1;i>0;i--)swap(deck[i],deck[q.below(i+1)]);}return deck[top++];};
  int sh=draw();bool seen[52]={false};int known=-1;
  for(int t=1;t<=5;t++){int fl[3];for(int i=0;i<3;i++){fl[i]=draw();seen[fl[i]]=true;}
   startturn(s,fl,r);bool first=true;double prom=0;bool wasoff=false;
   for(;;){vector<int> un;for(int f=0;f<52;f++)if(!seen[f])un.push_back(f);o.make(r,t,un,known);
    int b=choose(o,fl,s,c,net,ways);double best=ways[b].look;
    if(first){prom=best;}
    if(off>0&&ex.uni()<off){vector<int> near;for(size_t i=0;i<ways.size()&&i<30;i++)if((ways[i].look>-1e8?ways[i].look:ways[i].worth)>best-2.5)near.push_back(i);if(near.size()){int q=near[ex.below(near.size())];if((ways[q].look>-1e8?ways[q].look:ways[q].worth)<best-1e-9)wasoff=true;b=q;}}
    s=ways[b].s;int p=ways[b].pause;
    if(p==1){known=sh;seen[sh]=true;}
    else if(p>=2){int f=draw();seen[f]=true;disc.push_back(f);Outlook::robbed(s,p,num(f)+GUNS[s.items&I_RIFLE?2:s.items&I_PISTOL?1:0]>=p);}
    if(!s.np)break;first=false;}
   for(int i=0;i<3;i++)disc.push_back(fl[i]);
   if(rec){vector<int> un;for(int f=0;f<52;f++)if(!seen[f])un.push_back(f);o.make(r,t,un,known);g.recs.push_back({s,o.left,(float)o.worth(s,0),(float)prom,wasoff});}
  }
  int h[5];for(int i=0;i<5;i++)h[i]=s.hand[i];int rk=rank5(h);s.gcash(PCASH[rk]);s.stars+=rk;s.ggold(s.pans);s.gcash(2*s.hammers);
  vector<int> un;for(int f=0;f<52;f++)if(!seen[f])un.push_back(f);o.make(r,0,un,known);sheriff(o,s,sh,r);s.nh=0;memset(s.hand,0,5);s.assigned=s.counted=-1;}
 g.score=score(s);return g;}
int main(int n,char**a){
 init(a[1]);string mode=a[2];Cfg c;Net net;double off=0;long first=atol(a[3]),count=atol(a[4]);string nf=a[5];if(nf!="-")if(!net.load(nf)){puts("no net");return 1;}
 string outf;for(int i=6;i<n;i++){string k=a[i];if(k=="beam")c.beam=atoi(a[++i]);else if(k=="nodes")c.nodes=atoi(a[++i]);else if(k=="looks")c.looks=atoi(a[++i]);else if(k=="dedupe")c.dedupe=true;else if(k=="off")off=atof(a[++i]);else if(k=="out")outf=a[++i];}
 vector<int> sc;FILE*f=outf.size()?fopen(outf.c_str(),"wb"):0;
 for(long i=first;i<first+count;i++){Game g=play(i,c,nf=="-"?0:&net,off,f&&mode=="play");sc.push_back(g.score);
  if(f&&mode=="play"){fwrite(&g.score,4,1,f);int m=g.recs.size();fwrite(&m,4,1,f);fwrite(g.recs.data(),sizeof(Rec),m,f);}else if(f)fwrite(&g.score,4,1,f);}
 if(f)fclose(f);double m=0,q=0;for(int x:sc){m+=x;q+=x*x;}m/=sc.size();sort(sc.begin(),sc.end());printf("%zu mean %.3f sd %.2f se %.3f median %d\n",sc.size(),m,sqrt(q/sc.size()-m*m),sqrt((q/sc.size()-m*m)/sc.size()),sc[sc.size()/2]);}

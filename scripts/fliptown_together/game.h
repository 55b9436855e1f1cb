#pragma once
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cstdint>
#include <cmath>
#include <string>
#include <vector>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <algorithm>
#include <fstream>
#include <sstream>
#include <iostream>
#include <functional>
using namespace std;
typedef uint64_t u64;
struct Rng{u64 s;Rng(u64 a=1,u64 b=0,u64 c=0){s=a*0xD1B54A32D192ED03ULL+77;s=next()^(b*0xA24BAED4963EE407ULL);s=next()^(c*0x9FB21C651E98DF25ULL);s=next();}
 u64 next(){s+=0x9E3779B97F4A7C15ULL;u64 z=s;z=(z^(z>>30))*0xBF58476D1CE4E5B9ULL;z=(z^(z>>27))*0x94D049BB133111EBULL;return z^(z>>31);}
 int below(int n){return (next()>>11)%n;} double uni(){return (next()>>11)*(1.0/9007199254740992.0);} };
enum{TRAIL,BADLANDS,MINE,TOWN,CEMETERY};
enum{BAIL=5,PLAN=6,PICK=9,EFFECT=16};
enum{I_WORK=1,I_THORSE=2,I_PAN=4,I_PICKAXE=8,I_BANDANA=16,I_PISTOL=32,I_RIFLE=64,I_RED=128,I_BLACK=256,I_HJ=512,I_HQ=1024,I_HK=2048,I_UNDER=4096,I_SHOVEL=8192};
static const int TOOLS_MASK=I_BANDANA|I_PISTOL|I_RIFLE|I_UNDER|I_SHOVEL|I_THORSE;
static inline int suit(int f){return f/13;} static inline int num(int f){return f%13+1;}
struct Sheet{short cash=0,gold=0,stars=0,wanted=0;short pans=0,hammers=0,hotel=0,land=0;unsigned short c[5]={0,0,0,0,16};unsigned short items=0;
 signed char assigned=-1,counted=-1,np=0,nh=0;signed char hand[5]={0,0,0,0,0};unsigned char pool[24]={0};
 // two seats
 short mined=0;unsigned char moments=0,bonuses=0,bounties=0,arrests=0,ranks=0,pad[3]={0,0,0};
 int trail()const{return c[0]?31-__builtin_clz(c[0]):0;}
 void gcash(int a){cash+=a;if(cash>=30)moments|=1;} void ggold(int a){gold+=a;if(gold>=15)moments|=1;} void gw(int a){if(a){wanted+=a;if(wanted>=9)moments|=2;}}
 void bonus(int r){pool[np++]=r;bonuses|=1<<r;}
 void del(int i){for(int k=i;k+1<np;k++)pool[k]=pool[k+1];np--;pool[np]=0;}
};
static const int EDG[14][2][3]={{{-1,1,7},{-2,0,0}},{{-1,8,13},{-2,0,0}},{{0,1,4},{-2,0,0}},{{0,5,7},{1,8,10}},{{1,11,13},{-2,0,0}},{{2,1,3},{-2,0,0}},{{2,4,5},{3,6,7}},{{3,8,9},{4,10,11}},{{4,12,13},{-2,0,0}},{{5,1,2},{-2,0,0}},{{5,3,4},{6,5,6}},{{6,7,8},{7,9,10}},{{7,10,11},{8,11,12}},{{8,12,13},{-2,0,0}}};
static inline bool edgeok(int circ,int room,int e){int s=EDG[room][e][0];return s!=-2&&(s<0||(circ>>s&1));}
static inline bool mineopen(int circ,int room){return !(circ>>room&1)&&(edgeok(circ,room,0)||edgeok(circ,room,1));}
static const int KWANT[4]={1,2,3,4},KSTAR[4]={2,4,6,8},KBONUS[4]={CEMETERY,MINE,TOWN,TRAIL};
static const int TCASH[14]={0,0,1,2,3,1,3,5,2,4,7,3,6,10};
static inline int kindof(int t){return (t-2)/3;}
static inline int kbits(int k){return 7<<(2+3*k);}
static const int SILV[14]={-1,-1,-1,-1,-1,-1,-1,-1,-1,CEMETERY,TOWN,MINE,TRAIL,BADLANDS};
static const int HSTARS[5]={0,2,7,14,23};
static const int GUNS[3]={0,2,4};
static const int PRICE[12]={3,4,3,2,1,3,4,4,4,0,0,0};
static const int FCASH[3]={10,14,18},FSTAR[3]={4,6,8};
// pairs of stones in order of BETWEEN: masks, kind,amount; kinds: 0 stars 2 cash 3 gold 4 pans 5 hammers 6 bonus
static const int PAIRM[12]={0b11,0b110,0b11000,0b110000,0b11000000,0b110000000,0b1001,0b10010,0b100100,0b1001000,0b10010000,0b100100000};
static const int PAIRK[12]={6,0,2,3,0,6,3,5,6,6,4,2},PAIRA[12]={BADLANDS,2,4,2,2,TOWN,4,1,TRAIL,MINE,1,8};
static const int LANDV[9]={3,1,1,1,2,1,1,1,3};
struct Placing{int mask,price,stars;}; static vector<Placing> PLAC;
static inline int msilver(const Sheet&s){int m=s.c[MINE],r=0;for(int k=9;k<14;k++)if(m>>k&1)r+=__builtin_popcount(s.c[SILV[k]]);return r;}
static inline void gives(Sheet&s,int k,int a){switch(k){case 0:s.stars+=a;break;case 1:s.gw(a);break;case 2:s.gcash(a);break;case 3:s.ggold(a);break;case 4:s.pans=min(4,s.pans+a);break;case 5:s.hammers=min(4,s.hammers+a);break;case 6:s.bonus(a);}}
static int rank5(const int*h){int v[5],su=suit(h[0]);bool fl=true;for(int i=0;i<5;i++){v[i]=num(h[i]);if(v[i]==1)v[i]=14;if(suit(h[i])!=su)fl=false;}
 sort(v,v+5);int sum=0;for(int i=0;i<5;i++)for(int j=0;j<5;j++)sum+=v[i]==v[j];
 switch(sum){case 7:return 1;case 9:return 2;case 11:return 3;case 13:return 6;case 17:case 25:return 7;}
 if(v[4]==14&&v[0]==2&&v[1]==3&&v[2]==4&&v[3]==5)return fl?8:4;
 if(v[4]-v[0]!=4)return fl?5:0; if(fl)return v[4]==14?9:8;return 4;}
static double PAY[10];static const int PCASH[10]={0,2,3,4,5,6,7,8,9,10};
// ---- features
static vector<string> NAMES;static unordered_map<string,int> NIDX;
static int fid(const string&n){auto it=NIDX.find(n);if(it!=NIDX.end())return it->second;int k=NAMES.size();NIDX[n]=k;NAMES.push_back(n);return k;}
static int F_trail[14],F_place[5][14],F_kind[4][4],F_open[14],F_pair[12],F_stones,F_item[14],F_land[9],F_hotel[5],F_sq[10],F_turn[16];
static const int HB[5][7]={{2,4,6,8,12,16,24},{1,2,4,6,8,12,20},{2,4,6,8,10,13,18},{4,0,0,0,0,0,0},{4,0,0,0,0,0,0}};static const int HN[5]={7,7,7,1,1};static const char*CN[5]={"cash","gold","wanted","pans","hammers"};
static int F_cnt[5][7];
typedef vector<pair<short,short>> Feats;
static void region_feats(int r,int c,Feats&o){
 if(r==TRAIL){int t=c?31-__builtin_clz(c):0;o.push_back({F_trail[t],1});return;}
 int lo=r==BADLANDS?2:r==TOWN?1:0,hi=r==CEMETERY?9:14;
 for(int p=lo;p<hi;p++)if(c>>p&1)o.push_back({F_place[r][p],1});
 if(r==BADLANDS)for(int k=0;k<4;k++)o.push_back({F_kind[k][__builtin_popcount(kbits(k)&~c)],1});
 else if(r==MINE){for(int k=0;k<14;k++)if(mineopen(c,k))o.push_back({F_open[k],1});}
 else if(r==CEMETERY){for(int k=0;k<12;k++){int x=c&PAIRM[k];if(x&&x<PAIRM[k])o.push_back({F_pair[k],1});}if(c==511)o.push_back({F_stones,1});}}
static void own_feats(int items,int hotel,int land,Feats&o){for(int i=0;i<14;i++)if(items>>i&1)o.push_back({F_item[i],1});for(int i=0;i<9;i++)if(land>>i&1)o.push_back({F_land[i],1});o.push_back({F_hotel[hotel],1});o.push_back({F_sq[__builtin_popcount(land)],1});}
static void cnt_feats(int n,int a,Feats&o){for(int i=0;i<HN[n];i++){int x=min(a,HB[n][i]);if(x)o.push_back({F_cnt[n][i],x});}}
static void all_feats(const Sheet&s,int left,Feats&o){o.clear();o.push_back({F_turn[left],1});for(int r=0;r<5;r++)region_feats(r,s.c[r],o);own_feats(s.items,s.hotel,s.land,o);
 bool paid=s.nh==5;cnt_feats(0,s.cash+paid*2*s.hammers,o);cnt_feats(1,s.gold+paid*s.pans,o);cnt_feats(2,s.wanted,o);cnt_feats(3,s.pans,o);cnt_feats(4,s.hammers,o);}
// ---- weights
static unordered_map<string,array<double,2>> W;static unordered_map<string,double> HW;
static double VT[16][3][16384],VC[16][512],VTR[16][14],VI[16][16384],VL[16][512],VH[16][5],VCN[16][5][128],VTOOL[16][6];
static const int TBITS[6]={I_BANDANA,I_PISTOL,I_RIFLE,I_UNDER,I_SHOVEL,I_THORSE};
static void init(const char*wfile){
 for(int r=0;r<10;r++)PAY[r]=PCASH[r]/4.0+r;
 auto S=[](int x){return to_string(x);};
 for(int i=0;i<16;i++)F_turn[i]=fid("turn "+S(i));
 for(int i=0;i<14;i++)F_trail[i]=fid("trail "+S(i));
 for(int r=1;r<5;r++){int lo=r==BADLANDS?2:r==TOWN?1:0,hi=r==CEMETERY?9:14;for(int p=lo;p<hi;p++)F_place[r][p]=fid(S(r)+" "+S(p));}
 for(int k=0;k<4;k++)for(int c=0;c<4;c++)F_kind[k][c]=fid("kind "+S(k)+" "+S(c));
 for(int i=0;i<14;i++)F_open[i]=fid("open "+S(i));for(int i=0;i<12;i++)F_pair[i]=fid("pair "+S(i));F_stones=fid("stones");
 for(int i=0;i<14;i++)F_item[i]=fid("item "+S(i));for(int i=0;i<9;i++)F_land[i]=fid("land "+S(i));for(int i=0;i<5;i++)F_hotel[i]=fid("hotel "+S(i));for(int i=0;i<10;i++)F_sq[i]=fid("squares "+S(i));
 for(int n=0;n<5;n++)for(int i=0;i<HN[n];i++)F_cnt[n][i]=fid(string(CN[n])+" "+S(HB[n][i]));
 // placings
 {vector<pair<int,vector<pair<int,int>>>> forms={{4,{{0,0},{0,1}}},{6,{{0,0},{0,1},{0,2}}},{8,{{0,0},{0,1},{1,0}}}};
  for(auto&f:forms){vector<int> ms;auto q=f.second;for(int t=0;t<4;t++){for(auto&x:q)x={x.second,-x.first};for(int d=-2;d<3;d++)for(int e=-2;e<3;e++){int m=0;bool ok=true;for(auto&x:q){int a=x.first+d,b=x.second+e;if(a<0||a>2||b<0||b>2)ok=false;else m|=1<<(3*a+b);}if(ok)ms.push_back(m);}}
   sort(ms.begin(),ms.end());ms.erase(unique(ms.begin(),ms.end()),ms.end());for(int m:ms){int st=0;for(int i=0;i<9;i++)if(m>>i&1)st+=LANDV[i];PLAC.push_back({m,f.first,st});}}}
 ifstream f(wfile);string line;while(getline(f,line)){auto p=line.find(":");string n=line.substr(0,p);istringstream is(line.substr(p+1));double a,b;is>>a;if(is>>b)W[n]={a,b};else HW[n]=a/1000;}
 for(int L=0;L<16;L++){double part=L/15.0;auto w=[&](const string&n){auto it=W.find(n);return it==W.end()?0.0:(it->second[0]*part+it->second[1]*sqrt(part))/1000;};
  vector<double> wv(NAMES.size());for(size_t i=0;i<NAMES.size();i++)wv[i]=w(NAMES[i]);Feats o;auto sum=[&](){double x=0;for(auto&p:o)x+=wv[p.first]*p.second;o.clear();return x;};
  for(int c=0;c<16384;c++)for(int r=1;r<4;r++){region_feats(r,c,o);VT[L][r-1][c]=sum();}
  for(int c=0;c<512;c++){region_feats(CEMETERY,c,o);VC[L][c]=sum();VL[L][c]=0;for(int i=0;i<9;i++)if(c>>i&1)VL[L][c]+=wv[F_land[i]];VL[L][c]+=wv[F_sq[__builtin_popcount(c)]];}
  for(int t=0;t<14;t++)VTR[L][t]=wv[F_trail[t]];
  for(int i=0;i<16384;i++){double x=0;for(int k=0;k<14;k++)if(i>>k&1)x+=wv[F_item[k]];VI[L][i]=x;}
  for(int h=0;h<5;h++)VH[L][h]=HSTARS[h]+wv[F_hotel[h]];
  for(int n=0;n<5;n++)for(int a=0;a<128;a++){cnt_feats(n,a,o);VCN[L][n][a]=sum()+(n==0?a*0.25:n==1?a*0.5:0);}
  for(int k=0;k<6;k++)VTOOL[L][k]=w("tool "+S(TBITS[k]));}
}
static double ahead_worth(const Sheet&s,int L,int rounds){
 double x=VTR[L][s.trail()]+VT[L][0][s.c[1]]+VT[L][1][s.c[2]]+VT[L][2][s.c[3]]+VC[L][s.c[4]]+VI[L][s.items]+VL[L][s.land]+VH[L][s.hotel];
 x+=VCN[L][1][min<int>(s.gold,127)]+rounds*(s.pans*.5+s.hammers*.5)+VCN[L][3][s.pans]+VCN[L][4][s.hammers];
 if(s.wanted)x+=VCN[L][2][min<int>(s.wanted,127)];
 if(s.c[MINE]>>9)x+=msilver(s);
 int u=s.items&TOOLS_MASK;if(u){int t=12-__builtin_popcount(s.c[1]),st=9-__builtin_popcount(s.c[4]);
  for(int k=0;k<6;k++)if(u&TBITS[k])x+=VTOOL[L][k]*(k<3?t:k<5?st:13-s.trail());}
 return x;}
// ---- network
struct Net{int U=0;vector<float> share,start;vector<vector<float>> w; // w[feature]
 bool load(const string&fn){ifstream f(fn);string line;if(!f)return false;w.assign(NAMES.size(),{});while(getline(f,line)){auto p=line.find(":");string n=line.substr(0,p);istringstream is(line.substr(p+1));vector<float> v;float a;while(is>>a)v.push_back(a/1000);
   if(n=="share"){share=v;U=v.size();}else if(n=="start")start=v;else{auto it=NIDX.find(n);if(it==NIDX.end())continue;w[it->second]=v;}}
  for(auto&x:w)if(x.empty())x.assign(U,0);return true;}
 double eval(const Feats&f)const{float u[256];for(int i=0;i<U;i++)u[i]=start[i];for(auto&p:f){const float*x=w[p.first].data();float c=p.second;for(int i=0;i<U;i++)u[i]+=c*x[i];}double r=0;for(int i=0;i<U;i++)if(u[i]>0)r+=u[i]*share[i];return r;}
};
static inline double net_of(const Net*n,const Sheet&s,int left){if(!n||!n->U)return 0;static thread_local Feats f;all_feats(s,left,f);return n->eval(f);}
// ---- outlook
struct Outlook{int round,turn,left,rounds;vector<int> faces;double atl[15],arr[15];double hmemo[52];bool hset[52];
 function<double(const Sheet&)> extra; bool hasextra=false;
 void make(int r,int t,const vector<int>&unseen,int known){round=r;turn=t;left=(3-r)*5+(t?5-t:0);rounds=3-r+1;faces=unseen;int n=max<int>(1,faces.size());for(int v=0;v<15;v++){int c=0;for(int f:faces)c+=num(f)>=v;atl[v]=(double)c/n;}
  for(int w=0;w<15;w++)arr[w]=known>=0?(double)(num(known)<w):1-atl[w];memset(hset,0,sizeof hset);}
 double chance(int w)const{return arr[min(w,14)];}
 double success(const Sheet&s,int t)const{int g=GUNS[s.items&I_RIFLE?2:s.items&I_PISTOL?1:0];return atl[t>g?t-g:0];}
 double hand(const Sheet&s){int n=s.nh;if(!n)return 0;int last=s.hand[n-1];if(hset[last])return hmemo[last];double r;
  if(n==5){int h[5];for(int i=0;i<5;i++)h[i]=s.hand[i];r=PAY[rank5(h)];}
  else if(n==4){int cnt[10]={0};int h[5];for(int i=0;i<4;i++)h[i]=s.hand[i];for(int f:faces){h[4]=f;cnt[rank5(h)]++;}
   auto c3=[](double k){return k*(k-1)*(k-2)/6;};double tot=c3(faces.size()),below=0;r=0;for(int k=0;k<10;k++){double up=below+cnt[k];r+=PAY[k]*(c3(up)-c3(below))/tot;below=up;}}
  else{map<int,int> m;bool fl=true;int lo=99,hi=0,lo2=99,hi2=0;for(int i=0;i<n;i++){int v=num(s.hand[i]);m[v]++;if(suit(s.hand[i])!=suit(s.hand[0]))fl=false;lo=min(lo,v);hi=max(hi,v);int q=v==1?14:v;lo2=min(lo2,q);hi2=max(hi2,q);}
   vector<int> g;for(auto&p:m)g.push_back(p.second);sort(g.rbegin(),g.rend());string nm="hand ";for(int x:g)nm+=to_string(x);nm+=" ";if(fl)nm+="f";if((int)m.size()==n&&(hi-lo<5||hi2-lo2<5))nm+="s";auto it=HW.find(nm);r=it==HW.end()?0:it->second;}
  hset[last]=true;hmemo[last]=r;return r;}
 double fine(const Sheet&s,int has,int stars)const{double ch=chance(s.wanted);if(ch==0)return 0;int cash=FCASH[round-1],most=FSTAR[round-1];double cost;
  if(s.wanted<14&&has+2*s.hammers>=cash){double ic=cash*.25;cost=ch*((stars>=most&&most<ic)?most:ic);}else cost=ch*min(most,stars);
  double br=s.wanted*.5;return (br<cost&&s.wanted<=s.gold+s.pans)?br:cost;}
 double money(const Sheet&s,int cash,int stars)const{double w=VCN[left][0][min(cash,127)]+stars;return s.wanted?w-fine(s,cash,stars):w;}
 static bool anyopen(const Sheet&s,int r){switch(r){case TRAIL:return !(s.c[0]>>13&1);case BADLANDS:return s.c[1]!=0x3ffc;case MINE:for(int k=0;k<14;k++)if(mineopen(s.c[2],k))return true;return false;case TOWN:return true;}return s.c[4]!=511;}
 static double pending(const Sheet&s){static const double B[5]={5,4,4,3,2};double w=0;for(int i=0;i<s.np;i++)if(s.pool[i]>=5)w+=1;else if(anyopen(s,s.pool[i]))w+=B[s.pool[i]];return w;}
 double goods(const Sheet&s){double w=ahead_worth(s,left,rounds);w+=hand(s);if(s.np)w+=pending(s);if(hasextra)w+=extra(s);return w;}
 static void robbed(Sheet&s,int t,bool ok){int k=kindof(t);s.stars+=ok?KSTAR[k]:KSTAR[k]/2;if(ok)s.gcash(TCASH[t]);if((s.c[1]&kbits(k))==kbits(k))s.bonus(KBONUS[k]);}
 double worth(const Sheet&s,int pause){if(pause<2)return goods(s)+money(s,s.cash,s.stars);
  double ch=success(s,pause);int k=kindof(pause);
  if(hasextra||(s.c[1]&kbits(k))==kbits(k)){Sheet a=s,b=s;robbed(a,pause,true);robbed(b,pause,false);return ch*worth(a,0)+(1-ch)*worth(b,0);}
  return goods(s)+ch*money(s,s.cash+TCASH[pause],s.stars+KSTAR[k])+(1-ch)*money(s,s.cash,s.stars+KSTAR[k]/2);}
 double together(const Net*n,const Sheet&s,int pause){if(pause<2)return net_of(n,s,left);double ch=success(s,pause);Sheet a=s,b=s;robbed(a,pause,true);robbed(b,pause,false);return ch*net_of(n,a,left)+(1-ch)*net_of(n,b,left);}
};
// ---- search
struct Out{Sheet s;bool going;int pause;};
struct Way{double worth;Sheet s;int pause;double look;};
struct Walker{int fl[3];vector<Out>&o;Walker(const int*f,vector<Out>&out):o(out){memcpy(fl,f,sizeof fl);}
 void emit(const Sheet&s,bool g,int p){o.push_back({s,g,p});}
 void visit(Sheet s,int where){int r=where>>4,p=where&15,before=s.c[r];s.c[r]|=1<<p;
  switch(r){
  case TRAIL:switch(p){case 1:s.stars+=2;break;case 2:{Sheet a=s,b=s;gives(a,4,1);gives(b,5,1);emit(b,true,0);emit(a,true,0);return;}case 3:s.stars+=1;s.bonus(CEMETERY);break;case 4:s.stars+=3;s.gw(1);break;case 5:s.gcash(12);break;case 6:s.bonus(BADLANDS);break;case 7:s.stars+=4;s.gw(1);break;case 8:s.ggold(8);break;case 9:s.bonus(TOWN);break;case 10:s.stars+=5;s.gw(2);break;
    case 11:{int m=min<int>(6,s.wanted);for(int a=0;a<=m;a++){Sheet t=s;t.wanted-=a;emit(t,true,0);}return;}case 12:s.bonus(MINE);break;case 13:s.stars+=6;s.gw(3);break;}emit(s,true,0);return;
  case BADLANDS:{int w=KWANT[kindof(p)]-((s.items&I_BANDANA)?1:0);s.gw(w);emit(s,false,p);return;}
  case MINE:{static const int ML[14]={1,1,1,1,1,6,4,2,0,0,0,0,0,0};s.mined+=ML[p];switch(p){case 0:gives(s,5,1);s.ggold(1);break;case 1:gives(s,4,1);s.ggold(1);break;case 2:s.ggold(1);s.bonus(BADLANDS);break;case 3:s.ggold(1);s.bonus(TRAIL);break;case 4:s.ggold(1);s.bonus(TOWN);break;case 5:s.stars+=1;s.gw(1);s.ggold(6);break;case 6:s.stars+=2;s.gw(1);s.ggold(4);break;case 7:s.stars+=3;s.gw(1);s.ggold(2);break;case 8:s.stars+=4;s.gw(1);break;case 9:s.gw(1);break;case 10:s.gw(2);break;case 11:s.gw(3);break;case 12:s.gw(2);break;case 13:s.gw(1);break;}emit(s,true,0);return;}
  case TOWN:{if(p==1){int it=(s.items&I_UNDER)?I_SHOVEL:I_UNDER;s.items|=it;}else s.pool[s.np++]=EFFECT+p;
    if(!(before>>p&1)){static const int G[14]={0,MINE,-1,-1,CEMETERY,TRAIL,-1,BADLANDS,CEMETERY,TRAIL,-1,MINE,-1,BADLANDS};if(G[p]<0)s.stars+=1;else s.bonus(G[p]);}emit(s,true,0);return;}
  default:{if(!(s.items&I_UNDER))s.gw(1);if(s.items&I_SHOVEL)s.stars+=1;for(int k=0;k<12;k++)if(PAIRM[k]>>p&1&&(s.c[4]&PAIRM[k])==PAIRM[k])gives(s,PAIRK[k],PAIRA[k]);emit(s,true,0);return;}
  }}
 static int steps(const Sheet&s,int r,int p,int v){
  if(r==TRAIL){return max(0,p-v-((s.items&I_THORSE)?6:0));}
  if(r==MINE){int best=99;int vs[3]={v,v+2,v-2};int n=(s.items&I_PICKAXE)?3:1;for(int e=0;e<2;e++)if(edgeok(s.c[2],p,e))for(int k=0;k<n;k++)best=min(best,max(max(EDG[p][e][1]-vs[k],vs[k]-EDG[p][e][2]),0));return best;}
  return abs(p-v);}
 void plan(const Sheet&s0){for(int a=0;a<3;a++)for(int b=0;b<3;b++)if(a!=b){Sheet s=s0;s.assigned=a;s.hand[s.nh++]=fl[3-a-b];int own=suit(fl[a]),v=num(fl[b]);
   for(int su=0;su<4;su++){if(su!=own&&s.gold<2)continue;Sheet t=s;if(su!=own)t.gold-=2;t.counted=su;int any=0;
    int lo=su==BADLANDS?2:su==MINE?0:1;for(int p=lo;p<14;p++){if(su==TRAIL&&(t.c[0]>>p)!=0)continue;if(su==BADLANDS&&(t.c[1]>>p&1))continue;if(su==MINE&&!mineopen(t.c[2],p))continue;int pr=steps(t,su,p,v);if(pr>t.gold||pr>12)continue;any=1;Sheet q=t;q.gold-=pr;visit(q,16*su+p);}
    if(a<b&&su==own){for(int p=0;p<9;p++)if(!(t.c[4]>>p&1))visit(t,16*4+p);emit(t,true,0);}
    else if(!any)emit(t,true,0);}}}
 void bonus(const Sheet&s,int r){int lo=r==BADLANDS?2:r==MINE||r==CEMETERY?0:1,hi=r==CEMETERY?9:14;
  for(int p=lo;p<hi;p++){if(r==TRAIL&&(s.c[0]>>p)!=0)continue;if((r==BADLANDS||r==CEMETERY)&&(s.c[r]>>p&1))continue;if(r==MINE&&!mineopen(s.c[2],p))continue;visit(s,16*r+p);}emit(s,true,0);}
 static bool fits(const Sheet&s,int w){return PRICE[w]<=s.cash&&!(s.items>>w&1)&&((1<<w)!=I_RIFLE||(s.items&I_PISTOL));}
 // returns number of options; if emit_ then emits
 bool effect(const Sheet&s,int b,bool em){bool any=false;auto shop=[&](int lo,int hi){for(int w=lo;w<=hi;w++)if(fits(s,w)){any=true;if(!em)return;Sheet t=s;t.cash-=PRICE[w];t.items|=1<<w;if(w==0){gives(t,5,1);t.stars++;}if(w==2){gives(t,4,1);t.stars++;}if(w==3)t.stars++;emit(t,true,0);}};
  switch(b){case 2:shop(7,8);break;case 4:shop(0,1);break;case 5:shop(2,4);break;case 9:shop(5,6);break;case 10:shop(9,11);break;
  case 3:for(int a=1;a<=min<int>(4,s.wanted);a++){any=true;if(!em)break;Sheet t=s;t.wanted-=a;emit(t,true,0);}break;
  case 6:for(int a=1;a<=min<int>(8,min(s.cash,s.wanted));a++){any=true;if(!em)break;Sheet t=s;t.wanted-=a;t.cash-=a;emit(t,true,0);}break;
  case 7:if(s.cash>=2&&s.hotel<4){any=true;if(em){Sheet t=s;t.cash-=2;t.hotel++;emit(t,true,0);}}break;
  case 8:for(auto&p:PLAC)if(p.price<=s.cash&&!(p.mask&s.land)){any=true;if(!em)break;Sheet t=s;t.cash-=p.price;t.land|=p.mask;t.stars+=p.stars+(t.land==511?7:0);emit(t,true,0);}break;
  case 11:any=true;if(em){Sheet t=s;t.pool[t.np++]=PICK;emit(t,false,1);}break;
  case 12:for(int a=1;a<=min<int>(8,s.cash/2);a++){any=true;if(!em)break;Sheet t=s;t.cash-=2*a;t.stars+=a;emit(t,true,0);}break;
  case 13:for(int a=1;a<=min<int>(8,s.gold);a++){any=true;if(!em)break;Sheet t=s;t.gold-=a;t.stars+=a;emit(t,true,0);}break;}
  if(em)emit(s,true,0);return any;}
 void begin(const Sheet&s,int task){if(task<5)bonus(s,task);else if(task==PICK){Sheet t=s;t.stars++;emit(t,true,0);if(s.wanted){t=s;t.wanted-=min<int>(2,s.wanted);emit(t,true,0);}}else effect(s,task-EFFECT,true);}
 void step(Sheet s){if(!s.np){emit(s,false,0);return;}
  int f=s.pool[0];if(f==BAIL){s.del(0);Sheet t=s;t.gcash(4);emit(t,true,0);t=s;t.ggold(2);emit(t,true,0);if(s.wanted){t=s;t.wanted-=min<int>(2,s.wanted);emit(t,true,0);}return;}
  if(f==PLAN){s.del(0);plan(s);return;}
  bool seen[32]={false};int n=0;for(int i=0;i<s.np;i++){int k=s.pool[i];if(seen[k])continue;seen[k]=true;bool ok=k<5?Outlook::anyopen(s,k):k<EFFECT?true:effect(s,k-EFFECT,false);if(!ok)continue;n++;Sheet t=s;t.del(i);begin(t,k);}
  if(!n){s.np=0;memset(s.pool,0,sizeof s.pool);emit(s,false,0);}}
};
static u64 keyof(const Sheet&s,bool hand){Sheet t=s;sort(t.pool,t.pool+t.np);for(int i=t.np;i<24;i++)t.pool[i]=0;if(!hand){t.assigned=t.counted=0;}const unsigned char*p=(const unsigned char*)&t;u64 h=1469598103934665603ULL;for(size_t i=0;i<sizeof(Sheet);i+=8){u64 x;memcpy(&x,p+i,8);h=(h^x)*0x9E3779B97F4A7C15ULL;h^=h>>29;}return h;}
static_assert(sizeof(Sheet)%8==0,"");
struct Cfg{int beam=12,nodes=20000,looks=16;bool dedupe=false;};
static void search(Outlook&o,const int*fl,const Sheet&s0,const Cfg&c,vector<Way>&found){
 found.clear();static thread_local vector<Out> outs;struct Fr{double w;Sheet s;};vector<Fr> fr,nx;fr.push_back({0,s0});int nodes=c.nodes;unordered_set<u64> seen;unordered_set<u64> ends;
 for(int d=0;d<12&&!fr.empty();d++){nx.clear();seen.clear();
  for(auto&f:fr){if(nodes<=0&&!found.empty()){nx.clear();break;}outs.clear();Walker w(fl,outs);w.step(f.s);nodes-=outs.size();
   for(auto&x:outs){double v=o.worth(x.s,x.pause);if(!x.going||!x.s.np){if(c.dedupe){u64 k=keyof(x.s,true)*31+x.pause;if(!ends.insert(k).second)continue;}found.push_back({v,x.s,x.pause,0});}
    else if(seen.insert(keyof(x.s,true)).second)nx.push_back({v,x.s});}}
  if((int)nx.size()>c.beam){partial_sort(nx.begin(),nx.begin()+c.beam,nx.end(),[](const Fr&a,const Fr&b){return a.w>b.w;});nx.resize(c.beam);}else sort(nx.begin(),nx.end(),[](const Fr&a,const Fr&b){return a.w>b.w;});
  swap(fr,nx);}
 int k=min<int>(found.size(),max(c.looks,30));partial_sort(found.begin(),found.begin()+k,found.end(),[](const Way&a,const Way&b){return a.worth>b.worth;});found.resize(k);
}
static int choose(Outlook&o,const int*fl,const Sheet&s0,const Cfg&c,const Net*n,vector<Way>&found){search(o,fl,s0,c,found);if(!n||!n->U||!o.left||!c.looks){for(auto&w:found)w.look=w.worth;return 0;}
 int k=min<int>(found.size(),c.looks),best=0;for(int i=0;i<k;i++){found[i].look=found[i].worth+o.together(n,found[i].s,found[i].pause);if(found[i].look>found[best].look)best=i;}for(size_t i=k;i<found.size();i++)found[i].look=-1e9;return best;}
static int score(const Sheet&s){return s.cash/4+s.gold/2+s.stars+HSTARS[s.hotel]+msilver(s);}

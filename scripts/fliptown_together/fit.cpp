#include "game.h"
struct Rec{Sheet s;int left;float v,prom;bool off;};
static const int U=16,K=4,T=U*K;
int main(int n,char**a){ // weights out epochs lambda seed files... ; alphas fixed
 init(a[1]);string out=a[2];int E=atoi(a[3]);double lam=atof(a[4]);int seed=atoi(a[5]);float lr0=2e-3;float alpha[K];{istringstream is(a[6]);for(int k=0;k<K;k++)is>>alpha[k];}
 struct G{int score;vector<Rec> r;};vector<G> gs;for(int i=7;i<n;i++){FILE*f=fopen(a[i],"rb");if(!f)continue;G g;int m;while(fread(&g.score,4,1,f)==1&&fread(&m,4,1,f)==1){g.r.resize(m);if((int)fread(g.r.data(),sizeof(Rec),m,f)!=m)break;gs.push_back(g);}fclose(f);}
 int F=NAMES.size();vector<float> scale(F,1);for(int i=0;i<5;i++)for(int j=0;j<HN[i];j++)scale[F_cnt[i][j]]=1.0f/HB[i][j];
 double os[16]={0};int oc[16]={0};for(auto&g:gs)for(auto&r:g.r){os[r.left]+=g.score-r.prom;oc[r.left]++;}for(int i=0;i<16;i++)if(oc[i])os[i]/=oc[i];
 struct S{int b,e;float y;int left;bool te;};vector<S> ss;vector<short> fi;vector<float> fc;Feats fe;double ys[16]={0};int yc[16]={0};
 for(size_t gi=0;gi<gs.size();gi++){auto&g=gs[gi];double later=g.score;for(int k=g.r.size()-1;k>=0;k--){auto&r=g.r[k];
   if(r.left>0){all_feats(r.s,r.left,fe);S x;x.b=fi.size();for(auto&p:fe){fi.push_back(p.first);fc.push_back(p.second*scale[p.first]);}x.e=fi.size();x.y=later-r.v;x.left=r.left;x.te=gi%8==0;ss.push_back(x);if(!x.te){ys[x.left]+=x.y;yc[x.left]++;}}
   double pr=r.prom+os[r.left];later=r.off?pr:(1-lam)*pr+lam*later;}}
 for(auto&x:ss)x.y-=ys[x.left]/max(1,yc[x.left]);
 vector<float> w(F*T),gw(F*T,0),m1(F*T,0),m2(F*T,0);float st[T],gst[T]={0},s1[T]={0},s2[T]={0},sh[T],gsh[T]={0},h1[T]={0},h2[T]={0},bi[K]={0},gb[K]={0};
 Rng R(seed,9,9);double bd=sqrt(6.0/(F+U)),bs=sqrt(6.0/(U+1));for(auto&x:w)x=(2*R.uni()-1)*bd;for(int i=0;i<T;i++){st[i]=(2*R.uni()-1)*bd;sh[i]=(2*R.uni()-1)*bs;}
 vector<int> tr,te;for(size_t i=0;i<ss.size();i++)(ss[i].te?te:tr).push_back(i);printf("%zu games %zu samples F %d\n",gs.size(),ss.size(),F);fflush(stdout);
 auto fwd=[&](const S&x,float*u,float*p){for(int i=0;i<T;i++)u[i]=st[i];for(int k=x.b;k<x.e;k++){const float*q=&w[fi[k]*T];float c=fc[k];for(int i=0;i<T;i++)u[i]+=c*q[i];}for(int i=0;i<T;i++)u[i]=u[i]>0?u[i]:0;for(int k=0;k<K;k++){float r=bi[k];for(int i=0;i<U;i++)r+=u[k*U+i]*sh[k*U+i];p[k]=r;}};
 const int B=256;long step=0,total=(long)E*((tr.size()+B-1)/B);double best=-9;
 for(int ep=0;ep<E;ep++){for(int i=(int)tr.size()-1;i>0;i--)swap(tr[i],tr[R.below(i+1)]);
  for(size_t b0=0;b0<tr.size();b0+=B){size_t b1=min(tr.size(),b0+B);fill(gw.begin(),gw.end(),0.f);memset(gst,0,sizeof gst);memset(gsh,0,sizeof gsh);memset(gb,0,sizeof gb);float inv=1.0f/(b1-b0);
   for(size_t q=b0;q<b1;q++){const S&x=ss[tr[q]];float u[T],p[K],gu[T];fwd(x,u,p);for(int k=0;k<K;k++){float e=(p[k]-x.y)*inv;gb[k]+=e;for(int i=0;i<U;i++){int j=k*U+i;gsh[j]+=e*u[j];gu[j]=u[j]>0?e*sh[j]:0;}}
    for(int i=0;i<T;i++)gst[i]+=gu[i];for(int k=x.b;k<x.e;k++){float*g=&gw[fi[k]*T];float c=fc[k];for(int i=0;i<T;i++)g[i]+=c*gu[i];}}
   step++;float lr=lr0*0.5f*(1+cosf(3.14159f*step/total))+1e-6f;float c1=1-powf(.9f,step),c2=1-powf(.999f,step);float al[T];for(int i=0;i<T;i++)al[i]=alpha[i/U]/B;
   auto upd=[&](float*W,float*g,float*a1,float*a2,int N,bool dec){for(int i=0;i<N;i+=T)for(int j=0;j<T;j++){float G=g[i+j]+(dec?al[j]*W[i+j]:0.f);a1[i+j]=.9f*a1[i+j]+.1f*G;a2[i+j]=.999f*a2[i+j]+.001f*G*G;W[i+j]-=lr*(a1[i+j]/c1)/(sqrtf(a2[i+j]/c2)+1e-8f);}};
   upd(w.data(),gw.data(),m1.data(),m2.data(),F*T,true);upd(st,gst,s1,s2,T,false);upd(sh,gsh,h1,h2,T,true);for(int k=0;k<K;k++)bi[k]-=lr*gb[k];}
  if(ep%2==1||ep==E-1){double v=0,e[K+1]={0};for(int i:te){float u[T],p[K];fwd(ss[i],u,p);float m=0;for(int k=0;k<K;k++){e[k]+=(ss[i].y-p[k])*(ss[i].y-p[k]);m+=p[k]/K;}e[K]+=(ss[i].y-m)*(ss[i].y-m);v+=ss[i].y*ss[i].y;}
   printf("epoch %d:",ep+1);for(int k=0;k<=K;k++)printf(" %.4f",1-e[k]/v);puts("");fflush(stdout);}}
 // norm: scale units so that ints are good: share*c, w/c with |share|=~1
 vector<array<long,1>> dummy;ofstream o(out);auto rd=[](double x){return (long)llround(1000*x);};
 vector<double> cs(T);for(int i=0;i<T;i++)cs[i]=1; o<<"share:";for(int i=0;i<T;i++)o<<" "<<rd(sh[i]/K/4);o<<"\nstart:";for(int i=0;i<T;i++)o<<" "<<rd(st[i]*4);o<<"\n";
 vector<pair<string,int>> nm;for(int i=0;i<F;i++)nm.push_back({NAMES[i],i});sort(nm.begin(),nm.end());vector<char> used(F,0);for(auto f:fi)used[f]=1;
 for(auto&p:nm)if(used[p.second]){o<<p.first<<":";for(int i=0;i<T;i++)o<<" "<<rd(w[p.second*T+i]*scale[p.second]*4);o<<"\n";}
}

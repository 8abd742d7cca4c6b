import { mkdtemp, writeFile, appendFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLogger } from "@microremed/core";
import { environments } from "@microremed/environments";
import { eligibleTargets, faults, targetOf } from "@microremed/faults";
import { connectCluster, kinds } from "@microremed/kube";
import { startSimCluster } from "@microremed/simcluster";
import { verifyRecovery } from "@microremed/oracles";
import { prepareArena } from "./src/handlers/prepare.ts";
import { injectFailure } from "./src/handlers/inject.ts";
import { restoreArena } from "./src/handlers/restore.ts";
const [system="online-boutique", half="0", halves="1", limit="1000"]=process.argv.slice(2);
const environment=environments.get(system); const namespace=environment.namespace;
const name=`${system}-${half}`;
const sim=await startSimCluster({name,seed:1,timeScale:Number(process.env["SCALE"]??60),environments:[environment],log:{...silentLogger,error:console.log}});
const f=join(await mkdtemp(join(tmpdir(),"a-")),"k"); await writeFile(f,sim.kubeconfig);
const cluster=await connectCluster({name,kubeconfig:f,arenas:1,clock:sim.clockUrl},{log:silentLogger});
const notes:string[]=[];
const arena={cluster,namespace,environment,signal:new AbortController().signal,log:{...silentLogger,info:(o:object)=>{notes.push(JSON.stringify(o))},warn:(o:object)=>{notes.push("WARN "+JSON.stringify(o))}},assertLease:async()=>{}};
const t0=performance.now(); const el=()=>((performance.now()-t0)/1000).toFixed(1);
await prepareArena(arena,{redeploy:false,timeoutSeconds:1800}); console.log(el(),"prepared");
let n=0;
const cases=Object.values(faults).flatMap(fault=>eligibleTargets(fault,environment).map(target=>({fault,target}))).filter((_,i)=>i%Number(halves)===Number(half));
const only=process.env["ONLY"];
for(const {fault,target} of cases.filter(c=>!only||c.fault.name===only).slice(0,Number(limit))){
  n++; const s=performance.now(); const tag=`${fault.name} ${target}`; const out:string[]=[]; notes.length=0;
  try{
    const inj=await injectFailure(arena,{failure:fault.name,target,timeoutSeconds:60}); const t1=performance.now();
    if(inj.status!=="ok"){ out.push("NOEFFECT "+inj.reason.slice(0,300)); }
    else {
      const ctx={...arena,target};
      const idle=await verifyRecovery(ctx,fault,inj.baseline,inj.injection,300); 
      if(idle.recovered) out.push("NOOP RECOVERED "+idle.reason);
      else if(!/nothing has changed/.test(idle.reason)) out.push("noop not settled: "+idle.clusterSeconds+" "+idle.reason.slice(0,200));
      const t2=performance.now();
      if(fault.name==="pod-config-error"){const c=targetOf(environment,target)?.container; await cluster.patch(targetOf(environment,target)!.workload.kind==="StatefulSet"?kinds.statefulSet:kinds.deployment,namespace,target,{type:"strategic",body:{spec:{template:{spec:{containers:[{name:c?.name,resources:c?.resources}]}}}}});}
      else await fault.remove(ctx);
      const done=await verifyRecovery(ctx,fault,inj.baseline,inj.injection,300);
      if(!done.recovered) out.push("FIX FAILED "+done.reason.slice(0,300));
      out.push(`inject ${(t1-s).toFixed(0)} idle ${(t2-t1).toFixed(0)}(${idle.clusterSeconds}s) fix ${(performance.now()-t2).toFixed(0)}(${done.clusterSeconds}s)`);
    }
  }catch(e){ out.push("ERROR "+String(e).slice(0,400)); }
  const r=performance.now();
  try{ const how=await restoreArena(arena,{failure:fault.name,target,timeoutSeconds:900}); out.push(how.how+" "+(performance.now()-r).toFixed(0)+"ms"); if(how.how!=="reset") out.push(notes.join("|").slice(0,500)); }catch(e){ out.push("RESTORE ERROR "+String(e).slice(0,400)); }
  console.log(el(),tag,out.join(" ; "));
}
console.log(el(),"done",n, (process.memoryUsage().rss/1e6).toFixed(0)+"MB"); process.exit(0);

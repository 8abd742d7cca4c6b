import { writeFile } from "node:fs/promises";
import { silentLogger } from "@microremed/core";
import { startSimCluster } from "@microremed/simcluster";
import { connectCluster } from "./src/connect-cluster.ts";
import { kinds } from "./src/kinds.ts";
const t=performance.now(); const T=(s:string)=>console.log((performance.now()-t).toFixed(0), s);
const sim = await startSimCluster({ name: "sim", seed: 1, timeScale: 100, environments: [] });
T("started "+sim.url+" "+sim.clockUrl);
await writeFile("/tmp/simk.yaml", sim.kubeconfig);
const c = await connectCluster({name:"sim",kubeconfig:"/tmp/simk.yaml",arenas:1,clock:sim.clockUrl},{log:silentLogger});
T(String((await c.list(kinds.namespace,{})).map(x=>x.metadata.name)));
T(String(await c.clock.now()));
await c.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: "arena" } }); T("applied");
T(JSON.stringify(await c.get(kinds.namespace, undefined, "arena")));
const k = await c.agentKubeconfig("arena",{readOnly:false}); T("minted"); console.log(k.slice(0,300));
await c.clock.sleep(60000); T("slept");
{ await using h = await c.clock.hold(); T("held"); const a=await c.clock.now(); await new Promise(r=>setTimeout(r,200)); T("passed "+((await c.clock.now())-a)); }
T("released"); await c[Symbol.asyncDispose](); T("closed"); await sim[Symbol.asyncDispose](); T("done");

import { area } from "../area.ts";
import { configMap, deployment, job, service } from "../manifests.ts";
import { including } from "../match.ts";
import { client, given, gone, is, replicas, run, until } from "../steps/index.ts";

const ownedBy = (kind: string, name: string, uid: string, more: object = {}) => ({ ownerReferences: [{ apiVersion: "v1", kind, name, uid, ...more }] });
const createOwned = (more: object = {}) =>
  client(async ({ core }, { namespace }) => {
    const owner = await core.readNamespacedConfigMap({ namespace, name: "owner" });
    const body = configMap("owned", {}, ownedBy("ConfigMap", "owner", owner.metadata?.uid ?? "", more));
    await core.createNamespacedConfigMap({ namespace, body: body as never });
  });

export const garbage = area("garbage collection", {
  "dependents go with their owner": [given(configMap("owner")), createOwned(), run("delete cm owner"), gone("cm/owned")],
  "an owner of another uid is no owner": [
    given(configMap("owner"), configMap("owned", {}, ownedBy("ConfigMap", "owner", "00000000-0000-0000-0000-000000000000"))),
    gone("cm/owned"),
  ],
  "foreground: the owner waits for dependents that block it": [
    given(configMap("owner")),
    createOwned({ blockOwnerDeletion: true }),
    run(`patch cm owned --type=merge -p '{"metadata":{"finalizers":["example.com/held"]}}'`),
    run("delete cm owner --cascade=foreground --wait=false"),
    until("cm/owned", { metadata: { deletionTimestamp: /./ } }),
    is("cm/owner", { metadata: { finalizers: including("foregroundDeletion") } }),
    run(`patch cm owned --type=merge -p '{"metadata":{"finalizers":null}}'`),
    gone("cm/owner"),
  ],
  "orphans lose their owner": [given(configMap("owner")), createOwned(), run("delete cm owner --cascade=orphan"), until("cm/owned", { metadata: { ownerReferences: undefined } })],
  "a second owner keeps them": [
    given(configMap("owner"), configMap("second")),
    createOwned(),
    client(async ({ core }, { namespace, kubectl }) => {
      const second = await core.readNamespacedConfigMap({ namespace, name: "second" });
      const reference = { apiVersion: "v1", kind: "ConfigMap", name: "second", uid: second.metadata?.uid };
      await kubectl(["patch", "cm", "owned", "--type=json", "-p", JSON.stringify([{ op: "add", path: "/metadata/ownerReferences/-", value: reference }])]);
    }),
    run("delete cm owner"),
    until("cm/owned", { metadata: { ownerReferences: [{ name: "second" }] } }),
  ],
  "a deployment's chain": [given(deployment("web")), replicas("deploy/web", 1), run("delete deploy web"), until("pod", { items: [] })],
  "a job's pods": [given(job("once", "sleep 600")), until("pod", { items: [{}] }), run("delete job once"), until("pod", { items: [] })],
  "a service's endpoints": [given(service("web")), until("ep/web", { kind: "Endpoints" }), run("delete svc web"), gone("ep/web"), until("slice", { items: [] })],
});

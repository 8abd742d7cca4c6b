import { area, closingNodes } from "../area.ts";
import type { Target } from "../case.types.ts";
import { box, configMap, container, deployment, manifest, pod, podSpec, serviceAccount } from "../manifests.ts";
import { condition } from "../match.ts";
import { afterwards, client, event, fails, given, gone, http, is, needs, ready, replicas, run, until } from "../steps/index.ts";

const rbac = "rbac.authorization.k8s.io/v1";
const role = (name: string, ...rules: object[]) => manifest(`${rbac} Role`, name, { rules });
const bind = (account: string, ref: string, kind = "Role") =>
  manifest(`${rbac} RoleBinding`, `${account}-${ref}`, {
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind, name: ref },
    subjects: [{ kind: "ServiceAccount", name: account, namespace: "$NS" }],
  });
const view = role("view-pods", { apiGroups: [""], resources: ["pods"], verbs: ["get", "list", "watch"] });
const reader = [given(serviceAccount("ann"), view, bind("ann", "view-pods"))];
const forbidden = (verb: string, resource: string, group = "") =>
  new RegExp(`${resource}.* is forbidden: User "system:serviceaccount:\\$NS:ann" cannot ${verb} resource "${resource}" in API group "${group}" in the namespace "\\$NS"`);

/** What the server says about a token. */
async function reviewed(target: Target, token: string | undefined, signal: AbortSignal): Promise<{ authenticated?: boolean; user?: { username: string } }> {
  const body = { apiVersion: "authentication.k8s.io/v1", kind: "TokenReview", spec: { token } };
  const { text } = await target.http("POST", "/apis/authentication.k8s.io/v1/tokenreviews", { signal, body: JSON.stringify(body) });
  return JSON.parse(text).status;
}

export const auth = area("auth", {
  "an admin may do everything": [run("auth can-i '*' '*' -A", /^yes\n$/)],
  "a new account has no right": [given(serviceAccount("ann")), fails("get pods", forbidden("list", "pods"), { as: "ann" })],
  "a Secret for an account's token is filled, and goes with the account": [
    given(
      serviceAccount("ann"),
      manifest("v1 Secret", "ann-token", { type: "kubernetes.io/service-account-token" }, { annotations: { "kubernetes.io/service-account.name": "ann" } }),
    ),
    until("secret/ann-token", { data: { token: /^\w/, "ca.crt": /^\w/, namespace: /^\w/ }, metadata: { annotations: { "kubernetes.io/service-account.uid": /-/ } } }),
    client(async ({ core }, { target, signal, namespace }) => {
      const { data } = await core.readNamespacedSecret({ namespace, name: "ann-token" });
      const token = Buffer.from(data?.["token"] ?? "", "base64").toString();
      const claims = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
      if (claims.sub !== `system:serviceaccount:${namespace}:ann` || claims.exp !== undefined) throw new Error(JSON.stringify(claims));
      const { authenticated, user } = await reviewed(target, token, signal);
      if (!authenticated || user?.username !== claims.sub) throw new Error(JSON.stringify({ authenticated, user }));
    }),
    run("delete sa ann"),
    gone("secret/ann-token"),
  ],
  "a Secret for a token names its account": [
    http(
      "POST /api/v1/namespaces/$NS/secrets",
      422,
      { message: /metadata\.annotations\[kubernetes\.io\/service-account\.name\]: Required value/ },
      { body: manifest("v1 Secret", "t", { type: "kubernetes.io/service-account-token" }) },
    ),
  ],
  "a Secret for the token of no account goes": [
    given(manifest("v1 Secret", "t", { type: "kubernetes.io/service-account-token" }, { annotations: { "kubernetes.io/service-account.name": "nobody" } })),
    gone("secret/t"),
  ],
  "a role gives what it says": [...reader, run("get pods", undefined, { as: "ann" }), run("auth can-i list pods", /^yes\n$/, { as: "ann" })],
  "a role gives no more": [
    ...reader,
    fails("delete pod x", forbidden("delete", "pods"), { as: "ann" }),
    fails("get secrets", forbidden("list", "secrets"), { as: "ann" }),
    fails("get deploy", forbidden("list", "deployments", "apps"), { as: "ann" }),
  ],
  "a role counts in its namespace only": [
    ...reader,
    fails("get pods -n kube-system", /pods is forbidden: .* in the namespace "kube-system"/, { as: "ann" }),
    fails("get pods -A", /at the cluster scope/, { as: "ann" }),
  ],
  "two users, two sets of rights": [
    ...reader,
    given(serviceAccount("ben"), role("write", { apiGroups: [""], resources: ["configmaps"], verbs: ["create"] }), bind("ben", "write")),
    run("create cm one", "configmap/one created", { as: "ben" }),
    fails("create cm two", forbidden("create", "configmaps"), { as: "ann" }),
    fails("get pods", /forbidden/, { as: "ben" }),
  ],
  "rights by name": [
    given(
      serviceAccount("ann"),
      configMap("one"),
      configMap("two"),
      role("one", { apiGroups: [""], resources: ["configmaps"], resourceNames: ["one"], verbs: ["get"] }),
      bind("ann", "one"),
    ),
    run("get cm one -o name", "configmap/one", { as: "ann" }),
    fails("get cm two", /configmaps "two" is forbidden/, { as: "ann" }),
  ],
  "subresources are rights of their own": [
    ...reader,
    given(pod("box", box())),
    ready("box"),
    fails("logs box", /cannot get resource "pods\/log"/, { as: "ann" }),
    fails("exec box -- ls", /cannot (create|get) resource "pods\/exec"/, { as: "ann" }),
  ],
  "the view role shows no secrets": [
    given(serviceAccount("ann"), bind("ann", "view", "ClusterRole")),
    run("get deploy,cm -o name", undefined, { as: "ann" }),
    fails("get secrets", /forbidden/, { as: "ann" }),
  ],
  "the edit role changes workloads but no roles": [
    given(serviceAccount("ann"), bind("ann", "edit", "ClusterRole")),
    run("create cm one", undefined, { as: "ann" }),
    fails("create role r --verb=get --resource=pods", /forbidden/, { as: "ann" }),
  ],
  "an account gives no rights that it lacks": [
    given(serviceAccount("ann"), role("roles", { apiGroups: ["rbac.authorization.k8s.io"], resources: ["roles"], verbs: ["create", "get"] }), bind("ann", "roles")),
    fails("create role big --verb=delete --resource=secrets", /is attempting to grant RBAC permissions not currently held/, { as: "ann" }),
  ],
  "the rights are listed": [...reader, run("auth can-i --list", /^pods +\[\] +\[\] +\[get list watch\]/m, { as: "ann" })],
  "asked for another account": [
    ...reader,
    fails("auth can-i delete pods --as=system:serviceaccount:$NS:ann", /^no$/m),
    run("auth can-i get pods --as=system:serviceaccount:$NS:ann", /^yes$/m),
  ],
  "acting as an account takes a right to that account": [
    ...reader,
    given(serviceAccount("bob"), role("be-ann", { apiGroups: [""], resources: ["serviceaccounts"], verbs: ["impersonate"], resourceNames: ["ann"] })),
    fails(
      "get pods --as=system:serviceaccount:$NS:ann",
      /serviceaccounts "ann" is forbidden: User "system:serviceaccount:\$NS:bob" cannot impersonate resource "serviceaccounts" in API group "" in the namespace "\$NS"/,
      { as: "bob" },
    ),
    given(bind("bob", "be-ann")),
    run("get pods --as=system:serviceaccount:$NS:ann", undefined, { as: "bob" }),
    fails("get pods --as=system:serviceaccount:$NS:bob", /serviceaccounts "bob" is forbidden: .* cannot impersonate/, { as: "bob" }),
    fails("get pods --as=ann", /users "ann" is forbidden: .* cannot impersonate resource "users" in API group "" at the cluster scope/, { as: "bob" }),
  ],
  "acting with a group and a uid takes rights to them": [
    ...reader,
    given(role("be-ann", { apiGroups: [""], resources: ["serviceaccounts"], verbs: ["impersonate"] }), bind("ann", "be-ann")),
    fails("get pods --as=system:serviceaccount:$NS:ann --as-group=some", /groups "some" is forbidden: .* cannot impersonate resource "groups"/, { as: "ann" }),
    fails(
      "get pods --as=system:serviceaccount:$NS:ann --as-uid=some",
      /uids.authentication.k8s.io "some" is forbidden: .* cannot impersonate resource "uids" in API group "authentication.k8s.io"/,
      { as: "ann" },
    ),
  ],
  "who one is": [
    needs("Kubernetes 1.28"),
    ...reader,
    run("auth whoami", [/Username +system:serviceaccount:\$NS:ann/, /Groups +\[system:serviceaccounts system:serviceaccounts:\$NS system:authenticated\]/], { as: "ann" }),
  ],
  "a taken right is gone": [...reader, run("get pods", undefined, { as: "ann" }), run("delete rolebinding ann-view-pods"), fails("get pods", /forbidden/, { as: "ann" })],
  "a token of a deleted account": [
    ...reader,
    client(async ({ core }, { namespace, target, signal }) => {
      const { status } = await core.createNamespacedServiceAccountToken({ namespace, name: "ann", body: { spec: { audiences: [] } } as never });
      await core.deleteNamespacedServiceAccount({ namespace, name: "ann" });
      const { authenticated } = await reviewed(target, status?.token, signal);
      if (authenticated) throw new Error("the token still holds");
    }),
  ],
  "a wrong token": [fails("--kubeconfig /dev/null --server=https://localhost:1 --token=x get pods", /refused|Unable to connect/i)],
  "bindings can't change their role": [...reader, fails(`patch rolebinding ann-view-pods --type=merge -p '{"roleRef":{"name":"other"}}'`, /cannot change roleRef/)],
});

/** On the node of the pod `first`. */
const besideFirst = {
  affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector: { matchLabels: { app: "first" } }, topologyKey: "kubernetes.io/hostname" }] } },
};

export const nodes = closingNodes("nodes", {
  "cordon and uncordon": [
    client(async ({ core }, { kubectl, afterwards: later }) => {
      const { items } = await core.listNode();
      const node = items.at(-1)?.metadata?.name ?? "";
      later(async () => void (await kubectl(["uncordon", node])));
      const said = [await kubectl(["cordon", node]), await kubectl(["cordon", node]), await kubectl(["get", "node", node]), await kubectl(["uncordon", node])];
      const text = said.map(({ stdout }) => stdout).join("");
      const wanted = new RegExp(`^node/${node} cordoned\nnode/${node} already cordoned\nNAME[^\n]*\n${node} +Ready,SchedulingDisabled [^\n]*\nnode/${node} uncordoned\n$`);
      if (!wanted.test(text)) throw new Error(`expected ${wanted}, was ${text}`);
    }),
  ],
  "taints keep pods away": [
    client(async ({ core }, { kubectl, afterwards: later, namespace }) => {
      const node = (await core.listNode()).items.at(-1)?.metadata?.name ?? "";
      const taint = `${namespace}=yes:PreferNoSchedule`;
      later(async () => void (await kubectl(["taint", "nodes", node, `${taint}-`])));
      const said = [await kubectl(["taint", "nodes", node, taint]), await kubectl(["taint", "nodes", node, taint]), await kubectl(["taint", "nodes", node, `${namespace}-`])];
      const text = said.map(({ stdout, stderr }) => stdout + stderr).join("");
      for (const wanted of [`node/${node} tainted\n`, "already has", `node/${node} untainted\n`]) if (!text.includes(wanted)) throw new Error(`expected ${wanted}, was ${text}`);
    }),
  ],
  "drain evicts pods of a selector": [
    given(deployment("web", { replicas: 1, selector: { matchLabels: { drained: "$NS" } }, template: { metadata: { labels: { drained: "$NS" } }, spec: podSpec() } })),
    replicas("deploy/web", 1),
    client(async ({ core }, { kubectl, afterwards: later, namespace }) => {
      const [old] = (await core.listNamespacedPod({ namespace })).items;
      const node = old?.spec?.nodeName ?? "";
      later(async () => void (await kubectl(["uncordon", node])));
      const { exit, stdout, stderr } = await kubectl(["drain", node, "--pod-selector", `drained=${namespace}`, "--ignore-daemonsets", "--timeout=60s"]);
      await kubectl(["uncordon", node]);
      if (exit !== 0) throw new Error(stderr);
      for (const wanted of [`node/${node} cordoned`, `evicting pod ${namespace}/${old?.metadata?.name}`, `pod/${old?.metadata?.name} evicted`, `node/${node} drained`])
        if (!(stdout + stderr).includes(wanted)) throw new Error(`expected ${wanted}, was ${stdout}${stderr}`);
    }),
    replicas("deploy/web", 1),
  ],
  "a node that does not exist": [fails("cordon $NS", /nodes "\$NS" not found/)],
  "a pod that fits nowhere": [
    given(pod("big", container({ resources: { requests: { cpu: "10000" } } }))),
    event("big", "FailedScheduling", /^0\/\d+ nodes are available: .*Insufficient cpu\..*preemption: /, "Warning"),
    until("pod/big", condition("PodScheduled", "False", { reason: "Unschedulable", message: /Insufficient cpu/ })),
  ],
  "a selector that no node has": [
    given(pod("web", container(), { nodeSelector: { $NS: "x" } })),
    event("web", "FailedScheduling", /node\(s\) didn't match Pod's node affinity\/selector/, "Warning"),
  ],
  "a port of the node is given once": [
    given(pod("first", container({ ports: [{ containerPort: 80, hostPort: 18080 }] }))),
    ready("first"),
    given(
      pod("second", container({ ports: [{ containerPort: 80, hostPort: 18080 }] }), besideFirst),
      pod("other", container({ ports: [{ containerPort: 80, hostPort: 18081 }] }), besideFirst),
    ),
    ready("other"),
    event("second", "FailedScheduling", /node\(s\) didn't have free ports for the requested pod ports/, "Warning"),
    until("pod/second", condition("PodScheduled", "False", { reason: "Unschedulable", message: /free ports/ })),
  ],
  "a scheduler that is not there places nothing and says nothing": [
    given(pod("web", container(), { schedulerName: "batch-scheduler" }), pod("later")),
    ready("later"),
    is("pod/web", { spec: { nodeName: undefined }, status: { phase: "Pending", conditions: undefined } }),
    run("get events --field-selector involvedObject.name=web", ""),
  ],
  "a node by name": [
    client(async ({ core, objects }, { namespace }) => {
      const node = (await core.listNode()).items[0]?.metadata?.name ?? "";
      await objects.create({ ...pod("fixed", container(), { nodeName: node }), metadata: { name: "fixed", namespace } } as never);
    }),
    ready("fixed"),
  ],
  "scheduling gates hold a pod": [
    needs("Kubernetes 1.27"),
    given(pod("gated", container(), { schedulingGates: [{ name: "example.com/wait" }] })),
    run("get pod gated", /^gated +0\/1 +SchedulingGated/m),
    run(`patch pod gated --type=json -p '[{"op":"remove","path":"/spec/schedulingGates"}]'`),
    ready("gated"),
  ],
  "conditions and capacity": [
    client(async ({ core }) => {
      for (const { status } of (await core.listNode()).items) {
        const types = status?.conditions
          ?.map(({ type }) => type)
          .sort()
          .join();
        if (!types?.includes("DiskPressure") || !types.includes("MemoryPressure") || !types.includes("PIDPressure") || !types.includes("Ready"))
          throw new Error(`conditions: ${types}`);
        for (const key of ["cpu", "memory", "pods", "ephemeral-storage"]) if (!status?.capacity?.[key] || !status.allocatable?.[key]) throw new Error(`no ${key}`);
      }
    }),
  ],
});

export const namespaces = area("namespaces", {
  "end with all that is in them": [
    run("create ns $NS-2"),
    afterwards("delete", "ns", "$NS-2", "--ignore-not-found"),
    run("create cm one -n $NS-2"),
    run("create deploy web --image=registry.k8s.io/pause:3.10 -n $NS-2"),
    run("delete ns $NS-2", /^namespace "\$NS-2" deleted/),
    is("ns/$NS-2", undefined),
  ],
  "get a name and its label": [
    client(async ({ core }, { namespace, afterwards: later }) => {
      const { metadata } = await core.createNamespace({ body: { metadata: { generateName: `${namespace}-` } } });
      const name = metadata?.name ?? "";
      later(async () => void (await core.deleteNamespace({ name })));
      if (!/-\w{5}$/.test(name) || metadata?.labels?.["kubernetes.io/metadata.name"] !== name) throw new Error(JSON.stringify(metadata));
    }),
  ],
  "wait for finalizers while they terminate": [
    run("create ns $NS-2"),
    given({ ...configMap("one"), metadata: { name: "one", namespace: "$NS-2", finalizers: ["example.com/held"] } }),
    run("delete ns $NS-2 --wait=false"),
    until("ns/$NS-2", { status: { phase: "Terminating" } }),
    run("get ns $NS-2", /^\$NS-2 +Terminating/m),
    until("ns/$NS-2", condition("NamespaceFinalizersRemaining", "True", { reason: "SomeFinalizersRemain", message: /example\.com\/held in 1 resource instances/ })),
    fails("create cm two -n $NS-2", /configmaps "two" is forbidden: unable to create new content in namespace \$NS-2 because it is being terminated/),
    run(`patch cm one -n $NS-2 --type=merge -p '{"metadata":{"finalizers":null}}'`),
    gone("ns/$NS-2"),
  ],
  "have a service account and the CA": [until("sa/default", { kind: "ServiceAccount" }), until("cm/kube-root-ca.crt", { data: { "ca.crt": /BEGIN CERTIFICATE/ } })],
  "get the CA back": [
    until("cm/kube-root-ca.crt", { data: { "ca.crt": /BEGIN CERTIFICATE/ } }),
    run(`patch cm kube-root-ca.crt --type=merge -p '{"data":{"ca.crt":"none"}}'`),
    until("cm/kube-root-ca.crt", { data: { "ca.crt": /BEGIN CERTIFICATE/ } }),
  ],
  "keep a CA that was made immutable": [
    until("cm/kube-root-ca.crt", { data: { "ca.crt": /BEGIN CERTIFICATE/ } }),
    run(`patch cm kube-root-ca.crt --type=merge -p '{"data":{"ca.crt":"none"},"immutable":true}'`),
    given(pod("box", box())),
    ready("box"),
    is("cm/kube-root-ca.crt", { data: { "ca.crt": "none" } }),
  ],
  "are labelled with their name": [is("ns/$NS", { metadata: { labels: { "kubernetes.io/metadata.name": "$NS" } }, spec: { finalizers: ["kubernetes"] } } as never)],
  "the first ones can't be deleted": [fails("delete ns kube-system --dry-run=server", /namespaces "kube-system" is forbidden: this namespace may not be deleted/)],
});

export const discovery = area("discovery", {
  "api-versions": [
    run("api-versions", [
      /^v1$/m,
      /^apps\/v1$/m,
      /^batch\/v1$/m,
      /^autoscaling\/v2$/m,
      /^networking\.k8s\.io\/v1$/m,
      /^rbac\.authorization\.k8s\.io\/v1$/m,
      /^apiextensions\.k8s\.io\/v1$/m,
    ]),
  ],
  "api-resources": [
    run("api-resources", [
      /^NAME +SHORTNAMES +APIVERSION +NAMESPACED +KIND\n/,
      /^pods +po +v1 +true +Pod$/m,
      /^deployments +deploy +apps\/v1 +true +Deployment$/m,
      /^nodes +no +v1 +false +Node$/m,
    ]),
  ],
  "api-resources wide": [
    run("api-resources --api-group=apps -o wide", /^deployments +deploy +apps\/v1 +true +Deployment +create,delete,deletecollection,get,list,patch,update,watch +all$/m),
  ],
  "api-resources by scope": [run("api-resources --namespaced=false -o name", [/^nodes$/m, /^(?![\s\S]*^pods$)/m])],
  version: [run("version", [/^Client Version: v/m, /^Server Version: v1\.\d+/m]), http("GET /version", 200, { major: "1", minor: /^\d+/, gitVersion: /^v1\./, platform: /\// })],
  "cluster-info": [run("cluster-info", /Kubernetes control plane.* is running at .*https:\/\//)],
  "legacy lists": [
    http("GET /api", 200, { kind: "APIVersions", versions: ["v1"] }),
    http("GET /apis", 200, { kind: "APIGroupList" }),
    http("GET /api/v1", 200, { kind: "APIResourceList", groupVersion: "v1" }),
    http("GET /apis/apps", 200, { kind: "APIGroup", name: "apps", preferredVersion: { version: "v1" } }),
  ],
  "aggregated lists": [
    needs("Kubernetes 1.30"),
    http("GET /apis", 200, { kind: "APIGroupDiscoveryList" }, { accept: "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList" }),
  ],
  "OpenAPI v3": [http("GET /openapi/v3", 200, { paths: { "apis/apps/v1": { serverRelativeURL: /^\/openapi\/v3\/apis\/apps\/v1\?hash=/ } } })],
  health: [http("GET /livez", 200), http("GET /readyz", 200), run("get --raw /healthz", /^ok$/)],
  "paths that are not there": [http("GET /apis/nonsense.example.com/v1", 404), http("GET /api/v1/namespaces/$NS/nonsense", 404)],
  "explain a kind": [run("explain pod", [/^KIND: +Pod\nVERSION: +v1$/m, /^ {2}spec\t/m])],
  "explain a field": [run("explain deployment.spec.replicas", [/^GROUP: +apps$/m, /FIELD: replicas <integer>/, /Number of desired pods/])],
  "explain a path that does not exist": [fails("explain pod.spec.nonsense", /field "nonsense" does not exist/)],
  "explain all below": [run("explain cj --recursive", [/schedule\t<string>/, /successfulJobsHistoryLimit\t<integer>/])],
});

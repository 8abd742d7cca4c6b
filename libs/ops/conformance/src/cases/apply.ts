import { area } from "../area.ts";
import { configMap, container, deployment, list, manifest, pod, service } from "../manifests.ts";
import { including } from "../match.ts";
import { apply, fails, given, gone, is, replicas, run, until } from "../steps/index.ts";

const env = (...names: string[]) => container({ env: names.map((name) => ({ name, value: "1" })) });
/** As `helm template` writes a chart's usual parts. */
const chart = ["ServiceAccount v1", "ConfigMap v1", "Service v1", "Deployment apps/v1", "PodDisruptionBudget policy/v1"]
  .map((type) => {
    const [kind = "", apiVersion = ""] = type.split(" ");
    const rest: Readonly<Record<string, string>> = {
      ServiceAccount: "automountServiceAccountToken: true",
      ConfigMap: 'data:\n  config.yaml: |\n    level: "info"',
      Service: "spec: {type: ClusterIP, ports: [{port: 80, targetPort: http, protocol: TCP, name: http}], selector: {app.kubernetes.io/instance: rel}}",
      Deployment: `spec:
  replicas: 1
  selector: {matchLabels: {app.kubernetes.io/instance: rel}}
  template:
    metadata: {annotations: {checksum/config: "0"}, labels: {app.kubernetes.io/instance: rel}}
    spec:
      serviceAccountName: rel-chart
      securityContext: {}
      containers:
        - {name: chart, image: "registry.k8s.io/pause:3.10", imagePullPolicy: IfNotPresent, securityContext: {}, resources: {}, ports: [{name: http, containerPort: 80, protocol: TCP}], envFrom: [{configMapRef: {name: rel-chart, optional: true}}]}`,
      PodDisruptionBudget: "spec: {minAvailable: 0, selector: {matchLabels: {app.kubernetes.io/instance: rel}}}",
    };
    return `---
# Source: chart/templates/${kind.toLowerCase()}.yaml
apiVersion: ${apiVersion}
kind: ${kind}
metadata:
  name: rel-chart
  labels:
    helm.sh/chart: chart-0.1.0
    app.kubernetes.io/name: chart
    app.kubernetes.io/instance: rel
    app.kubernetes.io/version: "1.16.0"
    app.kubernetes.io/managed-by: Helm
${rest[kind]}`;
  })
  .join("\n");

const serverSide = (input: Parameters<typeof apply>[0], stdout?: Parameters<typeof apply>[1], flags = "") => run(`apply --server-side ${flags} -f -`, stdout, { input });

export const clientSideApply = area("apply", {
  "creates, leaves alone, configures": [
    apply(configMap("one"), "configmap/one created"),
    apply(configMap("one"), "configmap/one unchanged"),
    apply(configMap("one", { key: "other" }), "configmap/one configured"),
    is("cm/one", { data: { key: "other" } }),
  ],
  "removes what was applied before and is no more": [
    apply(configMap("one", { a: "1", b: "2" })),
    apply(configMap("one", { a: "1" })),
    is("cm/one", { data: { a: "1", b: undefined } }),
  ],
  "keeps what others have added": [
    apply(configMap("one", { a: "1" })),
    run(`patch cm one --type=merge -p '{"data":{"b":"2"}}'`),
    apply(configMap("one", { a: "3" })),
    is("cm/one", { data: { a: "3", b: "2" } }),
  ],
  "notes what it applied": [apply(configMap("one")), is("cm/one", { metadata: { annotations: { "kubectl.kubernetes.io/last-applied-configuration": /"key":"value"/ } } })],
  "warns about objects that it did not create": [
    given(configMap("one")),
    run("apply -f -", "configmap/one configured", { input: configMap("one", { key: "2" }), stderr: /missing the kubectl\.kubernetes\.io\/last-applied-configuration annotation/ }),
  ],
  "merges lists by their keys": [
    apply(deployment("web", {}, env("A", "B"))),
    apply(deployment("web", {}, env("A", "C"))),
    is("deploy/web", { spec: { template: { spec: { containers: [{ env: [{ name: "A" }, { name: "C" }] }] } } } }),
  ],
  "does not reset replicas that the manifest leaves open": [
    apply(deployment("web")),
    run("scale deploy web --replicas=3"),
    apply(deployment("web", {}, env("A"))),
    is("deploy/web", { spec: { replicas: 3 } }),
  ],
  "several objects in order": [apply(list(configMap("one"), service("two")), "configmap/one created\nservice/two created")],
  "dry run on the server changes nothing": [run("apply --dry-run=server -f -", "configmap/one created (server dry run)", { input: configMap("one") }), is("cm/one", undefined)],
  "dry run on the client": [run("apply --dry-run=client -f -", "configmap/one created (dry run)", { input: configMap("one") }), is("cm/one", undefined)],
  "prints the result": [run("apply -o jsonpath={.data.key} -f -", /^value$/, { input: configMap("one") })],
  "a field that may not change": [
    apply(deployment("web")),
    fails("apply -f -", [/^The Deployment "web" is invalid: spec\.selector: Invalid value: .*: field is immutable/m], {
      input: manifest("apps/v1 Deployment", "web", {
        spec: { selector: { matchLabels: { app: "other" } }, template: { metadata: { labels: { app: "other" } }, spec: { containers: [container()] } } },
      }),
    }),
  ],
  "an unknown field": [fails("apply -f -", /strict decoding error: unknown field "spec\.replica"/, { input: deployment("web", { replica: 2 }) }), is("deploy/web", undefined)],
  "an unknown field with validation off": [run("apply --validate=false -f -", "deployment.apps/web created", { input: deployment("web", { replica: 2 }) })],
  "an unknown kind": [fails("apply -f -", /no matches for kind "Nonsense" in version "v1"/, { input: manifest("v1 Nonsense", "x") })],
  "a namespace that does not exist": [fails("apply -n $NS-nowhere -f -", /namespaces "\$NS-nowhere" not found/, { input: configMap("one") })],
  "a manifest of another namespace": [
    fails("apply -f -", /the namespace from the provided object "elsewhere" does not match the namespace "\$NS"/, { input: configMap("one", {}, { namespace: "elsewhere" }) }),
  ],
  "prunes kinds of the default list": [
    run("apply -f -", undefined, { input: list(configMap("old", { a: "1" }, { labels: { set: "$NS" } }), configMap("new", { a: "1" }, { labels: { set: "$NS" } })) }),
    run("apply --prune -l set=$NS -f -", [/configmap\/new unchanged/, /configmap\/old pruned/], { input: configMap("new", { a: "1" }, { labels: { set: "$NS" } }) }),
  ],
  "prunes what the file no longer has": [
    apply(configMap("old", {}, { labels: { set: "x" } })),
    run("apply --prune -l set=x --prune-allowlist=core/v1/ConfigMap -f -", [/configmap\/new created/, /configmap\/old pruned/], {
      input: configMap("new", {}, { labels: { set: "x" } }),
    }),
  ],
  "last applied can be viewed": [apply(configMap("one")), run("apply view-last-applied cm one", /^data:\n {2}key: value$/m)],
  "diff: nothing to do": [apply(configMap("one")), run("diff -f -", /^$/, { input: configMap("one") })],
  "diff: a change": [apply(configMap("one")), fails("diff -f -", [/^- {2}key: value$/m, /^\+ {2}key: other$/m], { input: configMap("one", { key: "other" }) })],
  replace: [
    given(configMap("one", { a: "1" })),
    run("replace -f -", "configmap/one replaced", { input: configMap("one", { b: "2" }) }),
    is("cm/one", { data: { a: undefined, b: "2" } }),
  ],
  "replace what does not exist": [fails("replace -f -", /configmaps "one" not found/, { input: configMap("one") })],
  "replace by force makes a new object": [
    given(configMap("one", { a: "1" })),
    run("replace --force -f -", /^configmap "one" deleted.*\nconfigmap\/one replaced\n$/, { input: configMap("one", { b: "2" }) }),
  ],
  "an edit that changes nothing": [given(configMap("one")), run("edit cm one", undefined, { stderr: /Edit cancelled, no changes made/ })],
  "what helm template writes": [
    run("apply -f -", [/^serviceaccount\/rel-chart created$/m, /^poddisruptionbudget\.policy\/rel-chart created$/m], { input: chart }),
    replicas("deploy/rel-chart", 1),
    run("apply -f -", /^deployment\.apps\/rel-chart unchanged$/m, { input: chart }),
    run("get all -l app.kubernetes.io/managed-by=Helm -o name", [/^service\/rel-chart$/m, /^deployment\.apps\/rel-chart$/m]),
    run("delete -f -", /^deployment\.apps "rel-chart" deleted/m, { input: chart }),
    gone("deploy/rel-chart"),
  ],
});

export const serverSideApply = area("apply --server-side", {
  "an autoscaler owns the replicas that it set": [
    given(
      deployment("web", { replicas: 1 }),
      manifest("autoscaling/v2 HorizontalPodAutoscaler", "web", {
        spec: { scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" }, minReplicas: 2, maxReplicas: 3 },
      }),
    ),
    until("deploy/web", { spec: { replicas: 2 } }),
    is("deploy/web", {
      metadata: { managedFields: including({ manager: "kube-controller-manager", operation: "Update", subresource: "scale", fieldsV1: { "f:spec": { "f:replicas": {} } } }) },
    }),
    fails("apply --server-side --field-manager=mine -f -", /conflict with "kube-controller-manager" with subresource "scale" using apps\/v1: \.spec\.replicas/, {
      input: deployment("web", { replicas: 1 }),
    }),
  ],
  "kubelets and controllers own what they write": [
    given(deployment("web")),
    replicas("deploy/web", 1),
    is("deploy/web", { metadata: { managedFields: including({ manager: "kube-controller-manager", operation: "Update", subresource: "status" }) } }),
    is("pod?labelSelector=app=web", { items: [{ metadata: { managedFields: including({ manager: "kubelet", operation: "Update", subresource: "status" }) } }] }),
    is("pod?labelSelector=app=web", { items: [{ metadata: { managedFields: including({ manager: "kube-controller-manager", operation: "Update" }) } }] }),
  ],
  "creates and says so": [serverSide(configMap("one"), "configmap/one serverside-applied"), is("cm/one", { data: { key: "value" } })],
  "notes the owner of each field": [
    serverSide(configMap("one")),
    is("cm/one", { metadata: { managedFields: [{ manager: "kubectl", operation: "Apply", apiVersion: "v1", fieldsType: "FieldsV1", fieldsV1: { "f:data": { "f:key": {} } } }] } }),
  ],
  "removes what its manager no longer wants": [
    serverSide(configMap("one", { a: "1", b: "2" })),
    serverSide(configMap("one", { a: "1" })),
    is("cm/one", { data: { a: "1", b: undefined } }),
  ],
  "keeps fields of other managers": [
    serverSide(configMap("one", { a: "1" })),
    serverSide(configMap("one", { b: "2" }), undefined, "--field-manager=other"),
    serverSide(configMap("one", { a: "3" })),
    is("cm/one", { data: { a: "3", b: "2" } }),
  ],
  "a conflict names the other manager and the field": [
    serverSide(configMap("one", { a: "1" })),
    fails("apply --server-side --field-manager=other -f -", [/Apply failed with 1 conflict: conflict with "kubectl"( using v1)?: \.data\.a/, /--force-conflicts/], {
      input: configMap("one", { a: "2" }),
    }),
    is("cm/one", { data: { a: "1" } }),
  ],
  "conflicts by an update name its API version": [
    given(deployment("web", { replicas: 1 })),
    fails("apply --server-side -f -", /conflict with "[^"]+" using apps\/v1( at \S+)?: \.spec\.replicas/, { input: deployment("web", { replicas: 2 }) }),
  ],
  "force takes a field over": [
    serverSide(configMap("one", { a: "1" })),
    serverSide(configMap("one", { a: "2" }), undefined, "--field-manager=other --force-conflicts"),
    is("cm/one", { data: { a: "2" } }),
    fails("apply --server-side -f -", /conflict with "other"( using v1)?: \.data\.a/, { input: configMap("one", { a: "3" }) }),
  ],
  "equal values are shared without conflict": [
    serverSide(configMap("one", { a: "1" })),
    serverSide(configMap("one", { a: "1" }), undefined, "--field-manager=other"),
    serverSide(configMap("one", {})),
    is("cm/one", { data: { a: "1" } }),
  ],
  "containers are merged by name": [
    serverSide(deployment("web", {}, env("A"))),
    run("apply --server-side --field-manager=other -f -", undefined, {
      input: manifest("apps/v1 Deployment", "web", { spec: { template: { spec: { containers: [{ name: "main", env: [{ name: "B", value: "2" }] }] } } } }),
    }),
    is("deploy/web", { spec: { template: { spec: { containers: [{ name: "main", env: [{ name: "A" }, { name: "B" }] }] } } } }),
  ],
  "dry run": [serverSide(configMap("one"), "configmap/one serverside-applied (server dry run)", "--dry-run=server"), is("cm/one", undefined)],
  "a second apply of the same changes nothing": [
    serverSide(pod("web")),
    run("get pod web -o jsonpath={.metadata.generation}", /^1?$/),
    serverSide(pod("web"), "pod/web serverside-applied"),
  ],
});

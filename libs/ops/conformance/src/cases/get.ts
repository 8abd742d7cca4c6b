import { area } from "../area.ts";
import { configMap, container, deployment, job, manifest, pod, secret, service, statefulSet } from "../manifests.ts";
import { fails, given, ready, replicas, run, until } from "../steps/index.ts";

const web = [given(pod("web")), ready("web")];
const rolled = [given(deployment("web", { replicas: 2 })), replicas("deploy/web", 2)];

export const get = area("get", {
  "pods as a table": [...web, run("get pods", "NAME READY STATUS RESTARTS AGE\nweb 1/1 Running 0 <age>")],
  "pods wide": [
    ...web,
    run("get pods -o wide", /^NAME +READY +STATUS +RESTARTS +AGE +IP +NODE +NOMINATED NODE +READINESS GATES\nweb +1\/1 +Running +0 +\S+ +[\d.]+ +\S+ +<none> +<none>\n$/),
  ],
  "pods without headers": [...web, run("get pods --no-headers", /^web +1\/1 +Running +0 +\S+\n$/)],
  "names only": [given(configMap("one"), configMap("two")), run("get cm one two -o name", "configmap/one\nconfigmap/two")],
  "several kinds at once, with prefixes": [
    given(configMap("one"), secret("two")),
    run("get cm/one secret/two", "NAME DATA AGE\nconfigmap/one 1 <age>\n\nNAME TYPE DATA AGE\nsecret/two Opaque 1 <age>"),
  ],
  "all kinds of a category": [...rolled, run("get all -o name", [/^pod\/web-/m, /^deployment\.apps\/web$/m, /^replicaset\.apps\/web-/m])],
  yaml: [
    given(configMap("one")),
    run("get cm one -o yaml", [/^apiVersion: v1\ndata:\n {2}key: value\nkind: ConfigMap\nmetadata:\n/, /^ {2}name: one\n {2}namespace: \$NS$/m, /^ {2}uid: [0-9a-f-]{36}$/m]),
  ],
  json: [given(configMap("one")), run("get cm one -o json", [/^\{\n {4}"apiVersion": "v1",/, /"key": "value"/])],
  "json of a list has the kind List": [given(configMap("one")), run("get cm -o json", [/"kind": "List"/, /"kind": "ConfigMap"/])],
  "managed fields are hidden unless asked for": [
    given(configMap("one")),
    run("get cm one -o yaml", /^(?![\s\S]*managedFields)/),
    run("get cm one -o yaml --show-managed-fields", /managedFields:/),
  ],
  jsonpath: [given(configMap("one")), run("get cm one -o jsonpath={.data.key}", /^value$/)],
  "jsonpath with a range and a filter": [
    given(configMap("one"), configMap("two", { a: "1" })),
    run(`get cm -o jsonpath='{range .items[?(@.data.a=="1")]}{.metadata.name}{"\\n"}{end}'`, /^two\n$/),
  ],
  "custom columns": [given(configMap("one")), run("get cm one -o custom-columns=NAME:.metadata.name,VALUE:.data.key,NONE:.data.no", "NAME VALUE NONE\none value <none>")],
  "go templates": [given(configMap("one")), run("get cm one -o go-template='{{.metadata.name}}={{.data.key}}'", /^one=value$/)],
  "labels in columns": [...web, run("get pods -L app", "NAME READY STATUS RESTARTS AGE APP\nweb 1/1 Running 0 <age> web")],
  "all labels": [...web, run("get pods --show-labels", "NAME READY STATUS RESTARTS AGE LABELS\nweb 1/1 Running 0 <age> app=web")],
  "every namespace": [given(configMap("mine")), run("get cm -A", [/^NAMESPACE +NAME +DATA +AGE\n/, /^\$NS +mine +1 +\S+$/m])],
  "sorted by a field": [
    given(configMap("b", { k: "1" }), configMap("a", { k: "2" })),
    run("get cm a b --sort-by=.data.k -o name", "configmap/b\nconfigmap/a"),
    run("get cm --sort-by=.metadata.name --no-headers", /^a [\s\S]*^b /m),
  ],
  "nothing to show": [run("get pods", /^$/, { stderr: "No resources found in $NS namespace." })],
  "something that does not exist": [fails("get pod nope", 'Error from server (NotFound): pods "nope" not found')],
  "a missing object can be ignored": [run("get pod nope --ignore-not-found", /^$/)],
  "a kind that does not exist": [fails("get nonsense", `error: the server doesn't have a resource type "nonsense"`)],
  "one found, one not": [given(configMap("one")), fails("get cm one two", [/^one +1/m, /configmaps "two" not found/])],
  "a namespace that does not exist is empty": [run("get pods -n $NS-nowhere", /^$/, { stderr: "No resources found in $NS-nowhere namespace." })],
  "raw paths": [run("get --raw /api/v1/namespaces/$NS", [/"kind":"Namespace"/, /"name":"\$NS"/])],
  "raw paths that do not exist": [fails("get --raw /api/v1/nonsense", "Error from server (NotFound): the server could not find the requested resource")],
  "objects of a file": [given(configMap("one")), run("get -f - -o name", "configmap/one", { input: configMap("one") })],
  deployments: [...rolled, run("get deploy", "NAME READY UP-TO-DATE AVAILABLE AGE\nweb 2/2 2 2 <age>")],
  "deployments wide": [
    ...rolled,
    run("get deploy -o wide", "NAME READY UP-TO-DATE AVAILABLE AGE CONTAINERS IMAGES SELECTOR\nweb 2/2 2 2 <age> main registry.k8s.io/pause:3.10 app=web"),
  ],
  "replica sets": [...rolled, run("get rs", /^NAME +DESIRED +CURRENT +READY +AGE\nweb-\w+ +2 +2 +2 +\S+\n$/)],
  "stateful sets": [given(statefulSet("db")), replicas("sts/db", 1), run("get sts", "NAME READY AGE\ndb 1/1 <age>")],
  jobs: [
    given(job("once", "true")),
    until("job/once", { status: { succeeded: 1 } }),
    run("get jobs", /^NAME +STATUS +COMPLETIONS +DURATION +AGE\nonce +Complete +1\/1 +\S+ +\S+\n$/),
  ],
  "finished pods": [given(job("once", "true")), until("job/once", { status: { succeeded: 1 } }), run("get pods", /^once-\w+ +0\/1 +Completed +0 +/m)],
  services: [
    given(service("web"), service("none", { clusterIP: "None" })),
    run("get svc", /^NAME +TYPE +CLUSTER-IP +EXTERNAL-IP +PORT\(S\) +AGE\nnone +ClusterIP +None +<none> +80\/TCP +\S+\nweb +ClusterIP +[\d.a-f:]+ +<none> +80\/TCP +\S+\n$/),
  ],
  "services wide show selectors": [given(service("web")), run("get svc web -o wide", /SELECTOR\nweb .* app=web\n$/)],
  "node ports": [given(service("web", { type: "NodePort" })), run("get svc web", /NodePort +\S+ +<none> +80:3\d{4}\/TCP/)],
  secrets: [given(secret("token", { a: "1", b: "2" })), run("get secret token", "NAME TYPE DATA AGE\ntoken Opaque 2 <age>")],
  "service accounts": [run("get sa default", "NAME SECRETS AGE\ndefault 0 <age>")],
  namespaces: [run("get ns $NS", "NAME STATUS AGE\n$NS Active <age>")],
  nodes: [run("get nodes", [/^NAME +STATUS +ROLES +AGE +VERSION\n/, /^\S+ +Ready\S* +\S+ +\S+ +v1\.\d+\.\d+/m])],
  "nodes wide": [run("get nodes -o wide", /INTERNAL-IP +EXTERNAL-IP +OS-IMAGE +KERNEL-VERSION +CONTAINER-RUNTIME\n/)],
  ingresses: [
    given(
      manifest("networking.k8s.io/v1 Ingress", "web", {
        spec: { rules: [{ host: "web.example.com", http: { paths: [{ path: "/", pathType: "Prefix", backend: { service: { name: "web", port: { number: 80 } } } }] } }] },
      }),
    ),
    run("get ing web", /^NAME +CLASS +HOSTS +ADDRESS +PORTS +AGE\nweb +\S+ +web\.example\.com +.*80 +\S+\n$/),
  ],
  "horizontal pod autoscalers": [
    given(
      deployment("web", {}, container({ resources: { requests: { cpu: "10m" } } })),
      manifest("autoscaling/v2 HorizontalPodAutoscaler", "web", {
        spec: {
          scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" },
          minReplicas: 1,
          maxReplicas: 3,
          metrics: [{ type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 80 } } }],
        },
      }),
    ),
    run("get hpa web", /^NAME +REFERENCE +TARGETS +MINPODS +MAXPODS +REPLICAS +AGE\nweb +Deployment\/web +(cpu: )?\S+\/80% +1 +3 +\d +\S+\n$/),
  ],
  "disruption budgets": [
    given(manifest("policy/v1 PodDisruptionBudget", "web", { spec: { minAvailable: "50%", selector: { matchLabels: { app: "web" } } } })),
    run("get pdb web", /^NAME +MIN AVAILABLE +MAX UNAVAILABLE +ALLOWED DISRUPTIONS +AGE\nweb +50% +N\/A +0 +\S+\n$/),
  ],
});

import { area } from "../area.ts";
import { configMap, container, deployment, manifest, pod, secret, service, statefulSet } from "../manifests.ts";
import { fails, given, http, is, ready, replicas, run, until } from "../steps/index.ts";

const two = container({
  env: [
    { name: "A", value: "1" },
    { name: "B", value: "2" },
  ],
});
const envOf = (...env: object[]) => ({ spec: { template: { spec: { containers: [{ env }] } } } }) as never;
const at = "/api/v1/namespaces/$NS/configmaps/one";

export const patch = area("patch", {
  "strategic: merges containers and variables by name": [
    given(deployment("web", {}, two)),
    run(
      `patch deploy web -p '{"spec":{"template":{"spec":{"containers":[{"name":"main","env":[{"name":"B","value":"3"},{"name":"C","value":"4"}]}]}}}}'`,
      "deployment.apps/web patched",
    ),
    until("deploy/web", {
      spec: {
        template: {
          spec: {
            containers: [
              {
                env: (env: { name: string; value: string }[]) =>
                  env
                    .map((e) => e.name + e.value)
                    .sort()
                    .join() === "A1,B3,C4",
              },
            ],
          },
        },
      },
    }),
  ],
  "strategic: deletes an element": [
    given(deployment("web", {}, two)),
    run(`patch deploy web -p '{"spec":{"template":{"spec":{"containers":[{"name":"main","env":[{"name":"A","$patch":"delete"}]}]}}}}'`),
    is("deploy/web", envOf({ name: "B" })),
  ],
  "strategic: replaces a list": [
    given(deployment("web", {}, two)),
    run(`patch deploy web -p '{"spec":{"template":{"spec":{"containers":[{"name":"main","env":[{"$patch":"replace"},{"name":"C","value":"4"}]}]}}}}'`),
    is("deploy/web", envOf({ name: "C" })),
  ],
  "strategic: null removes a field": [given(configMap("one", { a: "1", b: "2" })), run(`patch cm one -p '{"data":{"a":null}}'`), is("cm/one", { data: { a: undefined, b: "2" } })],
  "strategic: atomic lists are replaced": [
    given(pod("web", container(), { tolerations: [{ key: "a", operator: "Exists" }] })),
    run(
      `patch pod web --type=strategic -p '{"spec":{"tolerations":[{"key":"a","operator":"Exists"},{"key":"b","operator":"Exists"},{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute","tolerationSeconds":300},{"key":"node.kubernetes.io/unreachable","operator":"Exists","effect":"NoExecute","tolerationSeconds":300}]}}'`,
    ),
    is("pod/web", { spec: { tolerations: [{ key: "a" }, { key: "b" }, {}, {}] } }),
  ],
  "merge: replaces lists": [
    given(deployment("web", {}, two)),
    run(`patch deploy web --type=merge -p '{"spec":{"template":{"spec":{"containers":[{"name":"main","image":"registry.k8s.io/pause:3.10","env":[{"name":"C","value":"4"}]}]}}}}'`),
    is("deploy/web", envOf({ name: "C" })),
  ],
  "merge: keeps what it does not name": [given(configMap("one", { a: "1" })), run(`patch cm one --type=merge -p '{"data":{"b":"2"}}'`), is("cm/one", { data: { a: "1", b: "2" } })],
  "json: add, replace, remove": [
    given(configMap("one", { a: "1", b: "2" })),
    run(`patch cm one --type=json -p '[{"op":"add","path":"/data/c","value":"3"},{"op":"replace","path":"/data/a","value":"9"},{"op":"remove","path":"/data/b"}]'`),
    is("cm/one", { data: { a: "9", b: undefined, c: "3" } }),
  ],
  "json: a test that holds": [
    given(configMap("one", { a: "1" })),
    run(`patch cm one --type=json -p '[{"op":"test","path":"/data/a","value":"1"},{"op":"replace","path":"/data/a","value":"2"}]'`),
    is("cm/one", { data: { a: "2" } }),
  ],
  "json: a test that fails": [
    given(configMap("one", { a: "1" })),
    fails(
      `patch cm one --type=json -p '[{"op":"test","path":"/data/a","value":"2"},{"op":"remove","path":"/data/a"}]'`,
      /the server rejected our request due to an error in our request|testing value .*\/data\/a failed/i,
    ),
    is("cm/one", { data: { a: "1" } }),
  ],
  "json: a path that is not there": [
    given(configMap("one")),
    http(`PATCH ${at}`, 422, { reason: "Invalid" }, { body: [{ op: "remove", path: "/data/nope" }], contentType: "application/json-patch+json" }),
  ],
  "json: escaped keys": [
    given(configMap("one")),
    run(`patch cm one --type=json -p '[{"op":"add","path":"/metadata/annotations","value":{"a/b":"1"}},{"op":"replace","path":"/metadata/annotations/a~1b","value":"2"}]'`),
    is("cm/one", { metadata: { annotations: { "a/b": "2" } } }),
  ],
  "no change": [given(configMap("one")), run(`patch cm one -p '{"data":{"key":"value"}}'`, "configmap/one patched (no change)")],
  "something that does not exist": [fails(`patch cm nope -p '{}'`, 'Error from server (NotFound): configmaps "nope" not found')],
  "text that is no JSON": [given(configMap("one")), fails(`patch cm one -p '{"data":'`, /unable to parse|unexpected end|yaml: line/i)],
  "an unsupported content type": [given(configMap("one")), http(`PATCH ${at}`, 415, { reason: "UnsupportedMediaType" }, { body: "{}", contentType: "text/plain" })],
  "the status subresource": [
    given(deployment("web", { replicas: 0 })),
    run(`patch deploy web --subresource=status --type=merge -p '{"status":{"conditions":[{"type":"Mine","status":"True"}]}}'`, /patched/),
  ],
  "an immutable field": [
    given(pod("web")),
    fails(`patch pod web -p '{"spec":{"nodeSelector":{"a":"b"}}}'`, /The Pod "web" is invalid: spec: Forbidden: pod updates may not change fields other than/),
  ],
  "a pod's image may change": [
    given(pod("web")),
    ready("web"),
    run(`patch pod web -p '{"spec":{"containers":[{"name":"main","image":"registry.k8s.io/pause:3.9"}]}}'`, "pod/web patched"),
  ],
  "a file of what to patch": [given(configMap("one")), run(`patch -f - --type=merge -p '{"data":{"b":"2"}}'`, "configmap/one patched", { input: configMap("one") })],
});

export const scale = area("scale", {
  "a deployment up and down": [
    given(deployment("web")),
    run("scale deploy web --replicas=3", "deployment.apps/web scaled"),
    replicas("deploy/web", 3),
    run("scale deploy web --replicas=0"),
    replicas("deploy/web", 0),
  ],
  "a stateful set": [given(statefulSet("db")), run("scale sts db --replicas=2", "statefulset.apps/db scaled"), replicas("sts/db", 2)],
  "only from the current size": [
    given(deployment("web", { replicas: 1 })),
    fails("scale deploy web --current-replicas=2 --replicas=3", "error: Expected replicas to be 2, was 1"),
    run("scale deploy web --current-replicas=1 --replicas=0", "deployment.apps/web scaled"),
  ],
  "something that does not exist": [fails("scale deploy nope --replicas=1", /deployments\.apps "nope" not found|no objects passed to scale/)],
  "something without a size": [given(configMap("one")), fails("scale cm one --replicas=1", /the server could not find the requested resource|could not find.*scale/)],
  "the scale subresource": [
    given(deployment("web", { replicas: 2 })),
    http("GET /apis/apps/v1/namespaces/$NS/deployments/web/scale", 200, { kind: "Scale", apiVersion: "autoscaling/v1", spec: { replicas: 2 }, status: { selector: "app=web" } }),
  ],
  "a negative size": [
    given(deployment("web")),
    http(
      "PATCH /apis/apps/v1/namespaces/$NS/deployments/web/scale",
      422,
      { message: /spec\.replicas: Invalid value: -1: should be non-negative|must be greater than or equal to 0/ },
      { body: { spec: { replicas: -1 } }, contentType: "application/merge-patch+json" },
    ),
  ],
  autoscale: [
    given(deployment("web")),
    run("autoscale deploy web --min=1 --max=4 --cpu-percent=70", "horizontalpodautoscaler.autoscaling/web autoscaled"),
    is("hpa/web", { spec: { minReplicas: 1, maxReplicas: 4, scaleTargetRef: { kind: "Deployment", name: "web" } } }),
  ],
});

export const set = area("set", {
  image: [
    given(deployment("web", { replicas: 0 })),
    run("set image deploy/web main=nginx:1.27", "deployment.apps/web image updated"),
    is("deploy/web", { spec: { template: { spec: { containers: [{ image: "nginx:1.27" }] } } } }),
  ],
  "image of a container that does not exist": [given(deployment("web", { replicas: 0 })), fails("set image deploy/web nope=nginx", 'error: unable to find container named "nope"')],
  resources: [
    given(deployment("web", { replicas: 0 })),
    run("set resources deploy web --limits=cpu=200m,memory=64Mi --requests=cpu=100m", "deployment.apps/web resource requirements updated"),
    is("deploy/web", { spec: { template: { spec: { containers: [{ resources: { limits: { cpu: "200m", memory: "64Mi" }, requests: { cpu: "100m" } } }] } } } }),
  ],
  environment: [
    given(deployment("web", { replicas: 0 })),
    run("set env deploy/web A=1 B=2", "deployment.apps/web env updated"),
    run("set env deploy/web A-"),
    is("deploy/web", envOf({ name: "B", value: "2" })),
  ],
  "environment from a config map": [
    given(deployment("web", { replicas: 0 }), configMap("one", { color: "red" })),
    run("set env deploy/web --from=configmap/one"),
    is("deploy/web", envOf({ name: "COLOR", valueFrom: { configMapKeyRef: { name: "one", key: "color" } } })),
  ],
  "environment listed": [given(deployment("web", {}, two)), run("set env deploy/web --list", "# Deployment web, container main\nA=1\nB=2")],
  "service account": [
    given(deployment("web", { replicas: 0 })),
    run("set serviceaccount deploy web other", "deployment.apps/web serviceaccount updated"),
    is("deploy/web", { spec: { template: { spec: { serviceAccountName: "other" } } } }),
  ],
  selector: [given(service("web")), run("set selector svc web app=other", "service/web selector updated"), is("svc/web", { spec: { selector: { app: "other" } } })],
  subject: [
    run("create rolebinding view-pods --clusterrole=view --user=ann"),
    run("set subject rolebinding view-pods --user=ben", /subjects updated/),
    is("rolebinding/view-pods", { subjects: [{ name: "ann" }, { name: "ben" }] }),
  ],
});

export const labels = area("label, annotate", {
  add: [given(configMap("one")), run("label cm one tier=front", "configmap/one labeled"), is("cm/one", { metadata: { labels: { tier: "front" } } })],
  "the name of a property that all objects of a program have": [
    given(configMap("one")),
    run("label cm one constructor=a", "configmap/one labeled"),
    run("annotate cm one constructor=b", "configmap/one annotated"),
    is("cm/one", { metadata: { labels: { constructor: "a" }, annotations: { constructor: "b" } } }),
  ],
  "overwrite only with --overwrite": [
    given(configMap("one", {}, { labels: { tier: "a" } })),
    fails("label cm one tier=b", /'tier' already has a value \(a\), and --overwrite is false/),
    run("label cm one tier=b --overwrite", "configmap/one labeled"),
  ],
  remove: [given(configMap("one", {}, { labels: { tier: "a" } })), run("label cm one tier-", "configmap/one unlabeled"), is("cm/one", { metadata: { labels: undefined } })],
  "the same again": [given(configMap("one", {}, { labels: { tier: "a" } })), run("label cm one tier=a", "configmap/one not labeled")],
  "all of a selector": [
    given(configMap("one", {}, { labels: { s: "x" } }), configMap("two", {}, { labels: { s: "x" } })),
    run("label cm -l s=x t=1", "configmap/one labeled\nconfigmap/two labeled"),
  ],
  list: [given(configMap("one", {}, { labels: { a: "1" } })), run("label cm one --list", "a=1")],
  "a bad value": [given(configMap("one")), fails("label cm one a=b/c", /a valid label must be an empty string or consist of alphanumeric characters/)],
  annotate: [
    given(configMap("one")),
    run("annotate cm one note='two words'", "configmap/one annotated"),
    is("cm/one", { metadata: { annotations: { note: "two words" } } }),
    run("annotate cm one note-", "configmap/one annotated"),
    is("cm/one", { metadata: { annotations: undefined } }),
  ],
  "a zero that Go leaves out changes no generation": [
    given(deployment("web", { replicas: 0 })),
    run(
      `patch deploy web --type=merge -p '{"spec":{"paused":false,"minReadySeconds":0,"template":{"spec":{"hostNetwork":false,"tolerations":[],"nodeSelector":{},"hostname":""}}}}'`,
    ),
    is("deploy/web", { metadata: { generation: 1 } }),
    run(`patch deploy web --type=json -p '[{"op":"add","path":"/spec/template/spec/volumes","value":[]}]'`),
    is("deploy/web", { metadata: { generation: 1 } }),
    run(`patch deploy web --type=merge -p '{"spec":{"template":{"spec":{"enableServiceLinks":false}}}}'`),
    is("deploy/web", { metadata: { generation: 2 } }),
  ],
  "a zero that Go leaves out is not stored": [
    given(
      configMap("one", {}),
      pod("web", container({ env: [], args: [], tty: false, workingDir: "" } as never), { hostNetwork: false, nodeSelector: {}, hostAliases: [], subdomain: "" } as never),
      service("web", { ports: [{ port: 80 }], externalIPs: [], externalName: "", publishNotReadyAddresses: false }),
    ),
    is("cm/one", { data: undefined }),
    is("pod/web", {
      spec: {
        ...{ hostNetwork: undefined, nodeSelector: undefined, hostAliases: undefined, subdomain: undefined },
        containers: [{ env: undefined, args: undefined, tty: undefined, workingDir: undefined }],
      },
    } as never),
    is("svc/web", { spec: { externalIPs: undefined, externalName: undefined, publishNotReadyAddresses: undefined } }),
  ],
  "a zero that Go leaves out makes no new version": [
    given(configMap("one"), manifest("networking.k8s.io/v1 NetworkPolicy", "one", { spec: { podSelector: {}, policyTypes: ["Ingress"] } })),
    run(`patch cm one --type=merge -p '{"binaryData":{},"metadata":{"labels":{},"finalizers":[]}}'`, "configmap/one patched (no change)"),
    run(`patch netpol one --type=merge -p '{"spec":{"policyTypes":[]}}'`, "networkpolicy.networking.k8s.io/one patched (no change)"),
  ],
  "an empty list counts as a change of a NetworkPolicy": [
    given(manifest("networking.k8s.io/v1 NetworkPolicy", "one", { spec: { podSelector: {}, policyTypes: ["Ingress"] } })),
    run(`patch netpol one --type=merge -p '{"spec":{"ingress":[]}}'`, "networkpolicy.networking.k8s.io/one patched"),
    is("netpol/one", { metadata: { generation: 2 } }),
  ],
  "a null in a map of strings is an empty string": [
    http("POST /api/v1/namespaces/$NS/configmaps", 201, { data: { a: "", b: "1" } }, { body: { ...configMap("one"), data: { a: null, b: "1" } } as never }),
    is("cm/one", { data: { a: "", b: "1" } }),
  ],
  "a label changes no generation": [given(deployment("web", { replicas: 0 })), run("label deploy web a=b"), is("deploy/web", { metadata: { generation: 1 } })],
});

export const exposeAndRun = area("expose, run", {
  "expose a deployment": [
    given(deployment("web", {}, container({ ports: [{ containerPort: 80 }] }))),
    run("expose deploy web", "service/web exposed"),
    is("svc/web", { spec: { selector: { app: "web" }, ports: [{ port: 80, targetPort: 80 }] } }),
  ],
  "expose with another port and name": [
    given(deployment("web")),
    run("expose deploy web --port=80 --target-port=8080 --name=front --type=NodePort", "service/front exposed"),
    is("svc/front", { spec: { type: "NodePort", ports: [{ port: 80, targetPort: 8080 }] } }),
  ],
  "expose without a port": [given(deployment("web")), fails("expose deploy web", /couldn't find port via --port flag or introspection/)],
  "expose a pod": [given(pod("web")), run("expose pod web --port=80", "service/web exposed")],
  "expose twice": [given(deployment("web"), service("web")), fails("expose deploy web --port=80", /services "web" already exists/)],
  "run a pod": [
    run("run web --image=nginx:1.27 --labels=app=x --env=A=1 --port=80", "pod/web created"),
    is("pod/web", {
      metadata: { labels: { app: "x" } },
      spec: { containers: [{ name: "web", env: [{ name: "A", value: "1" }], ports: [{ containerPort: 80 }] }], restartPolicy: "Always" },
    }),
  ],
  "run labels its pod": [run("run web --image=nginx:1.27"), is("pod/web", { metadata: { labels: { run: "web" } } })],
  "run a command": [
    run("run once --image=busybox:1.35 --restart=Never --command -- sh -c 'exit 4'"),
    until("pod/once", { status: { phase: "Failed", containerStatuses: [{ state: { terminated: { exitCode: 4, reason: "Error" } } }] } }),
  ],
  "run and expose": [run("run web --image=nginx:1.27 --port=80 --expose", "service/web created\npod/web created")],
  "run with text on stdin": [run("run once --image=busybox:1.35 --restart=Never --rm -i --quiet -- cat", /^some text$/m, { input: "some text\n" })],
  "run a shell with a script on stdin": [run("run once --image=busybox:1.35 --restart=Never --rm -i --quiet -- sh", /^in 3$/m, { input: "echo in $((1 + 2))\n" })],
  "run a script that reads stdin": [run("run once --image=busybox:1.35 --restart=Never --rm -i --quiet -- sh -c 'read x; echo got $x'", /^got this$/m, { input: "this\n" })],
  "run, attached, and remove": [run("run once --image=busybox:1.35 --restart=Never --rm -i --quiet -- echo hello", /^hello\n/), is("pod/once", undefined)],
  "run dry": [run("run web --image=nginx --dry-run=client -o yaml", /^kind: Pod$/m), is("pod/web", undefined)],
  "secrets are not printed by get": [given(secret("one", { key: "hidden" })), run("get secret one", /^(?![\s\S]*hidden)/)],
});

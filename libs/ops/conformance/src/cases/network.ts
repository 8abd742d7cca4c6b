import { area } from "../area.ts";
import { box, container, deployment, manifest, nginx, pod, service, statefulSet } from "../manifests.ts";
import { condition } from "../match.ts";
import { client, event, fails, given, gone, http, is, needs, ready, refuses, replaced, run, until } from "../steps/index.ts";
import { inside } from "../steps/inside.ts";

const web = (more: object = {}) => pod("web", container({ image: nginx, ports: [{ name: "http", containerPort: 80 }], ...more }));
const unready = { readinessProbe: { exec: { command: ["no-such-program"] }, periodSeconds: 1 } };
const near = (app: string) => ({ requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector: { matchLabels: { app } }, topologyKey: "kubernetes.io/hostname" }] });
const addresses = (count: number) => ({ subsets: (all: { addresses?: object[] }[] | undefined) => (all?.flatMap((each) => each.addresses ?? []).length ?? 0) === count });

export const services = area("services", {
  "endpoints of ready pods": [
    given(deployment("web", { replicas: 2 }), service("web")),
    until("ep/web", addresses(2)),
    is("ep/web", { subsets: [{ addresses: [{ ip: /./, nodeName: /./, targetRef: { kind: "Pod" } }, {}], ports: [{ port: 80, protocol: "TCP" }] }] }),
  ],
  "endpoint slices": [
    given(pod("web"), service("web")),
    ready("web"),
    until("slice?labelSelector=kubernetes.io/service-name%3Dweb", {
      items: [
        {
          addressType: "IPv4",
          ports: [{ port: 80 }],
          endpoints: [{ addresses: [/./], conditions: { ready: true, serving: true, terminating: false }, targetRef: { name: "web" } }],
        },
      ],
    }),
  ],
  "pods that are not ready are set apart": [
    given(pod("web", container(unready)), service("web")),
    until("pod/web", { status: { phase: "Running" } }),
    until("ep/web", { subsets: [{ addresses: undefined, notReadyAddresses: [{ targetRef: { name: "web" } }] }] }),
  ],
  "unless they are wanted": [given(pod("web", container(unready)), service("web", { publishNotReadyAddresses: true })), until("ep/web", addresses(1))],
  "deleted pods leave": [given(pod("web"), service("web")), until("ep/web", addresses(1)), run("delete pod web"), until("ep/web", addresses(0))],
  "deleted endpoints are made again": [given(pod("web"), service("web")), until("ep/web", addresses(1)), run("delete endpoints web"), until("ep/web", addresses(1))],
  "changed selectors are followed": [
    given(pod("web"), pod("other"), service("web")),
    until("ep/web", addresses(1)),
    run("set selector svc web app=other"),
    until("ep/web", { subsets: [{ addresses: [{ targetRef: { name: "other" } }] }] }),
  ],
  "target ports by name": [given(web(), service("web", { ports: [{ port: 8080, targetPort: "http" }] })), ready("web"), until("ep/web", { subsets: [{ ports: [{ port: 80 }] }] })],
  "several ports": [
    given(
      pod("web"),
      service("web", {
        ports: [
          { name: "a", port: 80 },
          { name: "b", port: 81, targetPort: 8081 },
        ],
      }),
    ),
    until("ep/web", {
      subsets: [
        {
          ports: (ports: { name: string; port: number }[]) =>
            ports
              .map(({ name, port }) => name + port)
              .sort()
              .join() === "a80,b8081",
        },
      ],
    }),
  ],
  "a service without a selector gets no endpoints": [given(manifest("v1 Service", "ext", { spec: { ports: [{ port: 80 }] } })), gone("ep/ext")],
  defaults: [
    given(service("web")),
    is("svc/web", {
      spec: {
        type: "ClusterIP",
        sessionAffinity: "None",
        ipFamilyPolicy: "SingleStack",
        internalTrafficPolicy: "Cluster",
        clusterIP: /^[\da-f.:]+$/,
        clusterIPs: [/./],
        ports: [{ protocol: "TCP", targetPort: 80 }],
      },
    }),
  ],
  "a cluster IP is given once": [
    given(service("web")),
    client(async ({ core }, { namespace }) => {
      const clusterIP = (await core.readNamespacedService({ namespace, name: "web" })).spec?.clusterIP;
      const body = service("two", { clusterIP });
      const answer = await core.createNamespacedService({ namespace, body: body as never }).then(
        () => "made",
        (error) => String(error.body ?? error),
      );
      if (!/provided IP is already allocated/.test(answer)) throw new Error(answer);
    }),
  ],
  "names lead to cluster IPs": [
    given(service("web"), pod("box", box())),
    ready("box"),
    client(async ({ core }, { namespace, kubectl }) => {
      const ip = (await core.readNamespacedService({ namespace, name: "web" })).spec?.clusterIP ?? "?";
      const { stdout, stderr } = await kubectl(["exec", "box", "--", "nslookup", `web.${namespace}.svc.cluster.local`]);
      if (!stdout.includes(ip)) throw new Error(`expected ${ip}, was ${stdout}${stderr}`);
    }),
  ],
  "pods ask the name server that runs in kube-system": [
    run("get pods -n kube-system -l k8s-app=kube-dns -o jsonpath={.items[*].status.phase}", /^Running( Running)*$/),
    given(pod("box", box())),
    ready("box"),
    client(async ({ core }, { kubectl }) => {
      const { spec } = await core.readNamespacedService({ namespace: "kube-system", name: "kube-dns" });
      const { stdout } = await kubectl(["exec", "box", "--", "cat", "/etc/resolv.conf"]);
      if (!stdout.includes(`nameserver ${spec?.clusterIP}\n`)) throw new Error(`expected ${spec?.clusterIP}, was ${stdout}`);
      if (!spec?.ports?.some(({ port, protocol }) => port === 53 && protocol === "UDP")) throw new Error(JSON.stringify(spec));
    }),
  ],
  "pods in their node's network have its address": [
    given(pod("box", box(), { hostNetwork: true } as never)),
    ready("box"),
    client(async ({ core }, { namespace }) => {
      const { status } = await core.readNamespacedPod({ namespace, name: "box" });
      if (!status?.podIP || status.podIP !== status.hostIP) throw new Error(`${status?.podIP} on ${status?.hostIP}`);
    }),
  ],
  "headless names lead to pods": [
    given(statefulSet("db"), service("db", { clusterIP: "None" }), pod("box", box())),
    ready("db-0"),
    ready("box"),
    until("ep/db", addresses(1)),
    inside("box", "nslookup db-0.db.$NS.svc.cluster.local", /Name:\s+db-0\.db\.\$NS\.svc\.cluster\.local/),
  ],
  "names that are not there": [given(pod("box", box())), ready("box"), fails("exec box -- nslookup nope.$NS.svc.cluster.local", /NXDOMAIN|can't resolve/, { exit: "any" })],
  "requests reach a pod": [
    given(web(), service("web"), pod("box", box())),
    ready("web"),
    ready("box"),
    until("ep/web", addresses(1)),
    inside("box", "wget -q -O /dev/null -T 5 http://web && echo reached", /reached/),
  ],
  "no endpoint: refused": [
    given(service("web"), pod("box", box())),
    ready("box"),
    inside("box", "wget -q -O /dev/null -T 5 http://web 2>&1; echo ended", /(refused|timed out|unreachable)[\s\S]*ended/),
  ],
  "changed Endpoints lead no client astray": [
    given(web(), service("web"), pod("box", box())),
    ready("web"),
    ready("box"),
    until("ep/web", addresses(1)),
    run(`patch endpoints web --type=json -p '[{"op":"replace","path":"/subsets/0/ports/0/port","value":9}]'`),
    inside("box", "wget -q -O /dev/null -T 5 http://web && echo reached", /reached/),
    is("slice?labelSelector=kubernetes.io/service-name%3Dweb", { items: [{ ports: [{ port: 80 }] }] }),
  ],
  "a changed slice is put right": [
    given(web(), service("web")),
    until("slice?labelSelector=kubernetes.io/service-name%3Dweb", { items: [{ endpoints: [{ conditions: { ready: true } }] }] }),
    client(async ({ objects }, { namespace }) => {
      const [slice] = (await objects.list("discovery.k8s.io/v1", "EndpointSlice", namespace)).items;
      if (!slice) throw new Error("there is no slice");
      const wrong = { apiVersion: "discovery.k8s.io/v1", kind: "EndpointSlice", endpoints: [], ports: [{ name: "", port: 9, protocol: "TCP" }] };
      await objects.replace({ ...slice, ...wrong });
    }),
    until("slice?labelSelector=kubernetes.io/service-name%3Dweb", { items: [{ endpoints: [{}], ports: [{ port: 80 }] }] }),
  ],
  "Endpoints of a service without a selector are mirrored": [
    given(web(), pod("box", box()), manifest("v1 Service", "ext", { spec: { ports: [{ port: 80 }] } })),
    ready("web"),
    ready("box"),
    client(async ({ core }, { namespace }) => {
      const ip = (await core.readNamespacedPod({ namespace, name: "web" })).status?.podIP ?? "?";
      await core.createNamespacedEndpoints({ namespace, body: { metadata: { name: "ext" }, subsets: [{ addresses: [{ ip }], ports: [{ port: 80 }] }] } });
    }),
    until("slice?labelSelector=kubernetes.io/service-name%3Dext", {
      items: [{ metadata: { labels: { "endpointslice.kubernetes.io/managed-by": "endpointslicemirroring-controller.k8s.io" } }, ports: [{ port: 80 }] }],
    }),
    inside("box", "wget -q -O /dev/null -T 5 http://ext && echo reached", /reached/),
    run("delete endpoints ext"),
    until("slice?labelSelector=kubernetes.io/service-name%3Dext", { items: [] }),
  ],
  "a policy of Local leads to pods of the client's node": [
    given(web(), service("web", { internalTrafficPolicy: "Local" }), pod("box", box(), { affinity: { podAffinity: near("web") } })),
    ready("web"),
    ready("box"),
    until("ep/web", addresses(1)),
    inside("box", "wget -q -O /dev/null -T 5 http://web && echo reached", /reached/),
  ],
  "and nowhere from a node without one": [
    needs("two-nodes"),
    given(web(), service("web", { internalTrafficPolicy: "Local" }), pod("box", box(), { affinity: { podAntiAffinity: near("web") } })),
    ready("web"),
    ready("box"),
    until("ep/web", addresses(1)),
    inside("box", "wget -q -O /dev/null -T 5 http://web 2>&1; echo ended", /(refused|timed out|unreachable)[\s\S]*ended/),
    run(`patch service web -p '{"spec":{"internalTrafficPolicy":"Cluster"}}'`),
    inside("box", "wget -q -O /dev/null -T 5 http://web && echo reached", /reached/),
  ],
  "a pod with name servers of its own asks no other": [
    given(pod("box", box(), { dnsPolicy: "None", dnsConfig: { nameservers: ["192.0.2.53"], searches: ["example.test"], options: [{ name: "ndots", value: "2" }] } })),
    ready("box"),
    run("exec box -- cat /etc/resolv.conf", [/^nameserver 192\.0\.2\.53$/m, /^search example\.test$/m, /^options ndots:2$/m, /^(?![\s\S]*nameserver [\s\S]*nameserver )/]),
  ],
  "and finds no service, if they know none": [
    given(service("web"), pod("box", box(), { dnsPolicy: "None", dnsConfig: { nameservers: ["192.0.2.53"] } })),
    ready("box"),
    inside("box", "wget -q -O /dev/null -T 3 http://web.$NS.svc.cluster.local 2>&1; echo ended", /bad address[\s\S]*ended/),
  ],
  "name servers of its own must be named": [refuses(pod("box", box(), { dnsPolicy: "None" }), /must provide (`dnsConfig`|at least one DNS nameserver) when `dnsPolicy` is None/)],
  "the node's name servers know no search for services": [
    given(pod("box", box(), { dnsPolicy: "Default" })),
    ready("box"),
    inside("box", "grep -c svc.cluster.local /etc/resolv.conf", /^0\s/),
  ],
  "a service without pods has a slice whose lists are null": [
    given(service("web")),
    until("slice?labelSelector=kubernetes.io/service-name%3Dweb", { items: [{ endpoints: null, ports: null }] }),
  ],
  "variables in later pods": [given(service("my-db")), given(pod("box", box())), ready("box"), run("exec box -- printenv MY_DB_SERVICE_PORT", /^80\n$/)],
});

const claim = (name: string, spec: object = {}) =>
  manifest("v1 PersistentVolumeClaim", name, { spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "16Mi" } }, ...spec } });

const onClaim = pod("box", box({ volumeMounts: [{ name: "v", mountPath: "/data" }] }), { volumes: [{ name: "v", persistentVolumeClaim: { claimName: "data" } }] });

export const storage = area("storage", {
  "a claim is bound when a pod needs it": [
    needs("Kubernetes 1.29"),
    given(claim("data"), onClaim),
    ready("box"),
    until("pvc/data", { status: { phase: "Bound", capacity: { storage: /./ }, accessModes: ["ReadWriteOnce"] } }),
    run("get pvc data", /^NAME +STATUS +VOLUME +CAPACITY +ACCESS MODES +STORAGECLASS +VOLUMEATTRIBUTESCLASS +AGE\ndata +Bound +\S+ +\S+ +RWO +\S+ +\S+ +\S+\n$/),
  ],
  "what is written stays": [
    given(
      claim("data"),
      statefulSet("db", {}, box({ volumeMounts: [{ name: "v", mountPath: "/data" }] }), { volumes: [{ name: "v", persistentVolumeClaim: { claimName: "data" } }] }),
    ),
    ready("db-0"),
    run("exec db-0 -- sh -c 'echo kept > /data/f'"),
    ...replaced("db-0"),
    ready("db-0"),
    run("exec db-0 -- cat /data/f", "kept"),
  ],
  "a claim that is made again is empty": [
    given(claim("data"), onClaim),
    ready("box"),
    run("exec box -- sh -c 'echo kept > /data/f'"),
    run("delete pod box --now"),
    run("delete pvc data"),
    gone("pvc/data"),
    given(claim("data"), onClaim),
    ready("box"),
    fails("exec box -- cat /data/f", /No such file/, { exit: "any" }),
  ],
  "an unknown class stays pending": [
    given(claim("data", { storageClassName: "$NS" })),
    run("get pvc data", /^data +Pending +\$NS/m),
    event("data", "ProvisioningFailed", /storageclass\.storage\.k8s\.io "conf-storage-\w+" not found/, "Warning"),
  ],
  "a claim in use is protected": [
    given(claim("data"), onClaim),
    ready("box"),
    run("delete pvc data --wait=false"),
    is("pvc/data", { metadata: { deletionTimestamp: /./, finalizers: ["kubernetes.io/pvc-protection"] } }),
    run("delete pod box"),
    gone("pvc/data"),
  ],
  "a claim takes a volume of its class and size": [
    given(
      manifest("v1 PersistentVolume", "$NS", {
        spec: { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], storageClassName: "$NS", persistentVolumeReclaimPolicy: "Retain", hostPath: { path: "/tmp/$NS" } },
      }),
      claim("data", { storageClassName: "$NS" }),
    ),
    until("pvc/data", { spec: { volumeName: "$NS" }, status: { phase: "Bound", capacity: { storage: "1Gi" } } }),
    until("pv/$NS", { spec: { claimRef: { kind: "PersistentVolumeClaim", name: "data", namespace: "$NS" } }, status: { phase: "Bound" } }),
    run("delete pvc data"),
    until("pv/$NS", { status: { phase: "Released" } }),
  ],
  "a bound claim can't change": [
    given(claim("data")),
    fails(`patch pvc data -p '{"spec":{"accessModes":["ReadWriteMany"]}}'`, /spec: Forbidden: spec is immutable after creation except resources\.requests/),
  ],
});

const quota = (hard: object) => manifest("v1 ResourceQuota", "q", { spec: { hard } });
const usable = (used: object) => until("quota/q", { status: { used: used as never } });

export const limits = area("quotas and limit ranges", {
  "a quota counts": [
    given(quota({ pods: "2", configmaps: "9" })),
    given(pod("web")),
    usable({ pods: "1" }),
    run("get quota q", /^NAME +(AGE +)?REQUEST +LIMIT( +AGE)?\nq .*configmaps: 1\/9, pods: 1\/2/),
  ],
  "a quota refuses": [
    given(quota({ pods: "1" })),
    usable({ pods: "0" }),
    given(pod("a")),
    fails("run b --image=registry.k8s.io/pause:3.10", /pods "b" is forbidden: exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1/),
  ],
  "a quota demands requests": [
    given(quota({ "requests.cpu": "1" })),
    usable({ "requests.cpu": "0" }),
    fails("run b --image=registry.k8s.io/pause:3.10", /pods "b" is forbidden: failed quota: q: must specify requests\.cpu/),
  ],
  "what is deleted is given back": [
    given(quota({ pods: "1" })),
    usable({ pods: "0" }),
    given(pod("a")),
    usable({ pods: "1" }),
    run("delete pod a"),
    usable({ pods: "0" }),
    given(pod("b")),
  ],
  "a deployment says why it has no pods": [
    given(quota({ pods: "0" })),
    usable({ pods: "0" }),
    given(deployment("web")),
    until("deploy/web", condition("ReplicaFailure", "True", { reason: "FailedCreate", message: /exceeded quota: q/ })),
  ],
  "what refuses pods knows the name that the server made": [
    given(quota({ pods: "0" })),
    usable({ pods: "0" }),
    http(
      "POST /api/v1/namespaces/$NS/pods",
      403,
      { message: /^pods "web-[bcdfghjklmnpqrstvwxz2456789]{5}" is forbidden: exceeded quota: q/ },
      { body: { ...pod(""), metadata: { generateName: "web-" } } },
    ),
  ],
  "a stateful set says why it has no pods": [
    given(quota({ pods: "0" })),
    usable({ pods: "0" }),
    given(statefulSet("web")),
    event("web", "FailedCreate", /^create Pod web-0 in StatefulSet web failed error: pods "web-0" is forbidden: exceeded quota: q/, "Warning"),
    until("sts/web", { status: { observedGeneration: 1 } }),
  ],
  "a limit range fills in": [
    given(manifest("v1 LimitRange", "l", { spec: { limits: [{ type: "Container", default: { cpu: "200m" }, defaultRequest: { cpu: "100m" } }] } })),
    given(pod("web")),
    is("pod/web", { spec: { containers: [{ resources: { limits: { cpu: "200m" }, requests: { cpu: "100m" } } }] } }),
  ],
  "a limit range refuses": [
    given(manifest("v1 LimitRange", "l", { spec: { limits: [{ type: "Container", max: { cpu: "200m" } }] } })),
    fails("create -f -", /pods "web" is forbidden: \[?maximum cpu usage per Container is 200m, but limit is 1/, {
      input: pod("web", container({ resources: { limits: { cpu: "1" } } })),
    }),
  ],
});

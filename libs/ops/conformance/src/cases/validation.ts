import { area } from "../area.ts";
import type { Step } from "../case.types.ts";
import { configMap, container, cronJob, daemonSet, deployment, job, manifest, pod, service, statefulSet } from "../manifests.ts";
import { fails, given, http, is, refuses } from "../steps/index.ts";

const pods = "/api/v1/namespaces/$NS/pods";
/** The server's own words, without a client's around them. */
const invalid = (input: ReturnType<typeof pod>, message: RegExp): Step =>
  http(`POST ${pathOf(input)}`, 422, { kind: "Status", status: "Failure", reason: "Invalid", code: 422, message }, { body: input });
const paths: Readonly<Record<string, string>> = {
  Pod: pods,
  Service: "/api/v1/namespaces/$NS/services",
  ConfigMap: "/api/v1/namespaces/$NS/configmaps",
  Secret: "/api/v1/namespaces/$NS/secrets",
  PersistentVolumeClaim: "/api/v1/namespaces/$NS/persistentvolumeclaims",
  Namespace: "/api/v1/namespaces",
  Deployment: "/apis/apps/v1/namespaces/$NS/deployments",
  StatefulSet: "/apis/apps/v1/namespaces/$NS/statefulsets",
  DaemonSet: "/apis/apps/v1/namespaces/$NS/daemonsets",
  Job: "/apis/batch/v1/namespaces/$NS/jobs",
  CronJob: "/apis/batch/v1/namespaces/$NS/cronjobs",
  Ingress: "/apis/networking.k8s.io/v1/namespaces/$NS/ingresses",
  Role: "/apis/rbac.authorization.k8s.io/v1/namespaces/$NS/roles",
  PodDisruptionBudget: "/apis/policy/v1/namespaces/$NS/poddisruptionbudgets",
};
const pathOf = ({ kind }: { readonly kind: string }): string => paths[kind] ?? "";
const bad = (fields: object, message: RegExp): Step[] => [invalid(pod("web", container(fields as never)), message)];
const badSpec = (spec: object, message: RegExp): Step[] => [invalid(pod("web", container(), spec as never), message)];
const badPort = (ports: object[], message: RegExp): Step[] => [invalid(service("web", { ports }), message)];

export const validation = area("validation", {
  "kubectl prints the field and the reason": [refuses(pod("web", container({ name: "" })), /^The Pod "web" is invalid: spec\.containers\[0\]\.name: Required value/)],
  "kubectl prints several as a list": [
    refuses(pod("web", container({ name: "", image: "" })), [
      /^The Pod "web" is invalid: *\n\* spec\.containers\[0\]\.name: Required value\n\* spec\.containers\[0\]\.image: Required value/m,
    ]),
  ],
  "a deadline of progress that is too short": [
    refuses(deployment("web", { minReadySeconds: 600 }), /spec\.progressDeadlineSeconds: Invalid value: 600: must be greater than minReadySeconds/),
    refuses(deployment("web", { minReadySeconds: 30, progressDeadlineSeconds: 20 }), /spec\.progressDeadlineSeconds: Invalid value: 20: must be greater than minReadySeconds/),
  ],
  "the answer lists causes": [
    http(
      `POST ${pods}`,
      422,
      { details: { name: "web", kind: "Pod", causes: [{ reason: "FieldValueRequired", message: "Required value", field: "spec.containers[0].image" }] } },
      { body: pod("web", container({ image: undefined })) },
    ),
  ],
  names: [
    invalid(
      pod("Web"),
      /metadata\.name: Invalid value: "Web": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '\.', and must start and end with an alphanumeric character \(e\.g\. 'example\.com', regex used for validation is '\[a-z0-9\]/,
    ),
  ],
  "names of services": [
    invalid(
      service("1web"),
      /metadata\.name: Invalid value: "1web": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character/,
    ),
  ],
  "names that are too long": [invalid(manifest("v1 Namespace", "x".repeat(64)), /metadata\.name: Invalid value: "x+": must be no more than 63 characters/)],
  "label keys": [invalid(configMap("one", {}, { labels: { "a b": "1" } }), /metadata\.labels: Invalid value: "a b": name part must consist of alphanumeric characters/)],
  "label values": [
    invalid(configMap("one", {}, { labels: { a: "-b" } }), /metadata\.labels: Invalid value: "-b": a valid label must be an empty string or consist of alphanumeric characters/),
  ],
  "keys of config maps": [
    invalid(configMap("one", { "a b": "1" }), /data\[a b\]: Invalid value: "a b": a valid config key must consist of alphanumeric characters, '-', '_' or '\.'/),
  ],
  "no containers": badSpec({ containers: [] }, /spec\.containers: Required value/),
  "containers of the same name": badSpec({ containers: [container(), container()] }, /spec\.containers\[1\]\.name: Duplicate value: "main"/),
  "names of containers": bad({ name: "Main" }, /spec\.containers\[0\]\.name: Invalid value: "Main": a lowercase RFC 1123 label must consist of/),
  "restart policies": badSpec(
    { restartPolicy: "Sometimes" },
    /spec\.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "(Never|OnFailure)", "(Never|OnFailure)"/,
  ),
  "pull policies": bad({ imagePullPolicy: "Maybe" }, /spec\.containers\[0\]\.imagePullPolicy: Unsupported value: "Maybe": supported values: "Always", "IfNotPresent", "Never"/),
  "ports out of range": bad(
    { ports: [{ containerPort: 70_000 }] },
    /spec\.containers\[0\]\.ports\[0\]\.containerPort: Invalid value: 70000: must be between 1 and 65535, inclusive/,
  ),
  protocols: bad(
    { ports: [{ containerPort: 80, protocol: "HTTP" }] },
    /spec\.containers\[0\]\.ports\[0\]\.protocol: Unsupported value: "HTTP": supported values: "SCTP", "TCP", "UDP"/,
  ),
  "requests above limits": bad(
    { resources: { requests: { cpu: "2" }, limits: { cpu: "1" } } },
    /spec\.containers\[0\]\.resources\.requests: Invalid value: "2": must be less than or equal to cpu limit of 1/,
  ),
  "negative quantities": bad(
    { resources: { limits: { memory: "-1Mi" } } },
    /spec\.containers\[0\]\.resources\.limits\[memory\]: Invalid value: "-1Mi": must be greater than or equal to 0/,
  ),
  "quantities that are none": [
    http(
      `POST ${pods}`,
      400,
      { reason: "BadRequest", message: /quantities must match the regular expression '\^\(\[\+-\]\?\[0-9\.\]\+\)\(\[eEinumkKMGTP\]\*\[-\+\]\?\[0-9\]\*\)\$'/ },
      { body: pod("web", container({ resources: { limits: { cpu: "1 core" } } })) },
    ),
  ],
  "mounts without a volume": bad({ volumeMounts: [{ name: "v", mountPath: "/v" }] }, /spec\.containers\[0\]\.volumeMounts\[0\]\.name: Not found: "v"/),
  "mounts at the same path": [
    invalid(
      pod(
        "web",
        container({
          volumeMounts: [
            { name: "v", mountPath: "/v" },
            { name: "v", mountPath: "/v" },
          ],
        }),
        { volumes: [{ name: "v", emptyDir: {} }] },
      ),
      /spec\.containers\[0\]\.volumeMounts\[1\]\.mountPath: Invalid value: "\/v": must be unique/,
    ),
  ],
  "volumes of two types": badSpec(
    { volumes: [{ name: "v", emptyDir: {}, configMap: { name: "x" } }] },
    /spec\.volumes\[0\]\.configMap: Forbidden: may not specify more than 1 volume type/,
  ),
  "volumes of the same name": badSpec(
    {
      volumes: [
        { name: "v", emptyDir: {} },
        { name: "v", emptyDir: {} },
      ],
    },
    /spec\.volumes\[1\]\.name: Duplicate value: "v"/,
  ),
  "variables without a name": bad({ env: [{ value: "1" }] }, /spec\.containers\[0\]\.env\[0\]\.name: Required value/),
  "variables with value and source": bad(
    { env: [{ name: "A", value: "1", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } }] },
    /spec\.containers\[0\]\.env\[0\]\.valueFrom: Invalid value: "": may not be specified when `value` is not empty/,
  ),
  "probes without a handler": bad({ livenessProbe: { periodSeconds: 1 } }, /spec\.containers\[0\]\.livenessProbe: Required value: must specify a handler type/),
  "probes with two handlers": bad(
    { livenessProbe: { exec: { command: ["x"] }, tcpSocket: { port: 1 } } },
    /spec\.containers\[0\]\.livenessProbe\.tcpSocket: Forbidden: may not specify more than 1 handler type/,
  ),
  "liveness with more than one success": bad(
    { livenessProbe: { exec: { command: ["x"] }, successThreshold: 2 } },
    /spec\.containers\[0\]\.livenessProbe\.successThreshold: Invalid value: 2: must be 1/,
  ),
  "a negative grace period counts as a second in a pod, and stays in a template": [
    given(pod("web", container(), { terminationGracePeriodSeconds: -5 }), deployment("web", { replicas: 0 }, container(), { terminationGracePeriodSeconds: -5 })),
    is("pod/web", { spec: { terminationGracePeriodSeconds: 1 } }),
    is("deploy/web", { spec: { template: { spec: { terminationGracePeriodSeconds: -5 } } } }),
  ],
  tolerations: badSpec(
    { tolerations: [{ operator: "Exists", key: "a", value: "b" }] },
    /spec\.tolerations\[0\]\.operator: Invalid value: .*value must be empty when `operator` is 'Exists'/,
  ),
  "service accounts that do not exist": [
    http(
      `POST ${pods}`,
      403,
      { reason: "Forbidden", message: 'pods "web" is forbidden: error looking up service account $NS/missing: serviceaccount "missing" not found' },
      { body: pod("web", container(), { serviceAccountName: "missing" }) },
    ),
    // It is looked for before the server makes a name.
    http(
      `POST ${pods}`,
      403,
      { message: 'pods "web-" is forbidden: error looking up service account $NS/missing: serviceaccount "missing" not found' },
      { body: { ...pod("", container(), { serviceAccountName: "missing" }), metadata: { generateName: "web-" } } },
    ),
  ],
  "priority classes that do not exist": [
    http(`POST ${pods}`, 403, { message: 'pods "web" is forbidden: no PriorityClass with name nope was found' }, { body: pod("web", container(), { priorityClassName: "nope" }) }),
  ],
  "what may not change in a pod": [
    given(pod("web")),
    fails(
      `patch pod web -p '{"spec":{"containers":[{"name":"main","env":[{"name":"A","value":"1"}]}]}}'`,
      /pod updates may not change fields other than `spec\.containers\[\*\]\.image`,\s*`spec\.initContainers\[\*\]\.image`,\s*`spec\.activeDeadlineSeconds`,\s*`spec\.tolerations` \(only additions to existing tolerations\)/,
    ),
  ],
  "selector and labels that differ": [
    invalid(
      deployment("web", { selector: { matchLabels: { app: "other" } } }),
      /spec\.template\.metadata\.labels: Invalid value: (map\[string\]string)?\{"app":"web"\}: `selector` does not match template `labels`/,
    ),
  ],
  "no selector": [invalid(deployment("web", { selector: undefined }), /spec\.selector: Required value/)],
  "an empty selector": [invalid(deployment("web", { selector: {} }), /spec\.selector: Invalid value: .*empty selector is invalid for deployment/)],
  "negative replicas": [invalid(deployment("web", { replicas: -1 }), /spec\.replicas: Invalid value: -1: must be greater than or equal to 0/)],
  "deployments whose pods do not restart": [
    invalid(deployment("web", {}, container(), { restartPolicy: "Never" }), /spec\.template\.spec\.restartPolicy: Unsupported value: "Never": supported values: "Always"/),
  ],
  // Servers print values as Go does, later ones as JSON.
  strategies: [
    invalid(
      deployment("web", { strategy: { type: "Big Bang" } }),
      /spec\.strategy: Unsupported value: (apps\.DeploymentStrategy\{Type:|\{"Type":)"Big Bang",.*supported values: "Recreate", "RollingUpdate"/,
    ),
    invalid(
      statefulSet("db", { updateStrategy: { type: "Big Bang" } }),
      /spec\.updateStrategy: Invalid value: (apps\.StatefulSetUpdateStrategy\{Type:|\{"Type":)"Big Bang",.*must be 'RollingUpdate' or 'OnDelete'/,
    ),
    invalid(
      daemonSet("agent", { updateStrategy: { type: "Big Bang" } }),
      /spec\.updateStrategy: Unsupported value: (apps\.DaemonSetUpdateStrategy\{Type:|\{"Type":)"Big Bang",.*supported values: "RollingUpdate", "OnDelete"/,
    ),
  ],
  "no surge and none unavailable": [
    invalid(
      deployment("web", { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } }),
      /spec\.strategy\.rollingUpdate\.maxUnavailable: Invalid value: .*may not be 0 when `maxSurge` is 0/,
    ),
  ],
  "Recreate with rolling parameters": [
    invalid(
      deployment("web", { strategy: { type: "Recreate", rollingUpdate: { maxSurge: 1 } } }),
      /spec\.strategy\.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'/,
    ),
  ],
  "what may not change in a stateful set": [
    given(statefulSet("db", { replicas: 0 })),
    fails(
      `patch sts db -p '{"spec":{"serviceName":"other"}}'`,
      /spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', (.*)'minReadySeconds' are forbidden/,
    ),
  ],
  "what may not change in a job": [
    given(job("once", "true")),
    fails(`patch job once -p '{"spec":{"template":{"spec":{"containers":[{"name":"main","image":"x"}]}}}}'`, /spec\.template: Invalid value: [\s\S]*field is immutable/),
  ],
  "ports of services: none": badPort([], /spec\.ports: Required value/),
  "ports of services: no names": badPort([{ port: 80 }, { port: 81 }], /spec\.ports\[0\]\.name: Required value/),
  "ports of services: the same": badPort(
    [
      { name: "a", port: 80 },
      { name: "b", port: 80 },
    ],
    /spec\.ports\[1\]: Duplicate value: .*"?port"?/i,
  ),
  "ports of services: out of range": badPort([{ port: 0 }], /spec\.ports\[0\]\.port: Invalid value: 0: must be between 1 and 65535, inclusive/),
  "types of services": [
    invalid(service("web", { type: "Nonsense" }), /spec\.type: Unsupported value: "Nonsense": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"/),
  ],
  "node ports out of range": [
    invalid(
      service("web", { type: "NodePort", ports: [{ port: 80, nodePort: 80 }] }),
      /spec\.ports\[0\]\.nodePort: Invalid value: 80: provided port is not in the valid range\. The range of valid ports is \d+-\d+/,
    ),
  ],
  "a cluster IP that changes": [
    given(service("web")),
    fails(
      `patch svc web -p '{"spec":{"clusterIP":"10.255.255.254","clusterIPs":["10.255.255.254"]}}'`,
      /spec\.clusterIPs?(\[0\])?: Invalid value: .*(may not change once set|field is immutable)/,
    ),
  ],
  schedules: [invalid(cronJob("tick", { schedule: "* *" }), /spec\.schedule: Invalid value: "\* \*": expected exactly 5 fields, found 2: \[\* \*\]/)],
  "access modes of claims": [
    invalid(
      manifest("v1 PersistentVolumeClaim", "c", { spec: { resources: { requests: { storage: "1Gi" } } } }),
      /spec\.accessModes: Required value: at least 1 access mode is required/,
    ),
  ],
  "sizes of claims": [
    invalid(manifest("v1 PersistentVolumeClaim", "c", { spec: { accessModes: ["ReadWriteOnce"], resources: {} } }), /spec\.resources\[storage\]: Required value/),
  ],
  "ingress paths": [
    invalid(
      manifest("networking.k8s.io/v1 Ingress", "web", { spec: { rules: [{ http: { paths: [{ path: "/", backend: { service: { name: "web", port: { number: 80 } } } }] } }] } }),
      /spec\.rules\[0\]\.http\.paths\[0\]\.pathType: Required value: pathType must be specified/,
    ),
  ],
  "rules of roles": [
    invalid(
      manifest("rbac.authorization.k8s.io/v1 Role", "r", { rules: [{ apiGroups: [""], resources: ["pods"] }] }),
      /rules\[0\]\.verbs: Required value: verbs must contain at least one value/,
    ),
  ],
  "secrets in base64": [
    http("POST /api/v1/namespaces/$NS/secrets", 400, { message: /illegal base64 data at input byte/ }, { body: manifest("v1 Secret", "s", { data: { a: "not base64!" } }) }),
  ],
  "tls secrets": [invalid(manifest("v1 Secret", "s", { type: "kubernetes.io/tls", data: {} }), /data\[tls\.crt\]: Required value/)],
  "config maps that are too large": [invalid(configMap("one", { a: "x".repeat(1_050_000) }), /Too long: (must have at most|may not be more than) 1048576 (characters|bytes)/)],
});

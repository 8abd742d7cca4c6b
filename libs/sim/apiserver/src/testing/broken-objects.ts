import fc from "fast-check";

const container = {
  name: "main",
  image: "x",
  ports: [{ containerPort: 80, name: "http", protocol: "TCP" }],
  env: [
    { name: "A", value: "1" },
    { name: "B", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
  ],
  resources: { limits: { cpu: "1", memory: "64Mi" }, requests: { cpu: "100m" } },
  volumeMounts: [{ name: "v", mountPath: "/v" }],
  livenessProbe: { httpGet: { path: "/", port: "http" }, periodSeconds: 3 },
};
const labels = { app: "web" };
const spec = {
  containers: [container],
  initContainers: [{ name: "init", image: "y" }],
  volumes: [{ name: "v", configMap: { name: "c", items: [{ key: "a", path: "b" }] } }],
  tolerations: [{ key: "k", operator: "Exists" }],
  nodeSelector: { a: "b" },
  priorityClassName: "none",
};
const template = { metadata: { labels }, spec };
const schema = {
  type: "object",
  properties: { spec: { type: "object", properties: { n: { type: "integer", minimum: 1, default: 2 } } } },
};
const version = {
  name: "v1",
  served: true,
  storage: true,
  schema: { openAPIV3Schema: schema },
  additionalPrinterColumns: [{ name: "N", type: "integer", jsonPath: ".spec.n" }],
};
const valid: Readonly<Record<string, object>> = {
  "/api/v1/namespaces/default/pods": { spec },
  "/apis/apps/v1/namespaces/default/deployments": {
    spec: {
      replicas: 1,
      selector: { matchLabels: labels, matchExpressions: [{ key: "app", operator: "Exists" }] },
      template,
      strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: "25%" } },
    },
  },
  "/apis/apps/v1/namespaces/default/statefulsets": {
    spec: {
      serviceName: "s",
      selector: { matchLabels: labels },
      template,
      volumeClaimTemplates: [
        {
          metadata: { name: "d" },
          spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
        },
      ],
    },
  },
  "/apis/batch/v1/namespaces/default/cronjobs": {
    spec: {
      schedule: "* * * * *",
      jobTemplate: { spec: { template: { spec: { ...spec, restartPolicy: "Never" } } } },
    },
  },
  "/api/v1/namespaces/default/services": {
    spec: { type: "NodePort", selector: labels, ports: [{ port: 80, targetPort: "http", nodePort: 30001 }] },
  },
  "/api/v1/namespaces/default/persistentvolumeclaims": {
    spec: {
      accessModes: ["ReadWriteOnce"],
      resources: { requests: { storage: "1Gi" } },
      storageClassName: "x",
    },
  },
  "/api/v1/namespaces/default/resourcequotas": {
    spec: {
      hard: { pods: "0", "requests.cpu": "1", "count/secrets": "1000000" },
      scopeSelector: { matchExpressions: [{ scopeName: "PriorityClass", operator: "In", values: ["x"] }] },
    },
  },
  "/api/v1/namespaces/default/limitranges": {
    spec: {
      limits: [
        { type: "Pod", max: { cpu: "100" } },
        { type: "Container", default: { memory: "1Gi" }, maxLimitRequestRatio: { cpu: "100" } },
      ],
    },
  },
  "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers": {
    spec: {
      scaleTargetRef: { kind: "Deployment", name: "d" },
      maxReplicas: 3,
      metrics: [
        {
          type: "Resource",
          resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 80 } },
        },
      ],
    },
  },
  "/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings": {
    roleRef: { kind: "Role", name: "r" },
    subjects: [{ kind: "User", name: "u" }],
  },
  "/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles": {
    rules: [{ verbs: ["get"], apiGroups: [""], resources: ["pods"] }],
  },
  "/apis/networking.k8s.io/v1/namespaces/default/networkpolicies": {
    spec: {
      podSelector: { matchLabels: labels },
      ingress: [{ from: [{ podSelector: {} }], ports: [{ port: 80 }] }],
    },
  },
  "/apis/networking.k8s.io/v1/namespaces/default/ingresses": {
    spec: {
      rules: [
        {
          host: "a.b",
          http: {
            paths: [
              { path: "/", pathType: "Prefix", backend: { service: { name: "s", port: { number: 80 } } } },
            ],
          },
        },
      ],
    },
  },
  "/apis/policy/v1/namespaces/default/poddisruptionbudgets": {
    spec: { minAvailable: 1, selector: { matchLabels: labels } },
  },
  "/apis/chaos-mesh.org/v1alpha1/namespaces/default/stresschaos": {
    spec: { mode: "one", selector: { labelSelectors: labels }, stressors: { cpu: { workers: 1 } } },
  },
  "/apis/chaos-mesh.org/v1alpha1/namespaces/default/networkchaos": {
    spec: {
      mode: "one",
      action: "delay",
      selector: { labelSelectors: labels },
      delay: { latency: "1s" },
      direction: "to",
    },
  },
  "/apis/apiextensions.k8s.io/v1/customresourcedefinitions": {
    metadata: { name: "fuzzes.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "fuzzes", kind: "Fuzz", shortNames: ["fz"] },
      versions: [version],
    },
  },
};

type Steps = readonly string[];

function pathsIn(value: unknown, steps: Steps = []): Steps[] {
  if (typeof value !== "object" || value === null) return [steps];
  return [steps, ...Object.entries(value).flatMap(([key, inner]) => pathsIn(inner, [...steps, key]))];
}

function replaced(value: unknown, [step, ...rest]: Steps, by: unknown): unknown {
  if (step === undefined) return by;
  if (Array.isArray(value))
    return value.map((item, index) => (String(index) === step ? replaced(item, rest, by) : item));
  const fields = value as Record<string, unknown>;
  return { ...fields, [step]: replaced(fields[step], rest, by) };
}

const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 1 }),
  fc.constantFrom(null, [], {}, [null], [{}], "", -1, 1e300, "1e999", "100%"),
);

/** A valid object with one value replaced by something else. */
interface BrokenObject {
  /** The collection that it is posted to. */
  readonly url: string;
  /** Steps to the value, with blanks between. */
  readonly steps: string;
  readonly value: unknown;
}

/** Draws a valid object of one of many kinds and replaces one of its values. For fast-check. */
export const brokenObject: fc.Arbitrary<BrokenObject> = fc
  .constantFrom(...Object.entries(valid))
  .chain(([url, object]) => {
    const paths = pathsIn(object).filter((steps) => steps.length > 0);
    const steps = fc.constantFrom(...paths).map((path) => path.join(" "));
    return fc.record({ url: fc.constant(url), steps, value: anything });
  });

/** The body of its request. */
export function brokenBody({ url, steps, value }: BrokenObject, name: string): string {
  const whole = { metadata: { name }, ...valid[url] };
  return JSON.stringify(replaced(whole, steps.split(" "), value));
}

/** kubectl's short names -> where a kind is served. `global`: it has no namespace. */
const kinds = {
  pod: ["v1", "pods"],
  svc: ["v1", "services"],
  cm: ["v1", "configmaps"],
  secret: ["v1", "secrets"],
  sa: ["v1", "serviceaccounts"],
  rc: ["v1", "replicationcontrollers"],
  ep: ["v1", "endpoints"],
  event: ["v1", "events"],
  pvc: ["v1", "persistentvolumeclaims"],
  quota: ["v1", "resourcequotas"],
  limits: ["v1", "limitranges"],
  ns: ["v1", "namespaces", "global"],
  node: ["v1", "nodes", "global"],
  pv: ["v1", "persistentvolumes", "global"],
  deploy: ["apps/v1", "deployments"],
  rs: ["apps/v1", "replicasets"],
  sts: ["apps/v1", "statefulsets"],
  ds: ["apps/v1", "daemonsets"],
  revision: ["apps/v1", "controllerrevisions"],
  job: ["batch/v1", "jobs"],
  cj: ["batch/v1", "cronjobs"],
  hpa: ["autoscaling/v2", "horizontalpodautoscalers"],
  pdb: ["policy/v1", "poddisruptionbudgets"],
  slice: ["discovery.k8s.io/v1", "endpointslices"],
  ing: ["networking.k8s.io/v1", "ingresses"],
  netpol: ["networking.k8s.io/v1", "networkpolicies"],
  role: ["rbac.authorization.k8s.io/v1", "roles"],
  rolebinding: ["rbac.authorization.k8s.io/v1", "rolebindings"],
  clusterrole: ["rbac.authorization.k8s.io/v1", "clusterroles", "global"],
  pc: ["scheduling.k8s.io/v1", "priorityclasses", "global"],
  csr: ["certificates.k8s.io/v1", "certificatesigningrequests", "global"],
  sc: ["storage.k8s.io/v1", "storageclasses", "global"],
  lease: ["coordination.k8s.io/v1", "leases"],
  crd: ["apiextensions.k8s.io/v1", "customresourcedefinitions", "global"],
  stresschaos: ["chaos-mesh.org/v1alpha1", "stresschaos"],
  networkchaos: ["chaos-mesh.org/v1alpha1", "networkchaos"],
  iochaos: ["chaos-mesh.org/v1alpha1", "iochaos"],
  podchaos: ["chaos-mesh.org/v1alpha1", "podchaos"],
  dnschaos: ["chaos-mesh.org/v1alpha1", "dnschaos"],
  timechaos: ["chaos-mesh.org/v1alpha1", "timechaos"],
  httpchaos: ["chaos-mesh.org/v1alpha1", "httpchaos"],
  podnetworkchaos: ["chaos-mesh.org/v1alpha1", "podnetworkchaos"],
  podiochaos: ["chaos-mesh.org/v1alpha1", "podiochaos"],
  schedule: ["chaos-mesh.org/v1alpha1", "schedules"],
} as const satisfies Record<string, readonly [string, string, "global"?]>;

export type KindName = keyof typeof kinds;
/** `pod` or `pod?labelSelector=app=web` for those of a namespace, `pod/web` for one. */
export type Ref = KindName | `${KindName}/${string}` | `${KindName}?${string}`;

/** The API path of what a reference names, in a namespace. */
export function pathOf(ref: Ref, namespace: string): string {
  const [place = "", query] = ref.split("?");
  const [short = "", ...rest] = place.split("/");
  const [version, plural, scope] = kinds[short as KindName] as readonly [string, string, "global"?];
  const root = version === "v1" ? "/api/v1" : `/apis/${version}`;
  const middle = scope ? "" : `/namespaces/${namespace}`;
  const path = [`${root}${middle}/${plural}`, ...rest].join("/");
  return query === undefined ? path : `${path}?${query}`;
}

/** Where objects of a manifest's kind are created; kinds that are not listed here count as namespaced. */
export function collectionOf(apiVersion: string, kind: string, namespace: string) {
  const lower = kind.toLowerCase();
  const plurals = [lower, `${lower}s`, `${lower}es`, lower.replace(/y$/, "ies")];
  const entry = Object.entries(kinds).find(
    ([, [at, plural]]) => at === apiVersion && plurals.includes(plural),
  );
  if (!entry) throw new Error(`kinds.ts does not know ${apiVersion} ${kind}`);
  const [name, [, , scope]] = entry as [KindName, readonly [string, string, "global"?]];
  return { path: pathOf(name, namespace), global: scope === "global" };
}

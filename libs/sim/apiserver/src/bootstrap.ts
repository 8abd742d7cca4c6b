import {
  defaultObject,
  definitionsRef,
  initialStatus,
  type ResourceType,
  settledStatus,
} from "@microremed/sim-kinds";
import type { NewObject, ResourceRef } from "@microremed/sim-objects";
import type { Store } from "@microremed/sim-store";

const rbacGroup = "rbac.authorization.k8s.io";
const core = (resource: string): ResourceRef => ({ group: "", resource });
const rbac = (resource: string): ResourceRef => ({ group: rbacGroup, resource });

const readVerbs = ["get", "list", "watch"];
const writeVerbs = ["create", "delete", "deletecollection", "patch", "update"];
const groupsOfNamespaces = [
  "",
  "apps",
  "autoscaling",
  "batch",
  "policy",
  "networking.k8s.io",
  "discovery.k8s.io",
];

interface Rule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

const everything: readonly Rule[] = [
  { verbs: ["*"], apiGroups: ["*"], resources: ["*"] },
  { verbs: ["*"], nonResourceURLs: ["*"] },
];
const namespaced = [
  "configmaps",
  "endpoints",
  "endpointslices",
  "events",
  "persistentvolumeclaims",
  "pods",
  "pods/log",
  "pods/status",
  "replicationcontrollers",
  "serviceaccounts",
  "services",
  "controllerrevisions",
  "daemonsets",
  "deployments",
  "deployments/scale",
  "replicasets",
  "replicasets/scale",
  "statefulsets",
  "statefulsets/scale",
  "horizontalpodautoscalers",
  "cronjobs",
  "jobs",
  "poddisruptionbudgets",
  "ingresses",
  "networkpolicies",
  "limitranges",
  "resourcequotas",
];
const readOnly = new Set(["limitranges", "pods/status", "resourcequotas"]);
const view: readonly Rule[] = [
  { verbs: readVerbs, apiGroups: groupsOfNamespaces, resources: namespaced },
  { verbs: readVerbs, apiGroups: [""], resources: ["namespaces"] },
  { verbs: readVerbs, apiGroups: ["metrics.k8s.io"], resources: ["pods"] },
];
const edit: readonly Rule[] = [
  ...view,
  {
    verbs: writeVerbs,
    apiGroups: groupsOfNamespaces,
    resources: namespaced.filter((name) => !readOnly.has(name)),
  },
  { verbs: [...readVerbs, ...writeVerbs], apiGroups: [""], resources: ["secrets"] },
  {
    verbs: ["get", "create"],
    apiGroups: [""],
    resources: ["pods/attach", "pods/exec", "pods/portforward", "pods/eviction", "serviceaccounts/token"],
  },
];
const admin: readonly Rule[] = [
  ...edit,
  { verbs: [...readVerbs, ...writeVerbs], apiGroups: [rbacGroup], resources: ["roles", "rolebindings"] },
];
const discovery: readonly Rule[] = [
  {
    verbs: ["get"],
    nonResourceURLs: [
      "/api",
      "/api/*",
      "/apis",
      "/apis/*",
      "/healthz",
      "/livez",
      "/openapi",
      "/openapi/*",
      "/readyz",
      "/version",
      "/version/",
    ],
  },
];
const basicUser: readonly Rule[] = [
  {
    verbs: ["create"],
    apiGroups: ["authorization.k8s.io"],
    resources: ["selfsubjectaccessreviews", "selfsubjectrulesreviews"],
  },
  { verbs: ["create"], apiGroups: ["authentication.k8s.io"], resources: ["selfsubjectreviews"] },
];

const clusterRoles: Readonly<Record<string, readonly Rule[]>> = {
  "cluster-admin": everything,
  admin,
  edit,
  view,
  "system:discovery": discovery,
  "system:basic-user": basicUser,
};
/** Role -> group that has it everywhere. */
const clusterBindings: Readonly<Record<string, string>> = {
  "cluster-admin": "system:masters",
  "system:discovery": "system:authenticated",
  "system:basic-user": "system:authenticated",
};

const bootstrapLabels = { "kubernetes.io/bootstrapping": "rbac-defaults" };

/**
 * Puts in what every cluster has before anybody uses it: its namespaces, roles and the `kubernetes` service, and the
 * definitions of the installed ones among `kinds`.
 */
export function seedCluster(store: Store, now: () => number, kinds: readonly ResourceType[]): void {
  function put(ref: ResourceRef, object: NewObject): void {
    const { namespace, name = "" } = object.metadata;
    if (store.get(ref, namespace, name)) return;
    const full = defaultObject(ref, object);
    const status = initialStatus(ref, full);
    store.create(ref, Object.keys(status).length > 0 ? { ...full, status } : full);
  }
  for (const name of ["default", "kube-node-lease", "kube-public", "kube-system"]) {
    put(core("namespaces"), { apiVersion: "v1", kind: "Namespace", metadata: { name } });
  }
  for (const { installed } of kinds) {
    if (!installed) continue;
    const definition = defaultObject(definitionsRef, installed.definition);
    if (store.get(definitionsRef, undefined, definition.metadata.name ?? "")) continue;
    store.create(definitionsRef, {
      ...definition,
      status: settledStatus(store, definition, undefined, now()),
    });
  }
  const apiVersion = `${rbacGroup}/v1`;
  for (const [name, rules] of Object.entries(clusterRoles)) {
    put(rbac("clusterroles"), {
      apiVersion,
      kind: "ClusterRole",
      metadata: { name, labels: bootstrapLabels },
      rules,
    });
  }
  for (const [name, group] of Object.entries(clusterBindings)) {
    put(rbac("clusterrolebindings"), {
      apiVersion,
      kind: "ClusterRoleBinding",
      metadata: { name, labels: bootstrapLabels },
      roleRef: { apiGroup: rbacGroup, kind: "ClusterRole", name },
      subjects: [{ kind: "Group", apiGroup: rbacGroup, name: group }],
    });
  }
  put(core("services"), {
    apiVersion: "v1",
    kind: "Service",
    metadata: {
      name: "kubernetes",
      namespace: "default",
      labels: { component: "apiserver", provider: "kubernetes" },
    },
    spec: {
      clusterIP: "10.96.0.1",
      clusterIPs: ["10.96.0.1"],
      ports: [{ name: "https", port: 443, protocol: "TCP", targetPort: 6443 }],
    },
  });
}

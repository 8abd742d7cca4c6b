import type { CustomResource } from "./custom-resources.ts";
import type { KubeObject } from "./kube-object.ts";

/** The harness's own namespace on every cluster: the prober, the arenas' records, causes of concealed faults. */
export const harnessNamespace = "microremed";

/**
 * The namespace of the agents' accounts. A token, every refusal and `kubectl auth whoami` show an account's name and
 * namespace to the agent, so neither may give away that this is a trial, nor what is concealed.
 */
export const accountsNamespace = "operators";

/** Marks what the harness made. */
export const managedLabels = { "app.kubernetes.io/managed-by": "microremed" } as const;

/** On what the harness keeps for an arena outside of it: the arena's namespace. */
export const arenaLabel = "microremed.io/arena";

/** The labels of what the harness keeps for an arena outside of it. `arena` is the arena's namespace. */
export function labelsOf(arena: string): Readonly<Record<string, string>> {
  return { ...managedLabels, [arenaLabel]: arena };
}

/**
 * The quota that the operators of an arena keep: agents may change and delete a quota of this name, and none of another,
 * such as the harness's own, which bounds what they make.
 */
export const operatorsQuota = "compute-resources";

/** The Roles that the operators of an arena keep, of programs of the system: agents may read and change those of these names. */
export const operatorsRoles = { cleaner: "archive-cleaner", reader: "settings-reader" } as const;

const webhookKinds = ["mutatingwebhookconfigurations", "validatingwebhookconfigurations"];

/**
 * What an arena's own configuration of admission webhooks is called, which its agents may change and delete. It is of no
 * namespace, so each arena has a name of its own.
 */
export const webhooksOf = (namespace: string): string => `${namespace}-pod-policy`;

/** Where CoreDNS, the name server of a cluster, has its Corefile, as kubeadm installs it. */
export const nameServerConfig = { namespace: "kube-system", name: "coredns", key: "Corefile" } as const;

const rbacGroup = "rbac.authorization.k8s.io";
const rbac = `${rbacGroup}/v1`;
const read = ["get", "list", "watch"];
const all = ["*"];

const rule = (apiGroups: string[], resources: string[], verbs: string[], resourceNames?: string[]) => ({
  apiGroups,
  resources,
  verbs,
  ...(resourceNames && { resourceNames }),
});

/** Their status is their controllers': who writes it could make a pod out to be evicted. */
const workloadResources: Readonly<Record<string, string[]>> = {
  apps: [
    ...["deployments", "statefulsets", "daemonsets", "replicasets", "controllerrevisions"],
    ...["deployments/scale", "statefulsets/scale", "replicasets/scale"],
  ],
  batch: ["jobs", "cronjobs"],
  autoscaling: ["horizontalpodautoscalers"],
  policy: ["poddisruptionbudgets"],
  "networking.k8s.io": ["networkpolicies", "ingresses"],
};
const workloadGroups = Object.keys(workloadResources);
const faultGroup = "chaos-mesh.org";
const coreResources = [
  "pods",
  "services",
  "endpoints",
  "configmaps",
  "persistentvolumeclaims",
  "replicationcontrollers",
];
const podActions = ["exec", "attach", "portforward", "eviction", "ephemeralcontainers", "resize"].map(
  (action) => `pods/${action}`,
);

/** What a playbook may do in its arena: everything about workloads, nothing about rights. */
const agentRules = [
  ...Object.entries(workloadResources).map(([group, resources]) => rule([group], resources, all)),
  rule(workloadGroups, all, read),
  rule([""], [...coreResources, "secrets", ...podActions], all),
  rule([""], ["pods/log", "pods/status", "events", "serviceaccounts", "resourcequotas", "limitranges"], read),
  rule([""], ["resourcequotas"], ["update", "patch", "delete"], [operatorsQuota]),
  // The API server refuses to give a right that its giver does not hold.
  rule([rbacGroup], ["roles"], ["get", "update", "patch"], Object.values(operatorsRoles)),
  rule(["discovery.k8s.io"], ["endpointslices"], read),
  rule(["events.k8s.io"], ["events"], read),
  rule(["metrics.k8s.io"], ["pods"], read),
];

/** What a probe may do: read, and run commands in pods. Secrets stay closed: probe output goes to a model. */
const probeRules = [
  rule(workloadGroups, all, read),
  rule(
    [""],
    [
      ...coreResources,
      "pods/log",
      "pods/status",
      "events",
      "serviceaccounts",
      "resourcequotas",
      "limitranges",
    ],
    read,
  ),
  rule([""], ["pods/exec"], ["get", "create"]),
  rule([rbacGroup], ["roles"], ["get"], Object.values(operatorsRoles)),
  rule(["discovery.k8s.io"], ["endpointslices"], read),
  rule(["events.k8s.io"], ["events"], read),
  rule(["metrics.k8s.io"], ["pods"], read),
];

const admissionGroup = "admissionregistration.k8s.io";
const nodeRules = [
  rule([""], ["nodes"], read),
  rule(["metrics.k8s.io"], ["nodes"], read),
  rule([admissionGroup], webhookKinds, read),
];
/** The namespaces of a cluster show whose they are: not for an agent that is to take the arena for any other system. */
const openRules = [rule([""], ["namespaces"], read)];

/** Who gets rights in an arena. */
export interface AgentOptions {
  /** A probe's rights instead of a playbook's. */
  readonly readOnly: boolean;
  /** Faults are neither to be seen nor to be changed. */
  readonly concealed?: boolean;
  /** Kinds of the arena's own system, which are as its workloads are. Default: none. */
  readonly customResources?: readonly CustomResource[];
  /** The arena has the cluster's name server for itself: its Corefile is the operators', too. Default: false. */
  readonly ownNameServer?: boolean;
  /** An account beside the standing one, that ends with the run that it is made for (see `run-access`). */
  readonly forOneRun?: boolean;
}

/** Of the names of accounts that end with their run. */
export const runSuffix = "-run";

function rulesFor({ readOnly, concealed = false, customResources = [] }: AgentOptions) {
  const custom = customResources.map(({ apiVersion, plural }) => {
    const [group = ""] = apiVersion.split("/");
    return readOnly ? rule([group], [plural], read) : rule([group], [plural, `${plural}/scale`], all);
  });
  const rules = [...(readOnly ? probeRules : agentRules), ...custom];
  return concealed ? rules : [...rules, rule([faultGroup], all, readOnly ? read : all)];
}

const roleRef = (kind: string, name: string) => ({ apiGroup: rbacGroup, kind, name });

/** Of no namespace, and for each arena others. */
function webhookRights(namespace: string, account: string): KubeObject[] {
  const name = `microremed-webhooks-${namespace}`;
  const labels = labelsOf(namespace);
  const verbs = ["update", "patch", "delete"];
  return [
    {
      apiVersion: rbac,
      kind: "ClusterRole",
      metadata: { name, labels },
      rules: [rule([admissionGroup], webhookKinds, verbs, [webhooksOf(namespace)])],
    },
    {
      apiVersion: rbac,
      kind: "ClusterRoleBinding",
      metadata: { name: `microremed-webhooks-${account}`, labels },
      subjects: [{ kind: "ServiceAccount", name: account, namespace: accountsNamespace }],
      roleRef: roleRef("ClusterRole", name),
    },
  ];
}

/** The Corefile of the cluster's name server, which is in another namespace. */
function nameServerRights(arena: string, account: string, readOnly: boolean): KubeObject[] {
  const { namespace } = nameServerConfig;
  const name = `microremed-names-${account}`;
  const labels = labelsOf(arena);
  const verbs = readOnly ? ["get"] : ["get", "update", "patch"];
  return [
    {
      apiVersion: rbac,
      kind: "Role",
      metadata: { name, namespace, labels },
      rules: [rule([""], ["configmaps"], verbs, [nameServerConfig.name])],
    },
    {
      apiVersion: rbac,
      kind: "RoleBinding",
      metadata: { name, namespace, labels },
      subjects: [{ kind: "ServiceAccount", name: account, namespace: accountsNamespace }],
      roleRef: roleRef("Role", name),
    },
  ];
}

/**
 * Concealed and open access are different accounts, so that no right of the one is left to the other. Agents see the names
 * of accounts, not those of roles.
 */
function namesFor({ readOnly, concealed = false, forOneRun = false }: AgentOptions) {
  const suffix = concealed ? "-concealed" : "";
  const role = `microremed-${readOnly ? "probe" : "agent"}${suffix}`;
  const [reader, writer] = concealed ? ["viewer", "operator"] : ["probe", "agent"];
  return { who: readOnly ? reader : writer, role, suffix, run: forOneRun ? runSuffix : "" };
}

/** The account of an arena's agent and every object that gives it its rights, in the order to apply them. */
export function agentObjects(
  namespace: string,
  options: AgentOptions,
): { account: string; objects: readonly KubeObject[] } {
  const { who, role, suffix, run } = namesFor(options);
  const account = `${who}-${namespace}${run}`;
  const clusterRole = `microremed-agent-nodes${suffix}`;
  const labels = managedLabels;
  const subjects = [{ kind: "ServiceAccount", name: account, namespace: accountsNamespace }];
  return {
    account,
    objects: [
      { apiVersion: "v1", kind: "Namespace", metadata: { name: accountsNamespace, labels } },
      {
        apiVersion: "v1",
        kind: "ServiceAccount",
        metadata: { name: account, namespace: accountsNamespace, labels: labelsOf(namespace) },
      },
      {
        apiVersion: rbac,
        kind: "Role",
        metadata: { name: role, namespace, labels },
        rules: rulesFor(options),
      },
      {
        apiVersion: rbac,
        kind: "RoleBinding",
        metadata: { name: `${role}${run}`, namespace, labels },
        subjects,
        roleRef: roleRef("Role", role),
      },
      {
        apiVersion: rbac,
        kind: "ClusterRole",
        metadata: { name: clusterRole, labels },
        rules: options.concealed ? nodeRules : [...nodeRules, ...openRules],
      },
      {
        apiVersion: rbac,
        kind: "ClusterRoleBinding",
        metadata: { name: `microremed-${account}`, labels: labelsOf(namespace) },
        subjects,
        roleRef: roleRef("ClusterRole", clusterRole),
      },
      ...(options.readOnly ? [] : webhookRights(namespace, account)),
      ...(options.ownNameServer ? nameServerRights(namespace, account, options.readOnly) : []),
    ],
  };
}

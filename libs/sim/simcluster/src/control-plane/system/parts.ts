import type { NewObject } from "@microremed/sim-objects";

/** What the control plane's own images are tagged with: the version that the cluster claims to be. */
export const kubernetesVersion = "v1.31.4";

/** Where a part of the cluster lives. */
export const systemNamespace = "kube-system";

type Body = Readonly<Record<string, unknown>>;

/** `kind` is `apiVersion Kind`. */
export function object(kind: string, metadata: NewObject["metadata"], body: Body = {}): NewObject {
  const [apiVersion = "", name = ""] = kind.split(" ");
  return { apiVersion, kind: name, metadata, ...body };
}

const rbac = "rbac.authorization.k8s.io";

/** The account of a part, with a role of its own everywhere. */
export function account(
  namespace: string,
  name: string,
  role: string,
  rules: readonly Body[],
): readonly NewObject[] {
  return [
    object("v1 ServiceAccount", { name, namespace }),
    object(`${rbac}/v1 ClusterRole`, { name: role }, { rules }),
    object(
      `${rbac}/v1 ClusterRoleBinding`,
      { name: role },
      {
        roleRef: { apiGroup: rbac, kind: "ClusterRole", name: role },
        subjects: [{ kind: "ServiceAccount", name, namespace }],
      },
    ),
  ];
}

/** A rule of a role, with the usual verbs of a reader. */
export const reads = (
  apiGroup: string,
  resources: readonly string[],
  verbs = ["get", "list", "watch"],
): Body => ({
  apiGroups: [apiGroup],
  resources,
  verbs,
});

/** A Deployment or DaemonSet whose pods have the labels that it selects by. */
export function workload(
  kind: "Deployment" | "DaemonSet",
  {
    name,
    namespace,
    labels = {},
  }: { name: string; namespace: string; labels?: Readonly<Record<string, string>> },
  selected: Readonly<Record<string, string>>,
  { pod, ...spec }: Body & { readonly pod: Body },
): NewObject {
  return object(
    `apps/v1 ${kind}`,
    { name, namespace, labels: { ...selected, ...labels } },
    {
      spec: {
        selector: { matchLabels: selected },
        template: { metadata: { labels: selected }, spec: pod },
        ...spec,
      },
    },
  );
}

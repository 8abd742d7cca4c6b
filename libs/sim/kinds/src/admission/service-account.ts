import { createHash } from "node:crypto";
import { forbidden, type Loose, type NewObject } from "@microremed/sim-objects";
import type { Store } from "@microremed/sim-store";

const accounts = { group: "", resource: "serviceaccounts" };
const pods = { group: "", resource: "pods" };
const mountPath = "/var/run/secrets/kubernetes.io/serviceaccount";
/** On what a kubelet reports of a static pod: no account has a part in it. */
const mirror = "kubernetes.io/config.mirror";
const nameAlphabet = "bcdfghjklmnpqrstvwxz2456789";

const projected = {
  defaultMode: 420,
  sources: [
    { serviceAccountToken: { expirationSeconds: 3607, path: "token" } },
    { configMap: { items: [{ key: "ca.crt", path: "ca.crt" }], name: "kube-root-ca.crt" } },
    {
      downwardAPI: {
        items: [{ fieldRef: { apiVersion: "v1", fieldPath: "metadata.namespace" }, path: "namespace" }],
      },
    },
  ],
};

/** A name in the form of generated ones, but derived from the pod and its place in history. */
function volumeName(pod: NewObject, resourceVersion: number): string {
  const { namespace, name, generateName } = pod.metadata;
  const digest = createHash("sha256")
    .update(`${namespace}/${name ?? generateName}/${resourceVersion}`)
    .digest();
  const letters = [...digest.subarray(0, 5)].map((byte) => nameAlphabet[byte % nameAlphabet.length]);
  return `kube-api-access-${letters.join("")}`;
}

/**
 * What the ServiceAccount admission does: throws 403 for an account that does not exist, and mounts its token. The
 * default account is taken on trust: it comes a moment after its namespace.
 */
export function withServiceAccount(store: Store, pod: NewObject): NewObject {
  const { namespace, name, generateName = "", annotations } = pod.metadata;
  if (annotations?.[mirror] !== undefined) return pod;
  const accountName: string = pod.spec?.serviceAccountName ?? "default";
  const account = store.get(accounts, namespace, accountName);
  if (!account && accountName !== "default") {
    throw forbidden(
      pods,
      name ?? generateName,
      `error looking up service account ${namespace}/${accountName}: serviceaccount ${JSON.stringify(accountName)} not found`,
    );
  }
  const pullSecrets = account?.["imagePullSecrets"];
  const spec =
    pullSecrets && !pod.spec.imagePullSecrets ? { ...pod.spec, imagePullSecrets: pullSecrets } : pod.spec;
  const mounts = spec.automountServiceAccountToken ?? account?.["automountServiceAccountToken"] ?? true;
  return { ...pod, spec: mounts ? withToken(spec, volumeName(pod, store.resourceVersion)) : spec };
}

function withToken(spec: Loose, volume: string): Loose {
  let used = false;
  const mount = { name: volume, readOnly: true, mountPath };
  const mounted = (list: Loose): Loose =>
    list?.map((container: Loose) => {
      const { volumeMounts = [] } = container;
      if (volumeMounts.some((each: Loose) => each.mountPath === mountPath)) return container;
      used = true;
      return { ...container, volumeMounts: [...volumeMounts, mount] };
    });
  const { containers, initContainers } = spec;
  const next = {
    ...spec,
    containers: mounted(containers),
    ...(initContainers && { initContainers: mounted(initContainers) }),
  };
  return used ? { ...next, volumes: [...(spec.volumes ?? []), { name: volume, projected }] } : spec;
}

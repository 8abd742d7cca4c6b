import type { Cluster } from "../../cluster.types.ts";
import { kinds } from "../../kinds.ts";
import type { KubeObject } from "../../kube-object.ts";

export const namespace = "shop";

export const aConfigMap = (name: string, data: Record<string, string> = {}, labels = {}): KubeObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace, labels },
  data,
});

/** A Deployment whose pods print a line and then do nothing for a long time. */
export const aWorkload = (name: string, replicas = 1): KubeObject => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name, namespace },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: {
        containers: [
          { name: "main", image: "busybox:1.36", command: ["sh", "-c", "echo one; echo two; sleep 1000000"] },
        ],
      },
    },
  },
});

export async function makeNamespace(cluster: Cluster, name = namespace): Promise<void> {
  await cluster.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
}

/** Applies a Deployment and waits for its pods; returns the name of one. */
export async function runWorkload(cluster: Cluster, name: string, replicas = 1): Promise<string> {
  await cluster.apply(aWorkload(name, replicas));
  const pods = await cluster.waitUntil(
    {
      what: `${replicas} running pods`,
      timeoutMs: 120_000,
      namespace,
      kinds: [kinds.pod],
      labelSelector: `app=${name}`,
    },
    (view) => {
      const running = view
        .list(kinds.pod)
        .filter(({ status }) => status?.containerStatuses?.every(({ ready }) => ready));
      return running.length === replicas ? running : undefined;
    },
  );
  return pods[0]?.metadata.name ?? "";
}

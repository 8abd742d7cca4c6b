import { isPodReady } from "@microremed/catalogue";
import {
  type Cluster,
  type ExecResult,
  harnessNamespace,
  isRefused,
  type KubeObject,
  kinds,
  managedLabels,
  type Pod,
} from "@microremed/cluster";
import { AppError, retryable } from "@microremed/core";

const name = "prober";
/** Of the prober's pod. */
export const proberLabels = { ...managedLabels, app: name };
const readyTimeoutMs = 300_000;

const objects: readonly KubeObject[] = [
  { apiVersion: "v1", kind: "Namespace", metadata: { name: harnessNamespace, labels: managedLabels } },
  {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, namespace: harnessNamespace, labels: proberLabels },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: proberLabels },
        spec: {
          terminationGracePeriodSeconds: 0,
          containers: [
            {
              name,
              image: "busybox:1.35",
              command: ["sh", "-c", "while true; do sleep 3600; done"],
              resources: {
                requests: { cpu: "10m", memory: "16Mi" },
                limits: { cpu: "200m", memory: "64Mi" },
              },
              securityContext: { capabilities: { add: ["NET_RAW"] } },
            },
          ],
        },
      },
    },
  },
];

/** Deploys the pod from which the harness probes the arenas' network, if it is missing, and waits until it is Ready. */
export async function ensureProber(cluster: Cluster, signal?: AbortSignal): Promise<void> {
  if (await findProber(cluster)) return;
  for (const object of objects) await cluster.apply(object);
  await cluster.waitUntil(
    {
      what: `the ${harnessNamespace}/${name} pod to be Ready`,
      timeoutMs: readyTimeoutMs,
      namespace: harnessNamespace,
      kinds: [kinds.pod],
      labelSelector: `app=${name}`,
      ...(signal && { signal }),
    },
    (view) => view.list(kinds.pod).find(isPodReady),
  );
}

async function findProber(cluster: Cluster): Promise<Pod | undefined> {
  const pods = await cluster.list(kinds.pod, { namespace: harnessNamespace, labelSelector: `app=${name}` });
  return pods.find(isPodReady);
}

const known = new WeakMap<Cluster, string>();

/**
 * Runs a shell script in the prober, holding the clock while it runs: between measurements time need not fly, so that a
 * busy machine makes no verdict late. What goes wrong with the prober itself is the harness's fault: retryable.
 */
export async function runInProber(cluster: Cluster, script: string, timeoutMs: number): Promise<ExecResult> {
  await using _hold = await cluster.clock.hold();
  const run = async (): Promise<ExecResult> => {
    const pod = known.get(cluster) ?? (await findProber(cluster))?.metadata.name;
    if (pod === undefined) {
      throw retryable(
        "cluster-unreachable",
        `the prober pod in namespace ${harnessNamespace} of cluster ${cluster.name} is not Ready; is an injector preparing arenas there?`,
      );
    }
    known.set(cluster, pod);
    const command = ["sh", "-c", script];
    return await cluster.exec({ namespace: harnessNamespace, pod, container: name, command, timeoutMs });
  };
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "cluster-refused") throw error;
    // The pod of last time is gone: look for its successor, once.
    known.delete(cluster);
    return await run().catch((second: unknown) => {
      throw isRefused(second, 404)
        ? retryable("cluster-unreachable", `the prober of cluster ${cluster.name} vanished`)
        : second;
    });
  }
}

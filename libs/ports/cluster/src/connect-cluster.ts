import type { ClusterEntry } from "@microremed/contracts";
import { type Logger, wallClock } from "@microremed/core";
import { createAgentAccess } from "./agent-access.ts";
import type { Cluster, ContainerSample, Patch } from "./cluster.types.ts";
import { createClusterClock } from "./cluster-clock.ts";
import { isRefused } from "./cluster-errors.ts";
import { execInPod } from "./exec-in-pod.ts";
import { pathOf } from "./kinds.ts";
import type { Kind, KubeObject } from "./kube-object.ts";
import { readSeries } from "./prometheus/query-prometheus.ts";
import { parseQuantity } from "./quantity.ts";
import { readKubeConfig } from "./read-kube-config.ts";
import { openRunAccess } from "./run-access.ts";
import { createTransport, type Transport } from "./transport.ts";
import { waitUntil } from "./wait-until.ts";

const prometheusMs = 30_000;
const fieldManager = "microremed";
const patchTypes: Readonly<Record<Patch["type"], string>> = {
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
  json: "application/json-patch+json",
};

/** Reads the entry's kubeconfig; the first call to the API server is the caller's. */
export async function connectCluster(entry: ClusterEntry, { log }: { log: Logger }): Promise<Cluster> {
  const transport = await createTransport(entry.name, () => readKubeConfig(entry.kubeconfig, entry.context));
  const clock =
    entry.clock === undefined ? wallClock : createClusterClock(entry.name, entry.clock, transport, log);
  const { prometheus } = entry;
  const objects = createObjectCalls(transport);
  const cluster: Cluster = {
    ...objects,
    name: entry.name,
    clock,
    ...(prometheus !== undefined && {
      prometheus: (query: string) => readSeries(prometheus, query, prometheusMs),
    }),
    waitUntil: (options, look, describe) => waitUntil(transport, clock, options, look, describe),
    exec: (options) => execInPod(entry.name, transport, options),
    fetchText: ({ kind, namespace, name, port }, path) =>
      transport.read(`/api/v1/namespaces/${namespace}/${kind}/${name}:${port}/proxy${path}`),
    podMetrics: (namespace, labelSelector) => readPodMetrics(transport, namespace, labelSelector),
    agentKubeconfig: (namespace, options) => agentAccess(namespace, options),
    runAccess: (namespace, options) => openRunAccess(cluster, transport, namespace, options),
    [Symbol.asyncDispose]: async () => transport.close(),
  };
  const agentAccess = createAgentAccess(cluster, transport);
  return cluster;
}

function kindOf(object: KubeObject): Kind {
  const { apiVersion, kind } = object;
  if (apiVersion === undefined || kind === undefined) {
    throw new TypeError(`object ${object.metadata.name} has no apiVersion or kind`);
  }
  return { apiVersion, kind };
}

type ObjectCalls = Pick<Cluster, "get" | "list" | "apply" | "create" | "replace" | "patch" | "delete">;

function createObjectCalls(transport: Transport): ObjectCalls {
  const pathTo = (object: KubeObject): string =>
    pathOf(kindOf(object), object.metadata.namespace, object.metadata.name);
  return {
    async get<T extends KubeObject>(kind: Kind<T>, namespace: string | undefined, name: string) {
      try {
        return await transport.call<T>("GET", pathOf(kind, namespace, name));
      } catch (error) {
        if (isRefused(error, 404)) return undefined;
        throw error;
      }
    },
    async list<T extends KubeObject>(kind: Kind<T>, scope: { namespace?: string; labelSelector?: string }) {
      const query = { labelSelector: scope.labelSelector };
      try {
        const answer = await transport.call<{ items?: T[] }>("GET", pathOf(kind, scope.namespace), { query });
        // Items of a list come without apiVersion and kind.
        return (answer.items ?? []).map((item) => ({
          ...item,
          apiVersion: kind.apiVersion,
          kind: kind.kind,
        }));
      } catch (error) {
        if (isRefused(error, 404)) return [];
        throw error;
      }
    },
    apply: (object) =>
      transport.call("PATCH", pathTo(object), {
        query: { fieldManager, force: true },
        body: object,
        contentType: "application/apply-patch+yaml",
        repeatable: true,
      }),
    create: (object) =>
      transport.call("POST", pathOf(kindOf(object), object.metadata.namespace), {
        query: { fieldManager },
        body: object,
      }),
    replace: (object) => transport.call("PUT", pathTo(object), { query: { fieldManager }, body: object }),
    patch: (kind, namespace, name, { type, body }) =>
      transport.call("PATCH", pathOf(kind, namespace, name), {
        query: { fieldManager },
        body,
        contentType: patchTypes[type],
        repeatable: type !== "json",
      }),
    async delete(kind, namespace, name, { gracePeriodSeconds, propagation = "Background", only } = {}) {
      try {
        await transport.call("DELETE", pathOf(kind, namespace, name), {
          body: {
            kind: "DeleteOptions",
            apiVersion: "v1",
            propagationPolicy: propagation,
            ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
            ...(only && { preconditions: only }),
          },
        });
        return true;
      } catch (error) {
        if (isRefused(error, 404)) return false;
        throw error;
      }
    },
  };
}

interface PodMetricsList {
  readonly items?: readonly {
    readonly metadata: { readonly name: string };
    readonly timestamp?: string;
    readonly window?: string;
    readonly containers?: readonly {
      readonly name: string;
      readonly usage?: { readonly cpu?: string; readonly memory?: string };
    }[];
  }[];
}

/** Samples that lack a time or a number are left out: the reader sees them as missing. */
async function readPodMetrics(
  transport: Transport,
  namespace: string,
  labelSelector: string | undefined,
): Promise<readonly ContainerSample[]> {
  const path = `/apis/metrics.k8s.io/v1beta1/namespaces/${namespace}/pods`;
  const answer = await transport.call<PodMetricsList>("GET", path, { query: { labelSelector } });
  return (answer.items ?? []).flatMap((item) =>
    (item.containers ?? []).flatMap((container): ContainerSample[] => {
      const at = Date.parse(item.timestamp ?? "");
      const cpuCores = parseQuantity(container.usage?.cpu);
      const memoryBytes = parseQuantity(container.usage?.memory);
      if (Number.isNaN(at) || cpuCores === undefined || memoryBytes === undefined) return [];
      const windowMs = parseGoDuration(item.window);
      return [{ pod: item.metadata.name, container: container.name, at, windowMs, cpuCores, memoryBytes }];
    }),
  );
}

const unitMs: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };

function parseGoDuration(text = ""): number {
  let total = 0;
  for (const [, digits, unit] of text.matchAll(/([0-9.]+)(ms|h|m|s)/g)) {
    total += Number(digits) * (unitMs[unit ?? ""] ?? 0);
  }
  return total;
}

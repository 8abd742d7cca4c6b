import { asRequest, asWait, type Clock } from "@microremed/core";
import { createAgentAccess } from "./agent-access.ts";
import type { Cluster, LogOptions, Moments, PrometheusSeries } from "./cluster.types.ts";
import { discoverCustomResources } from "./custom-resources.ts";
import { createObjectCalls } from "./object-calls.ts";
import { readPodMetrics } from "./pod-metrics.ts";
import { openRunAccess } from "./run-access.ts";
import type { Transport } from "./transport.types.ts";
import { waitUntil } from "./wait-until.ts";

/** What a driver gives. */
export interface ClusterParts {
  readonly name: string;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly sendsLoad: boolean;
  readonly ownNameServer: boolean;
  readonly prometheus?: (query: string) => Promise<readonly PrometheusSeries[]>;
  readonly moments?: Moments;
}

/** A cluster over whatever carries its requests: the same for every driver. */
export function createCluster(parts: ClusterParts): Cluster {
  const { name, sendsLoad, ownNameServer, prometheus, moments } = parts;
  const transport = accounted(parts.transport);
  const clock = { ...parts.clock, sleep: asWait(parts.clock.sleep) };
  const cluster: Cluster = {
    ...createObjectCalls(transport),
    name,
    clock,
    sendsLoad,
    ownNameServer,
    ...(prometheus && { prometheus }),
    waitUntil: (options, find, describe) => waitUntil(transport, clock, options, find, describe),
    exec: (options) => transport.exec(options),
    logs: (options) => readLogs(transport, options),
    fetchText: ({ kind, namespace, name: server, port }, path) =>
      transport.read(`/api/v1/namespaces/${namespace}/${kind}/${server}:${port}/proxy${path}`),
    customResources: () => discoverCustomResources(transport),
    podMetrics: (namespace, labelSelector) => readPodMetrics(transport, namespace, labelSelector),
    agentKubeconfig: (namespace, options) => agentAccess.kubeconfig(namespace, options),
    ...(moments && {
      moments: {
        save: moments.save,
        goBack: async (moment, salt) => {
          agentAccess.forget();
          return await moments.goBack(moment, salt);
        },
      },
    }),
    runAccess: (namespace, options) => openRunAccess(cluster, transport, namespace, options),
    [Symbol.asyncDispose]: async () => transport.close(),
  };
  const agentAccess = createAgentAccess(cluster, transport);
  return cluster;
}

function readLogs(transport: Transport, { namespace, pod, ...query }: LogOptions): Promise<string> {
  const [inNamespace, ofPod] = [namespace, pod].map(encodeURIComponent);
  return transport.text(`/api/v1/namespaces/${inNamespace}/pods/${ofPod}/log`, query);
}

/** What work asks of the cluster, and how long it watches, is in the account of the work. */
function accounted(transport: Transport): Transport {
  return {
    ...transport,
    call: asRequest(transport.call) as Transport["call"],
    text: asRequest(transport.text),
    read: asRequest(transport.read),
    exec: asRequest(transport.exec),
    watch: asWait(transport.watch),
  };
}

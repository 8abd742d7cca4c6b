import { isWorkload, type TextFile } from "@microremed/catalogue/environment";
import { type Cluster, isRefused, type KubeObject, kinds, type Pod } from "@microremed/cluster";
import { terminal } from "@microremed/core";
import { readInventory } from "@microremed/inventory";
import { NotHere, readTraces } from "@microremed/kubectl/over-cluster";
import { dump } from "js-yaml";
import { cleanObject } from "./clean-object.ts";
import { edgesIn } from "./edges-in.ts";
import { likely } from "./marked.ts";
import type { Observed } from "./observed.ts";
import type { Usage } from "./usage.ts";

/** How long traces are read back, s, and how many at most. */
const tracesSeconds = 3600;
const mostTraces = 1000;
const timeoutMs = 60_000;

/** What an import takes from a running system. */
export interface RunningSystem {
  readonly texts: readonly TextFile[];
  readonly observed: Observed;
  /** What could not be read, a line each. */
  readonly missing: readonly string[];
}

/**
 * A namespace of a running cluster: its objects as manifests, a file for each kind, the use of its containers and the calls that
 * its traces show. `jaeger`: as `<namespace>/<service>:<port>`; undefined: where it usually is. Throws `invalid-request` (terminal) where there
 * is no such namespace.
 */
export async function readCluster(
  cluster: Cluster,
  namespace: string,
  options: { readonly jaeger?: string | undefined; readonly signal: AbortSignal },
): Promise<RunningSystem> {
  const missing: string[] = [];
  const objects = await readInventory(cluster, namespace);
  const own = await cluster.get(kinds.namespace, undefined, namespace).catch(notAllowed);
  if (objects.length === 0 && !own)
    throw terminal(
      "invalid-request",
      `there is no namespace ${namespace} in ${cluster.name}; expected one that \`kubectl get namespaces\` lists`,
    );
  const manifests = [...(own ? [own] : []), ...objects].filter((one) => !isOfHarness(one)).map(cleanObject);
  const texts = [...Map.groupBy(manifests, ({ kind }) => kind)].map(([kind, some]) => ({
    name: `${kind.toLowerCase()}.yaml`,
    text: some.map((one) => dump(one, { noRefs: true, lineWidth: 110 })).join("---\n"),
  }));
  const pods = await cluster.list(kinds.pod, { namespace });
  const names = manifests.filter(isWorkload).map(({ metadata }) => metadata.name);
  const usage = await readUsage(cluster, namespace, pods, names).catch((error: Error) => {
    missing.push(`usage of the containers: ${error.message}`);
    return new Map<string, Usage>();
  });
  const { edges, rate } = await readEdges(cluster, namespace, names, options, missing);
  return {
    texts,
    observed: {
      usage,
      edges,
      ...(rate !== undefined && { requestsPerSecond: likely(rate, "traces of the running system") }),
    },
    missing,
  };
}

/** Who may read a namespace's objects need not be allowed to read it. */
function notAllowed(error: unknown): undefined {
  if (!isRefused(error, 403)) throw error;
  return undefined;
}

/** Objects that this program has put there. */
const isOfHarness = ({ metadata }: KubeObject): boolean =>
  metadata.labels?.["app.kubernetes.io/managed-by"] === "microremed";

async function readUsage(
  cluster: Cluster,
  namespace: string,
  pods: readonly Pod[],
  names: readonly string[],
): Promise<Map<string, Usage>> {
  const samples = await cluster.podMetrics(namespace, "");
  const workloadOf = new Map(pods.map((pod) => [pod.metadata.name, ownerOf(pod, names)]));
  const grouped = Map.groupBy(samples, ({ pod, container }) => `${workloadOf.get(pod)}/${container}`);
  return new Map(
    [...grouped].map(([key, some]): [string, Usage] => [
      key,
      {
        cpuCores: some.reduce((sum, one) => sum + one.cpuCores, 0) / some.length,
        memoryBytes: some.reduce((sum, one) => sum + one.memoryBytes, 0) / some.length,
      },
    ]),
  );
}

/** Pods are called after what made them; of several names the longest. */
function ownerOf({ metadata }: Pod, names: readonly string[]): string | undefined {
  const fitting = names.filter((name) => metadata.name.startsWith(`${name}-`));
  return fitting.toSorted((a, b) => b.length - a.length)[0];
}

async function readEdges(
  cluster: Cluster,
  namespace: string,
  names: readonly string[],
  { jaeger, signal }: { readonly jaeger?: string | undefined; readonly signal: AbortSignal },
  missing: string[],
): Promise<{ readonly edges: Observed["edges"]; readonly rate: number | undefined }> {
  const now = await cluster.clock.now();
  const from = now - tracesSeconds * 1000;
  try {
    const place = { cluster, namespace, jaeger, timeoutMs, signal };
    const traces = await readTraces({ limit: mostTraces }, { now, from, to: now }, place);
    if (traces.length === 0) missing.push("traces of the last hour: there are none");
    return { edges: edgesIn(traces, names).edges, rate: undefined };
  } catch (error) {
    if (!(error instanceof NotHere)) throw error;
    missing.push("traces: the cluster keeps none that can be found; say where its Jaeger is (--jaeger)");
    return { edges: [], rate: undefined };
  }
}

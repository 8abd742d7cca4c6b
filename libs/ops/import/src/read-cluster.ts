import { isWorkload, type TextFile } from "@microremed/catalogue/environment";
import { type Cluster, isRefused, type KubeObject, kinds, type Pod } from "@microremed/cluster";
import { terminal } from "@microremed/core";
import { readInventory } from "@microremed/inventory";
import { type CompactTrace, NotHere, readTraces } from "@microremed/kubectl/over-cluster";
import { dump } from "js-yaml";
import { cleanObject } from "./clean-object.ts";
import { edgesIn, type TracedCalls } from "./edges-in.ts";
import { guess } from "./marked.ts";
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
    return new Map<string, MeanUsage>();
  });
  const { edges, served, rate, seconds } = await readEdges(cluster, namespace, names, options, missing);
  const perSecond = (key: string, { pods: count }: MeanUsage): number | undefined => {
    const requests = served.get(key.split("/")[0] ?? "");
    return requests === undefined || seconds === 0 ? undefined : requests / seconds / count;
  };
  return {
    texts,
    observed: {
      usage: new Map(
        [...usage].map(([key, one]) => [key, { ...one, requestsPerSecond: perSecond(key, one) }]),
      ),
      edges,
      served,
      ...(rate > 0 && {
        requestsPerSecond: guess(rate, "traces of the running system; write more if only a share is traced"),
      }),
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

/** The mean of so many pods. */
interface MeanUsage extends Usage {
  readonly pods: number;
}

async function readUsage(
  cluster: Cluster,
  namespace: string,
  pods: readonly Pod[],
  names: readonly string[],
): Promise<Map<string, MeanUsage>> {
  const samples = await cluster.podMetrics(namespace, "");
  const workloadOf = new Map(pods.map((pod) => [pod.metadata.name, ownerOf(pod, names)]));
  const grouped = Map.groupBy(samples, ({ pod, container }) => `${workloadOf.get(pod)}/${container}`);
  return new Map(
    [...grouped].map(([key, some]): [string, MeanUsage] => [
      key,
      {
        cpuCores: some.reduce((sum, one) => sum + one.cpuCores, 0) / some.length,
        memoryBytes: some.reduce((sum, one) => sum + one.memoryBytes, 0) / some.length,
        pods: some.length,
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
): Promise<TracedCalls & TracedLoad> {
  const now = await cluster.clock.now();
  const from = now - tracesSeconds * 1000;
  try {
    const place = { cluster, namespace, jaeger, timeoutMs, signal };
    const traces = await readTraces({ limit: mostTraces }, { now, from, to: now }, place);
    if (traces.length === 0) missing.push("traces of the last hour: there are none");
    return { ...edgesIn(traces, names), ...loadIn(traces) };
  } catch (error) {
    if (!(error instanceof NotHere)) throw error;
    missing.push("traces: the cluster keeps none that can be found; say where its Jaeger is (--jaeger)");
    return { edges: [], served: new Map(), rate: 0, seconds: 0 };
  }
}

/** How many requests came a second, and over what time; 0: traces do not show it. */
interface TracedLoad {
  readonly rate: number;
  readonly seconds: number;
}

/** Programs make requests by themselves, too: the load is what begins most traces. */
function loadIn(traces: readonly CompactTrace[]): TracedLoad {
  const starts = traces.map(({ start }) => start);
  const seconds =
    starts.length < 2
      ? 0
      : (starts.reduce((a, b) => Math.max(a, b)) - starts.reduce((a, b) => Math.min(a, b))) / 1000;
  if (seconds === 0) return { rate: 0, seconds };
  const byRoot = Map.groupBy(
    traces,
    ({ spans }) => spans.find(([, , , , , parent]) => parent < 0)?.[0] ?? "",
  );
  const most = Math.max(...[...byRoot.values()].map(({ length }) => length));
  return { rate: Math.round((100 * (most - 1)) / seconds) / 100, seconds };
}

import { type KubeObject, parseQuantity } from "@microremed/sim-objects";
import { groupPods, type PodUsage } from "./hpa-pods.ts";

/** Ratios this near to 1 change nothing. */
const tolerance = 0.1;

type ResourceName = "cpu" | "memory";

export interface ResourceMetric {
  readonly resource?: {
    readonly name: ResourceName;
    readonly target: {
      readonly type: string;
      readonly averageUtilization?: number;
      readonly averageValue?: string;
    };
  };
}

export interface Reading {
  /** The size that brings this metric to its target. */
  readonly replicas: number;
  /** As shown in the autoscaler's `currentMetrics`. */
  readonly current: object;
}

/** Why a metric could not be computed, in the controller's words. */
export interface NoReading {
  readonly failure: string;
}

/** What a metric is computed from. */
export interface MetricFacts {
  /** The workload's active pods. */
  readonly pods: readonly KubeObject[];
  readonly usages: readonly PodUsage[];
  /** Replicas now. */
  readonly present: number;
  /** ms since the epoch. */
  readonly now: number;
}

/** Cores or bytes that a pod uses, and in which it is measured: its request, or 1 where the target is a value. */
interface Share {
  readonly used: number;
  readonly of: number;
}

/** What one metric of an autoscaler asks for: kube-controller-manager's replica calculator. */
export function readMetric({ resource }: ResourceMetric, facts: MetricFacts): Reading | NoReading {
  if (!resource) return { failure: "the metric is of no resource" };
  const { name, target } = resource;
  const { averageUtilization } = target;
  const value = parseQuantity(target.averageValue ?? "");
  if (averageUtilization === undefined && value === undefined)
    return {
      failure: `invalid resource metric source: neither a utilization target nor a value target was set`,
    };
  const what = averageUtilization === undefined ? "resource metric value" : "utilization";
  const failed = (why: string): NoReading => ({ failure: `failed to get ${name} ${what}: ${why}` });
  const groups = groupPods(name, facts.pods, facts.usages, facts.now);
  if (groups.ready.size + groups.unready.length === 0 || !facts.pods.some((pod) => isMeasured(pod, facts)))
    return failed(
      `unable to get metrics for resource ${name}: no metrics returned from resource metrics API`,
    );
  if (groups.ready.size === 0)
    return failed("did not receive metrics for targeted pods (pods might be unready)");
  const requests = averageUtilization === undefined ? undefined : requestsOf(facts.pods, name);
  if (typeof requests === "string") return failed(requests);
  const of = (pod: string): number => requests?.get(pod) ?? 1;
  const known = [...groups.ready].map(([pod, used]): Share => ({ used, of: of(pod) }));
  const ratioOf = (shares: readonly Share[]): number =>
    averageUtilization === undefined
      ? averageOf(shares) / (value ?? 1)
      : percentOf(shares) / averageUtilization;
  const ratio = ratioOf(known);
  const guessed = (pods: readonly string[], share: number): Share[] =>
    pods.map((pod) => ({ used: share * of(pod), of: of(pod) }));
  // Going down, unmeasured pods count as fully used; going up, they and those that start count as idle.
  const full = averageUtilization === undefined ? (value ?? 1) : Math.max(100, averageUtilization) / 100;
  const others =
    ratio < 1
      ? guessed(groups.missing, full)
      : ratio > 1
        ? guessed([...groups.missing, ...groups.unready], 0)
        : [];
  return {
    replicas: sizeFor(ratio, others.length === 0 ? ratio : ratioOf([...known, ...others]), {
      pods: known.length + others.length,
      present: facts.present,
    }),
    current: currentOf(name, known, requests !== undefined),
  };
}

const isMeasured = ({ metadata }: KubeObject, { usages }: MetricFacts): boolean =>
  usages.some(({ name }) => name === metadata.name);

const averageOf = (shares: readonly Share[]): number =>
  shares.reduce((sum, { used }) => sum + used, 0) / (shares.reduce((sum, { of }) => sum + of, 0) || 1);

/** Whole percents, as the controller counts: what is in the way of a whole one is a rounding of ours. */
const percentOf = (shares: readonly Share[]): number => Math.floor(100 * averageOf(shares) + 1e-6);

/** The size that a ratio of use to target asks for; guesses about unknown pods must not turn its direction. */
function sizeFor(
  known: number,
  ratio: number,
  { pods, present }: { readonly pods: number; readonly present: number },
): number {
  if (Math.abs(ratio - 1) <= tolerance || known < 1 !== ratio < 1) return present;
  const wanted = Math.ceil(ratio * pods);
  const turns = ratio < 1 ? wanted > present : wanted < present;
  return turns ? present : wanted;
}

/** What each pod requests; a text: which container of which pod has no request. */
function requestsOf(pods: readonly KubeObject[], name: ResourceName): ReadonlyMap<string, number> | string {
  const requests = new Map<string, number>();
  for (const { metadata, spec } of pods) {
    let sum = 0;
    for (const container of spec.containers as readonly Container[]) {
      const { requests: own, limits } = container.resources ?? {};
      // A limit alone is the request, too.
      const request = parseQuantity(own?.[name] ?? limits?.[name] ?? "");
      if (request === undefined)
        return `missing request for ${name} in container ${container.name} of Pod ${metadata.name}`;
      sum += request;
    }
    requests.set(metadata.name, sum);
  }
  return requests;
}

interface Container {
  readonly name: string;
  readonly resources?: Readonly<Partial<Record<"requests" | "limits", Readonly<Record<string, string>>>>>;
}

function currentOf(name: ResourceName, shares: readonly Share[], isUtilization: boolean): object {
  const average = shares.reduce((sum, { used }) => sum + used, 0) / shares.length;
  const averageValue = name === "cpu" ? `${Math.round(1000 * average)}m` : `${Math.round(average)}`;
  const averageUtilization = percentOf(shares);
  const current = { ...(isUtilization && { averageUtilization }), averageValue };
  return { type: "Resource", resource: { name, current } };
}

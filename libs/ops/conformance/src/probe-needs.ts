import type { Feature, Need, Target } from "./case.types.ts";

interface Sign {
  readonly path: string;
  /** Text of the answer. */
  readonly text?: string;
  readonly reason: string;
}

const signs: Readonly<Record<Feature, Sign>> = {
  "chaos-mesh": {
    path: "/apis/chaos-mesh.org/v1alpha1",
    reason: "Chaos Mesh is not installed (no API group chaos-mesh.org/v1alpha1)",
  },
  "metrics-server": {
    path: "/apis/metrics.k8s.io/v1beta1",
    reason: "metrics-server is not installed (no API group metrics.k8s.io/v1beta1)",
  },
  "two-nodes": {
    path: "/api/v1/nodes?limit=1",
    text: '"remainingItemCount"',
    reason: "the cluster has no second node",
  },
  // By its sign: the embedded cluster has it before its version.
  "pod-resize": {
    path: "/api/v1",
    text: '"pods/resize"',
    reason: "the server is older than Kubernetes 1.33 (no subresource pods/resize)",
  },
};

/** Why a cluster lacks what a case needs; undefined: it does not. */
export type Lacking = (need: Need) => string | undefined;

/** Finds what the cluster lacks, by its answers. */
export async function probeNeeds(target: Target): Promise<Lacking> {
  const get = (path: string) => target.http("GET", path, { signal: AbortSignal.timeout(20_000) });
  const missing = new Map<Need, string>();
  for (const [need, { path, text = "", reason }] of Object.entries(signs) as [Feature, Sign][]) {
    const answer = await get(path);
    if (answer.status !== 200 || !answer.text.includes(text)) missing.set(need, reason);
  }
  const version = await get("/version");
  if (version.status !== 200) throw new Error(`GET /version answered ${version.status}: ${version.text}`);
  const { gitVersion } = JSON.parse(version.text) as { gitVersion: string };
  return (need) => missing.get(need) ?? tooOld(need, gitVersion);
}

/** Whether a case needs a later minor version than the server's. */
export function tooOld(need: Need, gitVersion: string): string | undefined {
  const wanted = minorOf(/^Kubernetes (1\.\d+)$/.exec(need)?.[1]);
  const actual = minorOf(/^v(1\.\d+)/.exec(gitVersion)?.[1]);
  return actual < wanted ? `it holds from ${need} on, and the server is ${gitVersion}` : undefined;
}

const minorOf = (version = "1.0"): number => Number(version.split(".")[1]);

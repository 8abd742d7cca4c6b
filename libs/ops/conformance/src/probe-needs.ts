import type { Need, Target } from "./case.types.ts";

interface Sign {
  readonly path: string;
  /** Text of the answer. */
  readonly text?: string;
  readonly reason: string;
}

const signs: Readonly<Record<Need, Sign>> = {
  "chaos-mesh": {
    path: "/apis/chaos-mesh.org/v1alpha1",
    reason: "Chaos Mesh is not installed (no API group chaos-mesh.org/v1alpha1)",
  },
  "metrics-server": {
    path: "/apis/metrics.k8s.io/v1beta1",
    reason: "metrics-server is not installed (no API group metrics.k8s.io/v1beta1)",
  },
  "pod-resize": {
    path: "/api/v1",
    text: '"pods/resize"',
    reason: "the server is older than Kubernetes 1.33 (no subresource pods/resize)",
  },
};

/** What the cluster lacks, and how that is known. */
export async function probeNeeds(target: Target): Promise<ReadonlyMap<Need, string>> {
  const missing = new Map<Need, string>();
  for (const [need, { path, text = "", reason }] of Object.entries(signs) as [Need, Sign][]) {
    const answer = await target.http("GET", path, { signal: AbortSignal.timeout(20_000) });
    if (answer.status !== 200 || !answer.text.includes(text)) missing.set(need, reason);
  }
  return missing;
}

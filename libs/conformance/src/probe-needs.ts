import type { Need, Target } from "./case.types.ts";

const signs: Readonly<Record<Need, { readonly path: string; readonly reason: string }>> = {
  "chaos-mesh": {
    path: "/apis/chaos-mesh.org/v1alpha1",
    reason: "Chaos Mesh is not installed (no API group chaos-mesh.org/v1alpha1)",
  },
  "metrics-server": {
    path: "/apis/metrics.k8s.io/v1beta1",
    reason: "metrics-server is not installed (no API group metrics.k8s.io/v1beta1)",
  },
};

/** What the cluster lacks, and how that is known. */
export async function probeNeeds(target: Target): Promise<ReadonlyMap<Need, string>> {
  const missing = new Map<Need, string>();
  for (const [need, { path, reason }] of Object.entries(signs) as [Need, (typeof signs)[Need]][]) {
    const { status } = await target.http("GET", path, { signal: AbortSignal.timeout(20_000) });
    if (status !== 200) missing.set(need, reason);
  }
  return missing;
}

import { type Cluster, type KubeObject, kinds } from "@microremed/cluster";

/** When the scheduler placed pods: uid of a pod -> resourceVersion of the event that says so, which only controllers write. */
export type PlacedPods = Readonly<Record<string, string>>;

/** What the scheduler's events of a namespace say. Clusters keep events for an hour or so. */
export async function readPlacedPods(cluster: Cluster, namespace: string): Promise<PlacedPods> {
  const events = await cluster.list(kinds.event, { namespace, fieldSelector: "reason=Scheduled" });
  return Object.fromEntries(
    events.flatMap(({ metadata, involvedObject }): [string, string][] =>
      involvedObject?.uid !== undefined && metadata.resourceVersion !== undefined
        ? [[involvedObject.uid, metadata.resourceVersion]]
        : [],
    ),
  );
}

const number = /^\d+$/;

/**
 * Whether a pod was placed after the last write of an object, so that its containers have read nothing older. Times have whole
 * seconds; resourceVersions have the order of all writes. False where it is not known.
 */
export function isPlacedAfter(placed: PlacedPods, pod: KubeObject, { metadata }: KubeObject): boolean {
  const version = placed[pod.metadata.uid ?? ""];
  const written = metadata.resourceVersion ?? "";
  return version !== undefined && number.test(version) && number.test(written)
    ? BigInt(version) > BigInt(written)
    : false;
}

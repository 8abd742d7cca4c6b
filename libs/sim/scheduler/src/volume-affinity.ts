import { type KubeObject, meetsTerms, type NodeSelectorTerm, resources } from "@microremed/sim-objects";
import type { Store } from "@microremed/sim-store";

/** Names of the claims that a pod mounts. */
export const claimsOf = ({ spec }: KubeObject): readonly string[] =>
  ((spec?.volumes ?? []) as readonly { persistentVolumeClaim?: { claimName: string } }[]).flatMap(
    ({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? [],
  );

const conflict = "node(s) had volume node affinity conflict";

/**
 * Why a node cannot reach the volumes that the pod's claims are bound to, in the scheduler's words, if any of them is bound to
 * some nodes (`nodeAffinity`); undefined: every node reaches them all.
 */
export function volumeConflict(
  store: Pick<Store, "get">,
  pod: KubeObject,
): ((node: KubeObject) => string | undefined) | undefined {
  const required = claimsOf(pod).flatMap((name) => {
    const claim = store.get(resources.persistentVolumeClaims, pod.metadata.namespace, name);
    const volume: KubeObject | undefined =
      claim?.spec?.volumeName && store.get(resources.persistentVolumes, undefined, claim.spec.volumeName);
    const terms: readonly NodeSelectorTerm[] | undefined =
      volume?.spec?.nodeAffinity?.required?.nodeSelectorTerms;
    return terms ? [terms] : [];
  });
  if (required.length === 0) return undefined;
  return (node) => (required.every((terms) => meetsTerms(terms, node)) ? undefined : conflict);
}

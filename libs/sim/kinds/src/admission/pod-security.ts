import { enforcedPodSecurity, podSecurityViolations } from "@microremed/kube-rules";
import { forbidden, type NewObject, type ResourceRef, resources } from "@microremed/sim-objects";
import type { Store } from "@microremed/sim-store";

/** The plug-in PodSecurity: throws 403 for a new pod that is not what its namespace's label asks for. */
export function checkPodSecurity(store: Pick<Store, "get">, ref: ResourceRef, pod: NewObject): void {
  const { namespace, name } = pod.metadata;
  const labels = store.get(resources.namespaces, undefined, namespace ?? "")?.metadata.labels;
  const { level, name: policy } = enforcedPodSecurity(labels);
  const violations = podSecurityViolations(level, pod.spec);
  if (violations.length > 0)
    throw forbidden(
      ref,
      name ?? "",
      `violates PodSecurity ${JSON.stringify(policy)}: ${violations.join(", ")}`,
    );
}

import { createManagedStore } from "@microremed/sim-component-base";
import { resources } from "@microremed/sim-objects";
import type { Store } from "@microremed/sim-store";

/** Merges labels into pods at the API server, for programs that do so with their pod's account. */
export function createPodLabeller(store: Store, now: () => number) {
  // xenon's scripts write with curl.
  const written = createManagedStore(store, "curl", now);
  return (namespace: string, name: string, labels: Readonly<Record<string, string>>): void => {
    written.mutate(resources.pods, namespace, name, (pod) => ({
      ...pod,
      metadata: { ...pod.metadata, labels: { ...pod.metadata.labels, ...labels } },
    }));
  };
}

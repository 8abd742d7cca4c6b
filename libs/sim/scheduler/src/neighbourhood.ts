import type { KubeObject } from "@microremed/sim-objects";

/** What the scheduler knows of pods and nodes besides resources. */
export interface Neighbourhood {
  /** Pods that are bound to a node and not finished. */
  readonly placed: readonly KubeObject[];
  readonly nodes: ReadonlyMap<string, KubeObject>;
  namespaceLabels(name: string): Readonly<Record<string, string>> | undefined;
  /** Nodes that the pod's own selectors allow: only they are domains to spread over. */
  eligible(node: KubeObject): boolean;
}

/** The node's domain by a topology key. */
export function domainOf(node: KubeObject | undefined, key: string): string | undefined {
  const labels = node?.metadata.labels ?? {};
  return Object.hasOwn(labels, key) ? labels[key] : undefined;
}

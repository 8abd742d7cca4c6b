import { parseQuantity } from "@microremed/kube-rules";
import type { KubeObject } from "./objects.ts";

/** What a pod requests of its node. */
export interface Requests {
  /** Cores. */
  readonly cpu: number;
  /** Bytes. */
  readonly memory: number;
}

interface Container {
  readonly resources?: {
    readonly requests?: Readonly<Record<string, string>>;
    readonly limits?: Readonly<Record<string, string>>;
  };
}

/** A container's request of a resource; a limit alone counts as the request, as the API server defaults it. */
export function requestOf({ resources }: Container, name: "cpu" | "memory"): number {
  return parseQuantity(resources?.requests?.[name] ?? resources?.limits?.[name] ?? "0") ?? 0;
}

/** What the scheduler sets aside for a pod: the sum of its containers or its biggest init container. */
export function podRequests(pod: KubeObject): Requests {
  const containers: readonly Container[] = pod.spec.containers ?? [];
  const init: readonly Container[] = pod.spec.initContainers ?? [];
  const need = (name: "cpu" | "memory"): number =>
    Math.max(
      containers.reduce((sum, container) => sum + requestOf(container, name), 0),
      ...init.map((container) => requestOf(container, name)),
    );
  return { cpu: need("cpu"), memory: need("memory") };
}

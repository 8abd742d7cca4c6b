import type { KubeObject } from "@microremed/sim-objects";

interface ServicePort {
  readonly name?: string;
  readonly port: number;
  readonly protocol?: string;
  readonly targetPort?: number | string;
}

interface ContainerPort {
  readonly name?: string;
  readonly containerPort: number;
}

export interface ResolvedPort {
  readonly name?: string;
  readonly port: number;
  readonly protocol: string;
}

function targetOf(pod: KubeObject, { port, targetPort = port }: ServicePort): number | undefined {
  if (typeof targetPort === "number") return targetPort;
  if (/^\d+$/.test(targetPort)) return Number(targetPort);
  for (const container of pod.spec.containers as readonly { ports?: readonly ContainerPort[] }[]) {
    const found = container.ports?.find((each) => each.name === targetPort);
    if (found) return found.containerPort;
  }
  return undefined;
}

/** A service's ports on one pod; a named target port that the pod does not have is left out. */
export function servicePortsOf(service: KubeObject, pod: KubeObject): readonly ResolvedPort[] {
  const ports: readonly ServicePort[] = service.spec.ports ?? [];
  return ports.flatMap((each) => {
    const port = targetOf(pod, each);
    if (port === undefined) return [];
    return [{ ...(each.name && { name: each.name }), port, protocol: each.protocol ?? "TCP" }];
  });
}

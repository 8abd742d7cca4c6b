import type { KubeObject } from "./objects.ts";

/** A port of the node that a pod's container takes. */
export interface HostPort {
  readonly port: number;
  /** `TCP`, `UDP` or `SCTP`. */
  readonly protocol: string;
  /** Address of the node; `0.0.0.0`: all of them. */
  readonly ip: string;
}

interface Ports {
  readonly ports?: readonly {
    readonly hostPort?: number;
    readonly protocol?: string;
    readonly hostIP?: string;
  }[];
}

/** The ports of its node that a pod's containers ask for. */
export function hostPortsOf(pod: KubeObject): readonly HostPort[] {
  const containers: readonly Ports[] = pod.spec?.containers ?? [];
  return containers.flatMap(({ ports = [] }) =>
    ports.flatMap(({ hostPort, protocol = "TCP", hostIP }) =>
      hostPort ? [{ port: hostPort, protocol, ip: hostIP || everywhere }] : [],
    ),
  );
}

const everywhere = "0.0.0.0";

/** Whether none of the wanted ports is taken: same protocol and port, at the same address or at all. */
export function isFree(wanted: readonly HostPort[], taken: readonly HostPort[]): boolean {
  return !wanted.some((one) => taken.some((other) => collide(one, other)));
}

function collide(a: HostPort, b: HostPort): boolean {
  const isSameAddress = a.ip === b.ip || a.ip === everywhere || b.ip === everywhere;
  return isSameAddress && a.port === b.port && a.protocol === b.protocol;
}

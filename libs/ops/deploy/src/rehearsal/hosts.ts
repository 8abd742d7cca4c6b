import { isBehind, type ServiceObject, type Workload } from "./site-objects.ts";

/** A pod that names may resolve to. */
export interface NamedPod {
  readonly workload: Workload;
  readonly name: string;
  readonly ip: string;
  readonly isReady: boolean;
}

/**
 * Text of an /etc/hosts with the names that a cluster's DNS gives to a pod of `namespace`: Services, and the pods of a
 * StatefulSet. A Service has the addresses of its ready pods, or for all while none is; a cluster's own address for it would
 * be refused then.
 */
export function hostsFor(
  namespace: string,
  services: readonly ServiceObject[],
  pods: readonly NamedPod[],
  outside: Readonly<Record<string, string>>,
): string {
  const lines = services.flatMap((service) => {
    const behind = pods.filter(({ workload }) => isBehind(service, workload));
    const ready = behind.filter(({ isReady }) => isReady);
    const shown = service.publishesAll || ready.length === 0 ? behind : ready;
    const line = (name: string, { ip }: NamedPod): string =>
      `${ip} ${forms(name, service.namespace, namespace)}`;
    return [
      ...shown.map((pod) => line(service.name, pod)),
      ...behind
        .filter(({ workload }) => workload.kind === "StatefulSet")
        .map((pod) => line(`${pod.name}.${service.name}`, pod)),
    ];
  });
  const others = Object.entries(outside).map(([name, ip]) => `${ip} ${name}`);
  return ["127.0.0.1 localhost", ...lines, ...others, ""].join("\n");
}

function forms(name: string, of: string, from: string): string {
  const long = [`${name}.${of}`, `${name}.${of}.svc`, `${name}.${of}.svc.cluster.local`];
  return (of === from ? [name, ...long] : long).join(" ");
}

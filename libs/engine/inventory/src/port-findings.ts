import type { Environment } from "@microremed/catalogue";
import type { KubeObject, Pod, Service } from "@microremed/cluster";
import type { ArenaObjects } from "./read-arena.ts";

/** A pod that takes from its node what users reach a declared Service by. */
export interface PortFinding {
  readonly pod: Pod;
  readonly detail: string;
}

/**
 * Pods with a port of their node that is the `nodePort` of a declared Service. Which of the two a packet reaches depends on
 * the order of the node's rules, and so on the network of the cluster.
 */
export function portFindings(
  { services }: Environment,
  { objects }: Pick<ArenaObjects, "objects">,
): PortFinding[] {
  const serviceAt = new Map(
    objects
      .filter(({ kind, metadata }) => kind === "Service" && services[metadata.name] !== undefined)
      .flatMap((service) =>
        nodePortsOf(service).map((port): [number, string] => [port, service.metadata.name]),
      ),
  );
  const pods = objects.filter(({ kind }) => kind === "Pod") as readonly Pod[];
  return pods.filter(isThere).flatMap((pod) =>
    hostPortsOf(pod).flatMap((port) => {
      const service = serviceAt.get(port);
      if (service === undefined) return [];
      return [{ pod, detail: `takes port ${port} of its node, by which users reach Service ${service}` }];
    }),
  );
}

const isThere = ({ status }: Pod): boolean => status?.phase !== "Succeeded" && status?.phase !== "Failed";

const nodePortsOf = (service: KubeObject): number[] =>
  ((service as Service).spec?.ports ?? []).flatMap(({ nodePort }) =>
    nodePort === undefined ? [] : [nodePort],
  );

/** A pod in its node's network takes every port that its containers declare. */
function hostPortsOf({ spec }: Pod): number[] {
  const containers = [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])];
  return containers.flatMap(({ ports = [] }) =>
    ports.flatMap(({ containerPort, hostPort }) => {
      const port = spec?.hostNetwork === true ? (hostPort ?? containerPort) : hostPort;
      return port === undefined ? [] : [port];
    }),
  );
}

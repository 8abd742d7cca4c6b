import { controllerReference } from "@microremed/sim-component-base";
import type { KubeObject } from "@microremed/sim-objects";
import { listOrNull, managedByLabel, serviceNameLabel, type WantedSlice } from "./slice-keeper.ts";

/** The value of the label on slices that are made from Endpoints. */
export const mirroringManager = "endpointslicemirroring-controller.k8s.io";

interface Address {
  readonly ip: string;
  readonly hostname?: string;
  readonly nodeName?: string;
  readonly targetRef?: object;
}

interface Subset {
  readonly addresses?: readonly Address[];
  readonly notReadyAddresses?: readonly Address[];
  readonly ports?: readonly { readonly name?: string; readonly port: number; readonly protocol?: string }[];
}

const skipLabel = "endpointslice.kubernetes.io/skip-mirror";
const lockAnnotation = "control-plane.alpha.kubernetes.io/leader";

/** Whether the cluster makes slices from Endpoints: not from those that say no, nor from locks of elections. */
export const isMirrored = ({ metadata }: KubeObject): boolean =>
  metadata.labels?.[skipLabel] !== "true" && metadata.annotations?.[lockAnnotation] === undefined;

/** The slices of Endpoints that a client made for a Service without a selector: one for each subset. */
export function mirroredSlices(endpoints: KubeObject): WantedSlice[] {
  const { namespace, name: service, labels } = endpoints.metadata;
  const subsets = (endpoints["subsets"] ?? []) as readonly Subset[];
  return subsets.map(({ addresses = [], notReadyAddresses = [], ports = [] }) => (name) => ({
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: {
      name,
      generateName: `${service}-`,
      ...(namespace && { namespace }),
      labels: { ...labels, [managedByLabel]: mirroringManager, [serviceNameLabel]: service },
      ownerReferences: [controllerReference(endpoints)],
    },
    addressType: "IPv4",
    endpoints: listOrNull([...addresses.map(endpointOf(true)), ...notReadyAddresses.map(endpointOf(false))]),
    ports: listOrNull(ports.map((port) => ({ name: "", protocol: "TCP", ...port }))),
  }));
}

const endpointOf =
  (ready: boolean) =>
  ({ ip, ...rest }: Address): object => ({ addresses: [ip], conditions: { ready }, ...rest });

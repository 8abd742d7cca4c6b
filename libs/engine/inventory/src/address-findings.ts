import type { Environment } from "@microremed/catalogue";
import {
  type Cluster,
  type EndpointSlice,
  type Endpoints,
  type KubeObject,
  kinds,
  type Pod,
  type Service,
} from "@microremed/cluster";
import type { DamageClass } from "@microremed/contracts";
import { identityOf } from "./inventory.ts";
import type { ArenaObjects } from "./read-arena.ts";

const serviceOfSlice = "kubernetes.io/service-name";

/** A list of addresses that is not what its Service is meant for. */
export interface AddressFinding {
  readonly object: KubeObject;
  readonly class: DamageClass;
  readonly detail: string;
  /** To find it again: pods that the Service itself selects come and go, and are one finding. */
  readonly text: string;
}

/**
 * Endpoints and EndpointSlices of declared Services with addresses that no pod has which the Service is meant for, or with
 * ports at which it does not ask its pods.
 */
export function addressFindings(
  { services }: Environment,
  { objects, around }: Pick<ArenaObjects, "objects" | "around">,
): AddressFinding[] {
  const pods = objects.filter(({ kind }) => kind === "Pod") as readonly Pod[];
  const lists = [...objects, ...around].filter(
    ({ kind }) => kind === "Endpoints" || kind === "EndpointSlice",
  );
  return lists.flatMap((object) => {
    const service = serviceOf(object);
    const declared = services[service];
    if (!declared) return [];
    const live = objects.find(({ kind, metadata }) => kind === "Service" && metadata.name === service);
    const labels = Object.entries(declared.selector);
    const meant = pods.filter(({ metadata }) =>
      labels.every(([label, value]) => metadata.labels?.[label] === value),
    );
    const own = new Set(meant.map(({ status }) => status?.podIP));
    const { addresses, ports } = contentOf(object);
    const strange = addresses.filter((address) => !own.has(address));
    const known = portsBehind(live as Service | undefined, meant);
    const astray = addresses.length > 0 && known ? ports.filter((port) => !known.has(port)) : [];
    const is = leadsNoClient(object, live as Service | undefined) ? "changed" : "acts";
    const finding = (detail: string, text = detail): AddressFinding => ({
      ...{ object, class: is, detail },
      text: `${identityOf(object)} ${text}`,
    });
    const isOfSelector = (): boolean => {
      const selected = selectedBy(live as Service | undefined, pods);
      return strange.every((address) => selected.has(address));
    };
    return [
      ...(strange.length > 0
        ? [
            finding(
              `leads Service ${service} to ${strange.slice(0, 5).join(", ")}, which is no pod of it`,
              isOfSelector() ? "leads where its Service selects" : undefined,
            ),
          ]
        : []),
      ...(astray.length > 0
        ? [finding(`leads Service ${service} to port ${astray.slice(0, 5).join(", ")} of its pods`)]
        : []),
    ];
  });
}

/** Endpoints of declared Services that lead elsewhere. Deleted, they are made again; slices are put right without that. */
export async function readStrayAddresses(
  cluster: Pick<Cluster, "list">,
  namespace: string,
  environment: Environment,
): Promise<KubeObject[]> {
  const some = [kinds.pod, kinds.service, kinds.endpoints];
  const lists = await Promise.all(some.map((kind) => cluster.list(kind, { namespace })));
  const found = addressFindings(environment, { objects: lists.flat(), around: [] });
  return [...new Set(found.map(({ object }) => object))];
}

/** Addresses of the pods that a Service selects as it is now. */
function selectedBy(service: Service | undefined, pods: readonly Pod[]): ReadonlySet<string | undefined> {
  const labels = Object.entries(service?.spec?.selector ?? {});
  const some = pods.filter(
    ({ metadata }) =>
      labels.length > 0 && labels.every(([label, value]) => metadata.labels?.[label] === value),
  );
  return new Set(some.map(({ status }) => status?.podIP));
}

/** Proxies and DNS read slices. Endpoints become slices only where their Service has no selector. */
const leadsNoClient = ({ kind }: KubeObject, service: Service | undefined): boolean =>
  kind === "Endpoints" && Object.keys(service?.spec?.selector ?? {}).length > 0;

const serviceOf = ({ kind, metadata }: KubeObject): string =>
  kind === "Endpoints" ? metadata.name : (metadata.labels?.[serviceOfSlice] ?? "");

function contentOf(object: KubeObject): {
  readonly addresses: readonly string[];
  readonly ports: readonly number[];
} {
  if (object.kind === "Endpoints") {
    const subsets = ((object as Endpoints).subsets ?? []).filter(({ addresses }) => addresses !== undefined);
    return {
      addresses: subsets.flatMap(({ addresses = [] }) => addresses.map(({ ip }) => ip)),
      ports: subsets.flatMap(({ ports = [] }) => ports.map(({ port }) => port)),
    };
  }
  const { endpoints = [], ports = [] } = object as EndpointSlice;
  return {
    addresses: endpoints.flatMap(({ addresses = [] }) => addresses),
    ports: ports.flatMap(({ port }) => (port === undefined ? [] : [port])),
  };
}

/**
 * The ports at which a Service, as it is now, asks its pods: that it is as declared is compared elsewhere. Undefined: there
 * is no such Service.
 */
function portsBehind(service: Service | undefined, pods: readonly Pod[]): ReadonlySet<number> | undefined {
  const named = pods.flatMap(({ spec }) => (spec?.containers ?? []).flatMap(({ ports = [] }) => ports));
  return (
    service &&
    new Set(
      (service.spec?.ports ?? []).flatMap(({ port, targetPort = port }) =>
        typeof targetPort === "number"
          ? [targetPort]
          : named.filter(({ name }) => name === targetPort).map(({ containerPort }) => containerPort),
      ),
    )
  );
}

import {
  type ContainerRuntime,
  type Machine,
  type NameRules,
  nameRulesOf,
  nodeSpecs,
  type PodSandbox,
  reloadCoredns,
} from "@microremed/sim-machine";
import { type KubeObject, resources } from "@microremed/sim-objects";
import type { Store } from "@microremed/sim-store";
import type { EventLoop } from "@microremed/sim-time";

interface Endpoint {
  readonly ip: string;
  readonly port: number;
  /** The pod's DNS label below a headless service. */
  readonly hostname: string | undefined;
  readonly nodeName?: string | undefined;
}

interface ServicePort {
  readonly name: string | undefined;
  readonly port: number;
  /** Ready ones, or all if the service publishes those that are not. */
  readonly endpoints: readonly Endpoint[];
}

/** A Service as its clients find it. */
export interface ServiceView {
  readonly namespace: string;
  readonly name: string;
  /** Undefined: headless. */
  readonly clusterIp: string | undefined;
  /** Pods that dial the cluster IP get only to endpoints on their own node (`internalTrafficPolicy: Local`). */
  readonly isLocal: boolean;
  readonly ports: readonly ServicePort[];
}

/** What kube-proxy and the cluster's DNS know: Services with their addresses, ports and ready pods. */
export interface ServiceDirectory {
  /** Grows when any answer may have changed. */
  readonly revision: number;
  byName(namespace: string, name: string): ServiceView | undefined;
  byClusterIp(ip: string): ServiceView | undefined;
  /** Whether the cluster's name server answers: one that runs in pods does while one of them is ready. */
  readonly hasNameServer: boolean;
  /** What the name server makes of names of the cluster; undefined: nothing, Services have the names that the directory gives them. */
  readonly nameRules?: NameRules | undefined;
}

/** Service of the cluster's name server, where that runs in pods. */
const nameServer = { namespace: "kube-system", name: "kube-dns" };
const serviceNameLabel = "kubernetes.io/service-name";

/** How often it is seen which name servers are due to read their files again, ms. */
const reloadCheckMs = 5_000;

type SlicesByService = ReadonlyMap<string, readonly KubeObject[]>;

/**
 * The directory of a store: its Services, and the EndpointSlices that name them, of any client's making. Nothing
 * here reads Endpoints, as kube-proxy and CoreDNS do not. Of several name servers the first that is ready is asked.
 */
export function createServiceDirectory(
  store: Store,
  { keep, every, now }: Pick<EventLoop, "keep" | "every" | "now">,
  machine: Machine,
): ServiceDirectory & Disposable {
  const views = keep(new Map<string, ServiceView | undefined>());
  const present = keep<{
    byIp: ReadonlyMap<string, ServiceView> | undefined;
    slices: SlicesByService | undefined;
    revision: number;
    /** The cluster's name server runs in pods: without its Service no pod finds it. */
    asksPods: boolean;
    /** The container that answers, null: none; undefined: it is not known yet. */
    server: ContainerRuntime | null | undefined;
  }>({ byIp: undefined, slices: undefined, revision: 0, asksPods: false, server: undefined });
  const changed = (): void => {
    present.revision++;
    views.clear();
    present.byIp = undefined;
    present.slices = undefined;
    present.server = undefined;
  };
  const { namespace: serverNamespace, name: serverName } = nameServer;
  const stops = [
    store.watch(resources.services, ({ object: { metadata } }) => {
      present.asksPods ||= metadata.namespace === serverNamespace && metadata.name === serverName;
      changed();
    }),
    store.watch(resources.endpointSlices, changed),
  ];

  function byName(namespace: string, name: string): ServiceView | undefined {
    const key = `${namespace}/${name}`;
    if (!views.has(key)) {
      const service = store.get(resources.services, namespace, name);
      present.slices ??= Map.groupBy(
        store.list(resources.endpointSlices),
        ({ metadata }) => `${metadata.namespace}/${metadata.labels?.[serviceNameLabel]}`,
      );
      views.set(key, service && viewOf(service, present.slices.get(key) ?? []));
    }
    return views.get(key);
  }

  const serversAt = () =>
    (byName(serverNamespace, serverName)?.ports.find(({ port }) => port === 53)?.endpoints ?? []).flatMap(
      ({ ip, port }) => {
        const sandbox = machine.byIp(ip);
        const containers = [...(sandbox?.containers.values() ?? [])];
        const container = containers.find(({ behaviour }) => behaviour?.listens.includes(port));
        return sandbox && container ? [{ sandbox, container }] : [];
      },
    );
  const stopReloads = every(reloadCheckMs, "coredns.reload", () => {
    if (!present.asksPods) return;
    const answers = serversAt().map(({ sandbox, container }) => reloadCoredns(sandbox, container, now()));
    if (answers.includes(true)) changed();
  });

  function indexByIp(): Map<string, ServiceView> {
    const index = new Map<string, ServiceView>();
    for (const { metadata } of store.list(resources.services)) {
      if (notProxied.some((label) => metadata.labels?.[label] !== undefined)) continue;
      const view = byName(metadata.namespace ?? "", metadata.name);
      if (view?.clusterIp) index.set(view.clusterIp, view);
    }
    return index;
  }

  return {
    get revision() {
      return present.revision;
    },
    byName,
    get hasNameServer() {
      const ports = present.asksPods ? byName(serverNamespace, serverName)?.ports : undefined;
      return (
        !present.asksPods ||
        (ports?.some(({ port, endpoints }) => port === 53 && endpoints.length > 0) ?? false)
      );
    },
    get nameRules() {
      if (!present.asksPods) return undefined;
      present.server ??= serversAt()[0]?.container ?? null;
      return present.server ? nameRulesOf(present.server) : undefined;
    },
    byClusterIp: (ip) => {
      present.byIp ??= indexByIp();
      return present.byIp.get(ip);
    },
    [Symbol.dispose]: () => {
      for (const stop of [...stops, stopReloads]) stop();
    },
  };
}

/** kube-proxy leaves out what has one of these labels: nothing answers at its address. */
const notProxied = ["service.kubernetes.io/service-proxy-name", "service.kubernetes.io/headless"];

interface Slice {
  readonly endpoints?:
    | null
    | readonly {
        readonly addresses: readonly string[];
        readonly conditions?: { readonly ready?: boolean };
        readonly hostname?: string;
        readonly nodeName?: string;
        readonly targetRef?: { readonly name?: string };
      }[];
  readonly ports?: null | readonly { readonly name?: string; readonly port: number }[];
}

function viewOf(service: KubeObject, slices: readonly KubeObject[]): ServiceView {
  const ports = (service.spec?.ports ?? []) as readonly { readonly name?: string; readonly port: number }[];
  const clusterIp = service.spec?.clusterIP as string | undefined;
  return {
    namespace: service.metadata.namespace ?? "",
    name: service.metadata.name,
    clusterIp: clusterIp === "None" || !clusterIp ? undefined : clusterIp,
    isLocal: service.spec?.internalTrafficPolicy === "Local",
    ports: ports.map(({ name, port }) => ({ name, port, endpoints: endpointsOf(slices, name) })),
  };
}

/** Each address and port once, whichever slices have it. */
function endpointsOf(slices: readonly KubeObject[], portName: string | undefined): readonly Endpoint[] {
  const all = (slices as readonly (KubeObject & Slice)[]).flatMap(({ endpoints, ports }) => {
    const port = ports?.find(({ name }) => (name ?? "") === (portName ?? ""));
    if (!port || !endpoints) return [];
    return endpoints
      .filter(({ conditions }) => conditions?.ready !== false)
      .map(({ addresses: [ip = ""], hostname, nodeName, targetRef }) => ({
        ip,
        port: port.port,
        hostname: hostname ?? targetRef?.name,
        nodeName,
      }));
  });
  if (slices.length < 2) return all;
  return [...new Map(all.map((one) => [`${one.ip}:${one.port}`, one])).values()];
}

const nodeIps = new Set(nodeSpecs.map(({ ip }) => ip));

/** Whether an address is a node's own. */
export const isNodeIp = (ip: string): boolean => nodeIps.has(ip);

/** The pod that takes connections to a port of an address: the one that has it, or one in the network of its node. */
export function podAt(machine: Machine, ip: string, port: number): PodSandbox | undefined {
  const own = machine.byIp(ip);
  if (own) return own;
  for (const sandbox of machine.onHost(ip))
    for (const { behaviour } of sandbox.containers.values())
      if (behaviour?.listens.includes(port)) return sandbox;
  return undefined;
}

/** One place where a connection may end up. */
export interface Backend {
  readonly ip: string;
  readonly port: number;
  /** kube-proxy drops the connection instead of passing it on: the Service keeps to the caller's node. */
  readonly isDropped?: boolean;
}

/**
 * Where a connection to an address ends up: kube-proxy's choices for a cluster IP, or the address itself if anything has
 * it. `node`: of the pod that dials; undefined: it is no pod.
 */
export function backends(
  directory: ServiceDirectory,
  machine: Machine,
  ip: string,
  port: number,
  node?: string,
): readonly Backend[] | undefined {
  const service = directory.byClusterIp(ip);
  if (!service) return machine.byIp(ip) || isNodeIp(ip) ? [{ ip, port }] : undefined;
  const all = service.ports.find((entry) => entry.port === port)?.endpoints;
  if (!service.isLocal || node === undefined || !all) return all;
  const near = all.filter(({ nodeName }) => nodeName === node);
  return near.length > 0 ? near : all.map((one) => ({ ...one, isDropped: true }));
}

import { type IngressBackend, ingressBackends } from "../ingress.ts";
import { guess, likely, type Marked, sure } from "../marked.ts";
import { behind, over, type System } from "../system.ts";
import type { InferredCall } from "./calls.ts";
import { roleOf } from "./roles.ts";

/** Where users' requests come in, and who sends them; undefined: there is no Service that could be it. */
export interface Entry {
  readonly address: Marked<string>;
  /** The workload that the entry leads to. */
  readonly workload: string;
  /** A load generator among the workloads. */
  readonly from?: Marked<string>;
}

const front =
  /\b(front-?end|front|web(ui)?|ui|gateway|nginx|edge|ingress|proxy|portal|productpage|dashboard|store-?front)\b/;
const webPorts: ReadonlySet<number> = new Set([80, 443, 3000, 5000, 8000, 8080]);

export function inferEntry(system: System, calls: readonly InferredCall[]): Entry | undefined {
  const generator = [...system.workloads].find(([name, spec]) => roleOf(name, spec) === "load")?.[0];
  const sent = calls.find(({ from }) => from === generator);
  if (generator !== undefined && sent) {
    const why = `the load generator ${generator} calls it`;
    return {
      address: likely(sent.call.address, why),
      workload: sent.call.to,
      from: likely(generator, "its name or its image"),
    };
  }
  const ranked = candidates(system, calls);
  const address = routedAddress(system, ranked) ?? likeliestAddress(system, ranked);
  if (!address) return undefined;
  const [service = ""] = address.value.split(":");
  const [workload] = behind(system, service);
  if (workload === undefined) return undefined;
  const from = userOf(system, workload, calls);
  return { address, workload, ...(from && { from }) };
}

function likeliestAddress(system: System, [best]: readonly Candidate[]): Marked<string> | undefined {
  const port = best && portOf(system, best.service);
  if (!best || port === undefined) return undefined;
  const { service, points, why } = best;
  return (points >= 3 ? likely : guess)(`${service}:${port}`, why);
}

/** The number of a Service's port, its first one where none is given or the given one is not there. */
function portOf(system: System, service: string, given?: number | string): number | undefined {
  const ports = system.services.get(service)?.ports ?? [];
  return (ports.find(({ port, name }) => port === given || name === given) ?? ports[0])?.port;
}

/** Whether a Service is over its pods. */
const isServed = (system: System, workload: string): boolean => over(system, workload).length > 0;

/** A workload that serves no requests and asks the entry alone is one of its users. */
function userOf(system: System, entry: string, calls: readonly InferredCall[]): Marked<string> | undefined {
  const made = Map.groupBy(calls, ({ from }) => from);
  const users = [...system.workloads].filter(([name, { containers }]) => {
    const own = made.get(name) ?? [];
    const isServer = isServed(system, name) || containers.some(({ ports }) => ports.length > 0);
    return !isServer && own.length > 0 && own.every(({ call }) => call.to === entry);
  });
  const [[name] = []] = users;
  return name === undefined || users.length > 1
    ? undefined
    : likely(name, `it serves nothing, and calls ${entry} alone`);
}

interface Candidate {
  readonly service: string;
  readonly points: number;
  readonly why: string;
}

function candidates(system: System, calls: readonly InferredCall[]): Candidate[] {
  const called = new Set(calls.filter(({ call }) => call.perRequest > 0).map(({ call }) => call.to));
  const callers = new Set(calls.map(({ from }) => from));
  return [...system.services]
    .flatMap(([service, { type, ports }]): Candidate[] => {
      const workloads = behind(system, service);
      const [workload] = workloads;
      const spec = workload === undefined ? undefined : system.workloads.get(workload);
      if (workload === undefined || !spec || roleOf(workload, spec) !== "service") return [];
      const reasons: [number, string][] = [
        [front.test(`${service} ${workload}`) ? 3 : 0, "its name"],
        [type === "ClusterIP" ? 0 : 2, `its Service is a ${type}`],
        [called.has(workload) ? 0 : 2, "no other workload calls it"],
        [ports.some(({ port }) => webPorts.has(port)) ? 1 : 0, "its port"],
        [callers.has(workload) ? 1 : 0, "it calls others"],
      ];
      const points = reasons.reduce((sum, [count]) => sum + count, 0);
      const why = reasons.flatMap(([count, text]) => (count > 0 ? [text] : [])).join(", ");
      return [{ service, points, why: why || "the first Service" }];
    })
    .toSorted((a, b) => b.points - a.points);
}

/** Where Ingresses send the users' requests: the backend of `/`, else of the shortest path. With others beside it, it is not sure. */
function routedAddress(system: System, ranked: readonly Candidate[]): Marked<string> | undefined {
  const points = new Map(ranked.map((one) => [one.service, one.points]));
  const backends = ingressBackends(system.manifests)
    .filter(({ service }) => behind(system, service).length > 0)
    .toSorted(
      (a, b) => widthOf(a) - widthOf(b) || (points.get(b.service) ?? 0) - (points.get(a.service) ?? 0),
    );
  const [first] = backends;
  const port = first && portOf(system, first.service, first.port);
  if (!first || port === undefined) return undefined;
  const address = `${first.service}:${port}`;
  const others = backends.filter((one) => addressOf(system, one) !== address);
  if (others.length === 0) return sure(address, "an Ingress leads to it");
  const isAlone = others.every((one) => widthOf(one) > widthOf(first));
  const path = first.path || "/";
  return isAlone
    ? likely(address, `an Ingress leads from ${path} to it, and from others elsewhere`)
    : guess(address, `an Ingress leads from ${path} to it and elsewhere`);
}

const addressOf = (system: System, { service, port }: IngressBackend): string =>
  `${service}:${portOf(system, service, port)}`;

/** The less, the more requests a backend gets: its path's length, then those of a path alone, then those of no path. */
const widthOf = ({ path, isExact }: IngressBackend): number =>
  (path?.length ?? 1_000_000) + (isExact ? 10_000 : 0);

/**
 * What the entry calls where nothing shows it: the services that no other workload calls for a request are there for some of the
 * entry's. One that has no Service gets no requests, whatever it calls. All of it is a guess.
 */
export function unknownCallers(
  system: System,
  entry: string,
  calls: readonly InferredCall[],
): readonly { readonly workload: string; readonly service: string }[] {
  const asked = calls.filter(({ from }) => isServed(system, from));
  const called = new Set([entry, ...asked.map(({ call }) => call.to)]);
  return [...system.workloads].flatMap(([workload, spec]) => {
    if (called.has(workload) || roleOf(workload, spec) !== "service") return [];
    const service = over(system, workload).find(
      (name) => system.services.get(name)?.ports[0]?.targetPort !== 0,
    );
    return service === undefined ? [] : [{ workload, service }];
  });
}

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
  const routed = ingressBackend(system);
  const [best] = candidates(system, calls);
  const chosen = routed ?? best?.service;
  const workload = chosen === undefined ? undefined : behind(system, chosen)[0];
  const port = chosen === undefined ? undefined : system.services.get(chosen)?.ports[0]?.port;
  if (chosen === undefined || workload === undefined || port === undefined) return undefined;
  const address = `${chosen}:${port}`;
  const from = userOf(system, workload, calls);
  const rest = { workload, ...(from && { from }) };
  if (routed !== undefined) return { address: sure(address, "an Ingress leads to it"), ...rest };
  const { why, points } = best as Candidate;
  return { address: points >= 3 ? likely(address, why) : guess(address, why), ...rest };
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

function ingressBackend(system: System): string | undefined {
  const text = system.manifests.filter(({ kind }) => kind === "Ingress").map((one) => JSON.stringify(one));
  const named = new Set(
    text.flatMap((one) =>
      [...one.matchAll(/"(?:service":\{"name|serviceName)":"([^"]+)"/g)].map(([, name]) => name),
    ),
  );
  return [...system.services.keys()].find((name) => named.has(name));
}

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

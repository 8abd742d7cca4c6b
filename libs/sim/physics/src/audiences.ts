import { workloadAtEntry } from "@microremed/environments";
import { isUp } from "./container-state.ts";
import type { Route, Topology } from "./topology.ts";
import type { Audience, Prospect } from "./users.ts";

/** The users of each system that has any, by where their requests begin: outside of the cluster, or at a load generator that runs. */
export function audiencesOf({ stations, outside }: Topology): Iterable<Audience> {
  const found = new Map<string, Audience>();
  for (const { namespace, load, route } of outside)
    found.set(namespace, { namespace, load, prospect: (path) => prospectOf(route, path) });
  for (const { namespace, ownRate, container, program, routes } of stations) {
    if (ownRate === 0 || found.has(namespace) || !isUp(container)) continue;
    const entry = workloadAtEntry(program.environment);
    const route = routes.find(({ call }) => call.to === entry);
    const { load } = program.environment;
    if (route) found.set(namespace, { namespace, load, prospect: (path) => prospectOf(route, path) });
  }
  return found.values();
}

/** What the last tick says of a request for a path at the entry. */
function prospectOf({ success, truth, latency, targets }: Route, path: string): Prospect {
  const kinds = targets.flatMap(({ station }) => {
    const kind = station?.state.kinds.find((one) => one.path === path);
    return station && kind ? [{ kind, whole: station.state }] : [];
  });
  const mean = (of: (one: (typeof kinds)[number]) => number): number =>
    kinds.reduce((sum, one) => sum + of(one), 0) / kinds.length;
  if (kinds.length === 0) return { success, truth, meanMs: latency.mean };
  const part = (of: number, whole: number): number => (whole > 0 ? of / whole : 0);
  return {
    success: Math.min(1, success * mean(({ kind, whole }) => part(kind.callSuccess, whole.callSuccess))),
    truth: Math.min(1, truth * mean(({ kind, whole }) => part(kind.callTruth, whole.callTruth))),
    meanMs: Math.max(0, latency.mean + mean(({ kind, whole }) => kind.calls.mean - whole.calls.mean)),
  };
}

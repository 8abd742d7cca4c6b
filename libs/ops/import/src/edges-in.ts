import type { CompactTrace } from "@microremed/kubectl/over-cluster";
import type { Observed } from "./observed.ts";

/** What traces show of the calls between workloads. */
export interface TracedCalls {
  /** With how often one request of the caller makes them. */
  readonly edges: Observed["edges"];
  /** How many requests each workload has served, by its name. */
  readonly served: ReadonlyMap<string, number>;
}

/** Reads the calls between the named workloads in traces. */
export function edgesIn(traces: readonly CompactTrace[], names: readonly string[]): TracedCalls {
  const served = new Map<string, number>();
  const calls = new Map<string, { from: string; to: string; count: number }>();
  const count = (from: string, to: string): void => {
    const key = `${from} ${to}`;
    const known = calls.get(key) ?? { from, to, count: 0 };
    known.count += 1;
    calls.set(key, known);
  };
  for (const { spans } of traces) {
    const answered = new Set<number>();
    spans.forEach(([service, , kind, , , parent]) => {
      const name = workloadOf(service, names);
      if (name === undefined) return;
      const caller = parent < 0 ? undefined : spans[parent];
      const from = caller && workloadOf(caller[0], names);
      // A span within a program has its program's name, too; one that it serves to itself comes from a client's.
      const isWithin = from === name && !(kind === "server" && caller?.[2] === "client");
      if (!isWithin) served.set(name, (served.get(name) ?? 0) + 1);
      if (from === undefined || isWithin || kind === "client") return;
      answered.add(parent);
      count(from, name);
    });
    // Stores report no spans: the caller's own names them.
    spans.forEach(([service, operation, kind], index) => {
      if (kind !== "client" || answered.has(index)) return;
      const from = workloadOf(service, names);
      const to = workloadOf(operation.split(" ").at(-1) ?? "", names);
      if (from !== undefined && to !== undefined && from !== to) count(from, to);
    });
  }
  const edges = [...calls.values()].map(({ from, to, count: times }) => ({
    ...{ from, to },
    perRequest: Math.round((100 * times) / Math.max(1, served.get(from) ?? 1)) / 100,
  }));
  return { edges, served };
}

/** Programs report under the name of their workload, or one with a word more or less. */
function workloadOf(service: string, names: readonly string[]): string | undefined {
  if (names.includes(service)) return service;
  const plain = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]|service$|svc$/g, "");
  return names.find((name) => plain(name) === plain(service));
}

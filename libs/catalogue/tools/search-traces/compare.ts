import { answerLines } from "@microremed/catalogue";
import { selfTimes, type Trace } from "./traces.ts";

interface Operation {
  count: number;
  failed: number;
  selfMs: number;
}

/** How often each operation was done and failed, and how long it took by itself. */
function operationsOf(traces: readonly Trace[]): Map<string, Operation> {
  const found = new Map<string, Operation>();
  for (const trace of traces) {
    const self = selfTimes(trace);
    for (const [place, { service, operation, kind, error }] of trace.spans.entries()) {
      const name = `${service} ${kind === "client" ? "calls " : ""}${operation}`;
      const known = found.get(name) ?? { count: 0, failed: 0, selfMs: 0 };
      known.count += 1;
      known.failed += error === "" ? 0 : 1;
      known.selfMs += self[place] ?? 0;
      found.set(name, known);
    }
  }
  return found;
}

const meanMs = (of: Operation | undefined): number | undefined => of && of.selfMs / of.count;
const share = (of: Operation | undefined): number | undefined => of && of.failed / of.count;

/** Each operation now and before, the greatest change first: errors count more than time. */
export function compareText(
  now: readonly Trace[],
  before: readonly Trace[],
  { since, compare, max, limit }: { since: string; compare: string; max: number; limit: number },
): string {
  const [is, was] = [operationsOf(now), operationsOf(before)];
  const names = [...new Set([...is.keys(), ...was.keys()])];
  const changes = names.map((name) => {
    const [present, past] = [is.get(name), was.get(name)];
    const errors = Math.abs((share(present) ?? 0) - (share(past) ?? 0));
    const time = Math.abs(Math.log(((meanMs(present) ?? 0) + 1) / ((meanMs(past) ?? 0) + 1)));
    return { name, present, past, change: 10 * errors + time };
  });
  const ranked = changes.sort((a, b) => b.change - a.change || (a.name < b.name ? -1 : 1));
  const words = (of: Operation | undefined): string =>
    of === undefined
      ? "none"
      : `${Number((meanMs(of) ?? 0).toPrecision(3))} ms itself, ${Math.round(100 * (share(of) ?? 0))} % failed, ${of.count} spans`;
  return answerLines({
    head: `${now.length} traces of the last ${since}, ${before.length} of the ${compare} before; greatest change first`,
    lines: ranked
      .slice(0, limit)
      .map(({ name, present, past }) => `${name}: ${words(present)}; before: ${words(past)}`),
    of: names.length,
    max,
    narrow: "raise `limit`, or name a service",
  });
}

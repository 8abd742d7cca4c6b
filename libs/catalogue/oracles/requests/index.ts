import {
  defineOracle,
  type EdgeBaseline,
  type EntryReading,
  edgesBetween,
  judged,
  judgeEdges,
  judgeEntry,
  type LoadOrder,
  type Measurement,
  type OracleVerdict,
  type RequestsReading,
  type Round,
  type SymptomVerdict,
  servicesOver,
  symptomOf,
} from "@microremed/catalogue";

/**
 * The system serves its users: our own requests to the entry are answered, and the requests of every edge of the call
 * graph succeed, are in time and as many as before. Without a reading to count from, the edges are left to the next
 * check, which a recovery needs anyway. Refuses: broken callers, cut dependencies, a stopped load, missing metrics.
 */
export default defineOracle({
  name: "requests",
  description: "users and every edge of the call graph are served as before",
  cost: 90,
  always: true,
  async measure(round) {
    const { edges, requestsBefore, load } = round.context;
    const entry = await round.entry();
    const now = edges.length === 0 ? undefined : await round.requests();
    return judgeRequests(entry, edges, requestsBefore, now, round.state.at, load);
  },
  async symptom(round) {
    const { edges, requestsBefore, load } = round.context;
    const own = edgesOf(round, edges);
    if (own.length === 0) return entrySymptom(await round.entry(), round.state.at);
    return requestsSymptom(own, requestsBefore, await round.requests(), round.state.at, load);
  },
});

/** The edges of the target: what it serves, what it calls, and the calls to its Services. */
function edgesOf({ context, state }: Round, edges: readonly EdgeBaseline[]): EdgeBaseline[] {
  const { target } = state;
  const services = servicesOver(context.environment, target).map(([name]) => name);
  return edges.filter(({ edge }) => {
    const [from, to = ""] = edge.split(" -> ");
    return from === target || services.includes(to.split(":")[0]?.split(".")[0] ?? "");
  });
}

/** The symptom shows where requests of the target, to it or by it, fail, are late or have stopped. */
export function requestsSymptom(
  edges: readonly EdgeBaseline[],
  before: RequestsReading | undefined,
  now: RequestsReading,
  at: number,
  load?: LoadOrder,
): SymptomVerdict {
  const windows = before ? edgesBetween(before, now) : new Map();
  const seconds = before ? (now.at - before.at) / 1000 : 0;
  const { problems, measurements } = judgeEdges(edges, windows, seconds, at, load);
  const isUnknown = measurements.some(({ value }) => value === null);
  return symptomOf("requests", isUnknown ? [] : problems, "its requests are served as before", measurements);
}

/** Where no program reports its requests, the users' own. */
function entrySymptom(entry: EntryReading, at: number): SymptomVerdict {
  const { problems, measurements } = judgeEntry(entry, at);
  const signs = entry.answered === null ? [] : problems;
  return symptomOf("requests", signs, "users are served as before", measurements);
}

export function judgeRequests(
  entry: EntryReading,
  edges: readonly EdgeBaseline[],
  before: RequestsReading | undefined,
  now: RequestsReading | undefined,
  at: number,
  load?: LoadOrder,
): OracleVerdict {
  const own = judgeEntry(entry, at);
  const whenPassed = "users are served as before";
  if (edges.length === 0) {
    return judged(
      "requests",
      own.problems,
      "the entry answers; no program reports its requests, so the edges behind it are not checked",
      own.measurements,
    );
  }
  if (!now?.programs.values().some(({ edges }) => edges.size > 0)) {
    const missing: Measurement = {
      name: "requests of the call graph",
      value: null,
      unit: "",
      threshold: null,
      at,
    };
    const problem = "no program reports its requests, they did before";
    return judged("requests", [...own.problems, problem], whenPassed, [...own.measurements, missing]);
  }
  if (!before) return judged("requests", own.problems, "the entry answers", own.measurements);
  const graph = judgeEdges(edges, edgesBetween(before, now), (now.at - before.at) / 1000, at, load);
  return judged("requests", [...own.problems, ...graph.problems], whenPassed, [
    ...own.measurements,
    ...graph.measurements,
  ]);
}

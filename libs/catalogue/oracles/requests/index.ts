import {
  defineOracle,
  type EdgeBaseline,
  type EntryReading,
  edgesBetween,
  entryPlan,
  judged,
  judgeEdges,
  type Measurement,
  type OracleVerdict,
  type RequestsReading,
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
    const { edges, requestsBefore } = round.context;
    const entry = await round.entry();
    const now = edges.length === 0 ? undefined : await round.requests();
    return judgeRequests(entry, edges, requestsBefore, now, round.state.at);
  },
});

export function judgeRequests(
  entry: EntryReading,
  edges: readonly EdgeBaseline[],
  before: RequestsReading | undefined,
  now: RequestsReading | undefined,
  at: number,
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
  const graph = judgeEdges(edges, edgesBetween(before, now), (now.at - before.at) / 1000, at);
  return judged("requests", [...own.problems, ...graph.problems], whenPassed, [
    ...own.measurements,
    ...graph.measurements,
  ]);
}

function judgeEntry(
  { url, answered }: EntryReading,
  at: number,
): { problems: string[]; measurements: Measurement[] } {
  const least = entryPlan.size - entryPlan.mostBad;
  const name = `answers of ${url} to ${entryPlan.size} requests`;
  const measurements = [{ name, value: answered, unit: "requests", threshold: least, at }];
  if (answered === null) return { problems: [`${url} could not be asked`], measurements };
  const problems =
    answered < least ? [`${url} answered ${answered} of ${entryPlan.size} requests in time`] : [];
  return { problems, measurements };
}

import {
  type BaselineValues,
  defineOracle,
  judged,
  type Measurement,
  type OracleVerdict,
  type ReachPath,
  type ReachReading,
  type Round,
  reachPaths,
  reachPlan,
  reachText,
  type SymptomVerdict,
  symptomOf,
} from "@microremed/catalogue";

/** Key of a way's answers in the baseline. */
const prefix = "answered on ";
const least = reachPlan.size - reachPlan.mostBad;
/** Of the requests on one way: a healthy way loses as many with probability below 1e-6. */
const symptomShare = 0.2;

/**
 * The judge's own requests get through between the target, its callers and what it calls, and to their Services, whether
 * or not users send any there just now. They are sent from the callers' pods where these have a client, else from the
 * prober. Refuses: a Service that leads nowhere, traffic that a policy drops, a target that cannot reach what it needs.
 */
export default defineOracle({
  name: "reach",
  description: "requests of the verifier are answered between the target, its callers and what it calls",
  cost: 85,
  always: true,
  aroundTarget: true,
  baseline: async (round) => {
    const inside = await round.reach(pathsAround(round));
    const silent = inside.filter((reading) => !isAnswered(reading) && reading.path.from !== null);
    const outside = await round.reach(silent.map(({ path }) => ({ ...path, from: null })));
    return Object.fromEntries(
      [...inside, ...outside]
        .filter(isAnswered)
        .map(({ path, answered }) => [`${prefix}${reachText(path)}`, answered ?? 0]),
    );
  },
  async measure(round) {
    const { context, state } = round;
    const ways = pathsAround(round);
    const known = asked(ways, context.baseline);
    return judgeReach(ways, await round.reach(known), state.at);
  },
  async symptom(round) {
    const known = asked(pathsAround(round), round.context.baseline);
    return reachSymptom(await round.reach(known), round.state.at);
  },
});

const pathsAround = ({ context, state }: Round): ReachPath[] => reachPaths(context.environment, state.target);

const isAnswered = ({ answered }: ReachReading): boolean => answered !== null && answered >= least;

/** Those on which the healthy system answered; the same from the prober where the caller could not ask. */
function asked(paths: readonly ReachPath[], baseline: BaselineValues): ReachPath[] {
  const isKnown = (path: ReachPath): boolean => baseline[`${prefix}${reachText(path)}`] !== undefined;
  const all = paths.flatMap((path) => [path, { ...path, from: null }]).filter(isKnown);
  return [...new Map(all.map((path) => [reachText(path), path])).values()];
}

/** A way shows the fault when a fifth of the requests on it, or more, gets no answer. */
export function reachSymptom(readings: readonly ReachReading[], at: number): SymptomVerdict {
  const most = reachPlan.size * (1 - symptomShare);
  const silent = readings.filter(({ answered }) => answered !== null && answered <= most);
  const signs = silent.map(
    ({ path, answered }) => `${reachText(path)} answered ${answered} of ${reachPlan.size}`,
  );
  return symptomOf("reach", signs, "requests are answered on every way", measured(readings, most, at));
}

export function judgeReach(
  ways: readonly ReachPath[],
  readings: readonly ReachReading[],
  at: number,
): OracleVerdict {
  const measurements = measured(readings, least, at);
  const problems = readings.flatMap((reading) => {
    if (isAnswered(reading)) return [];
    const { path, answered } = reading;
    const count = answered === null ? "could not be asked" : `answered ${answered} of ${reachPlan.size}`;
    return [`${reachText(path)} ${count}`];
  });
  const places = new Set(readings.map(({ path }) => `${path.host}:${path.port}`));
  const all = new Set(ways.map(({ host, port }) => `${host}:${port}`));
  const left = [...all].filter((place) => !places.has(place));
  const inside = readings.filter(({ path }) => path.from !== null).length;
  const exercised = `requests of the verifier were answered on ${counted(inside, "path")} from callers and ${counted(readings.length - inside, "path")} from the prober`;
  const whenPassed = left.length === 0 ? exercised : `${exercised}; not tried: ${left.join(", ")}`;
  // A number that is null fails an oracle; where nothing can be asked there is nothing to measure.
  return judged("reach", problems, whenPassed, measurements.length > 0 ? measurements : [nothingAsked(at)]);
}

function measured(readings: readonly ReachReading[], threshold: number, at: number): Measurement[] {
  return readings.map(({ path, answered }) => ({
    name: `answers on ${reachText(path)} to ${reachPlan.size} ${path.how === "http" ? "requests" : "connections"}`,
    value: answered,
    unit: "answers",
    threshold,
    at,
  }));
}

const counted = (n: number, what: string): string => `${n} ${what}${n === 1 ? "" : "s"}`;

const nothingAsked = (at: number) => ({
  name: "ways that could be asked",
  value: 0,
  unit: "ways",
  threshold: null,
  at,
});

import {
  defineOracle,
  judged,
  type LagReading,
  type Measurement,
  type OracleVerdict,
  readLags,
  type SymptomVerdict,
  symptomOf,
} from "@microremed/catalogue";

/** Messages that a group may be behind at any moment: it has them before anybody waits. */
const mostLag = 100;
/** Messages behind that no healthy consumer has at the load of a system here. */
const symptomLag = 1000;

/** Every consumer group of every broker has read nearly all that there is. */
export default defineOracle({
  name: "lag",
  description: "every consumer group of the brokers has read nearly all messages",
  cost: 57,
  async measure(round) {
    const { at, pods, target } = round.state;
    const readings = await readLags(round);
    return readings ? judgeLag(readings, at) : judgePods(target, pods.length, at);
  },
  symptom: async (round) => lagSymptom((await readLags(round)) ?? [], round.state.at),
});

const measured = (readings: readonly LagReading[], threshold: number, at: number): Measurement[] =>
  readings.flatMap(({ broker, groups }): Measurement[] =>
    groups === null
      ? [{ name: `lag of the groups at ${broker}`, value: null, unit: "messages", threshold, at }]
      : [...groups].map(([group, value]) => ({
          name: `lag of ${group} at ${broker}`,
          value,
          unit: "messages",
          threshold,
          at,
        })),
  );

/** Without a broker no message can wait, as long as the target is there. */
export function judgePods(target: string, pods: number, at: number): OracleVerdict {
  const problems = pods === 0 ? [`there are no pods of ${target}`] : [];
  const measurements = [{ name: `pods of ${target}`, value: pods, unit: "pods", threshold: 1, at }];
  return judged("lag", problems, "the environment has no broker", measurements);
}

export function judgeLag(readings: readonly LagReading[], at: number): OracleVerdict {
  const problems = readings.flatMap(({ broker, groups }) => {
    if (groups === null) return [`the broker ${broker} could not be asked`];
    if (groups.size === 0) return [`no consumer group reads from ${broker}`];
    return [...groups].flatMap(([group, lag]) =>
      lag > mostLag ? [`${group} is ${lag} messages behind at ${broker}, more than ${mostLag}`] : [],
    );
  });
  if (readings.length === 0) problems.push("there is no broker to ask");
  return judged("lag", problems, "every consumer group has read nearly all", measured(readings, mostLag, at));
}

export function lagSymptom(readings: readonly LagReading[], at: number): SymptomVerdict {
  const signs = readings.flatMap(({ broker, groups }) =>
    [...(groups ?? [])].flatMap(([group, lag]) =>
      lag >= symptomLag ? [`${group} is ${lag} messages behind at ${broker}`] : [],
    ),
  );
  return symptomOf("lag", signs, "no consumer group is far behind", measured(readings, symptomLag, at));
}

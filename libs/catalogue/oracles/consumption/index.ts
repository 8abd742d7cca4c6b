import {
  defineOracle,
  type GroupOffset,
  judged,
  type Measurement,
  type OffsetReading,
  type OracleVerdict,
  type Round,
  readOffsets,
  type SymptomVerdict,
  symptomOf,
} from "@microremed/catalogue";

/** Between two readings, s: a consumer that takes its time has taken a message, and new ones have come. */
const betweenSeconds = 20;
/** Of the messages that a group has read so many more may be without a result than before: one that no program can read. */
const mostLeftOut = 1;
/** A result may be written just before the offset is. */
const mostAhead = 2;

/** Two readings of the same brokers. */
export interface Readings {
  readonly before: readonly OffsetReading[];
  readonly after: readonly OffsetReading[];
}

/** Every consumer group goes on, and has left out none of the messages that it was to work on. */
export default defineOracle({
  name: "consumption",
  description:
    "every consumer group of the brokers goes on while messages wait, and none has left messages out",
  cost: 58,
  async baseline(round) {
    const readings = (await readOffsets(round)) ?? [];
    return Object.fromEntries(
      readings.flatMap(({ found }) => withResults(found).map((one) => [leftOutKey(one.group), one.leftOut])),
    );
  },
  async measure(round) {
    const { at, pods, target } = round.state;
    const readings = await readTwice(round);
    return readings
      ? judgeConsumption(readings, round.context.baseline, at)
      : judgePods(target, pods.length, at);
  },
  symptom: async (round) => heldGroups((await readTwice(round)) ?? { before: [], after: [] }, round.state.at),
});

async function readTwice(round: Round): Promise<Readings | undefined> {
  const before = await readOffsets(round);
  if (!before) return undefined;
  const { cluster, signal } = round.context;
  await cluster.clock.sleep(betweenSeconds * 1000, signal);
  return { before, after: (await readOffsets(round)) ?? [] };
}

const leftOut = "messages left out by ";
const leftOutKey = (group: string): string => `${leftOut}${group}`;

/**
 * Groups that write what they have made of their messages to topics named after them, such as `billing.done`, and of how many messages
 * that they have read there is no result.
 */
function withResults(found: OffsetReading["found"]): (GroupOffset & { readonly leftOut: number })[] {
  if (!found) return [];
  return found.groups.flatMap((one) => {
    const results = [...found.ends].filter(([topic]) => topic.startsWith(`${one.group}.`));
    if (results.length === 0) return [];
    return [{ ...one, leftOut: one.offset - results.reduce((sum, [, end]) => sum + end, 0) }];
  });
}

/** A group in two readings. */
interface Pair {
  readonly broker: string;
  readonly was: GroupOffset;
  readonly is: GroupOffset;
}

function pairsIn({ before, after }: Readings): Pair[] {
  return before.flatMap(({ broker, found }) => {
    const later = after.find((one) => one.broker === broker)?.found?.groups ?? [];
    return (found?.groups ?? []).flatMap((was) => {
      const is = later.find(({ group, topic }) => group === was.group && topic === was.topic);
      return is ? [{ broker, was, is }] : [];
    });
  });
}

/** Messages waited all the time, and none was taken. */
const isHeld = ({ was, is }: Pair): boolean => was.end > was.offset && is.offset === was.offset;

const nameOf = ({ broker, was: { group, topic } }: Pair): string => `${group} in ${topic} at ${broker}`;

const measured = (readings: Readings, at: number): Measurement[] => [
  ...readings.after.flatMap(({ broker, found }): Measurement[] =>
    found === null ? [{ name: `offsets at ${broker}`, value: null, unit: "messages", threshold: 0, at }] : [],
  ),
  ...pairsIn(readings).flatMap((pair): Measurement[] => [
    {
      name: `messages taken by ${nameOf(pair)} in ${betweenSeconds} s`,
      value: pair.is.offset - pair.was.offset,
      unit: "messages",
      threshold: pair.was.end > pair.was.offset ? 1 : 0,
      at,
    },
  ]),
];

/** Without a broker nothing can be held up, as long as the target is there. */
export function judgePods(target: string, pods: number, at: number): OracleVerdict {
  const problems = pods === 0 ? [`there are no pods of ${target}`] : [];
  const measurements = [{ name: `pods of ${target}`, value: pods, unit: "pods", threshold: 1, at }];
  return judged("consumption", problems, "the environment has no broker", measurements);
}

/** `baseline`: of how many messages groups had no result in the healthy system. */
export function judgeConsumption(
  readings: Readings,
  baseline: Readonly<Record<string, number>>,
  at: number,
): OracleVerdict {
  const { after } = readings;
  const problems = after.flatMap(({ broker, found }) => {
    if (found === null) return [`the broker ${broker} could not be asked`];
    return found.groups.length === 0 ? [`no consumer group reads from ${broker}`] : [];
  });
  if (after.length === 0) problems.push("there is no broker to ask");
  for (const pair of pairsIn(readings))
    if (isHeld(pair)) problems.push(`${nameOf(pair)} took none of the messages that wait`);
  const results = after.flatMap(({ found }) => withResults(found));
  for (const { group, ...one } of results) {
    const more = one.leftOut - (baseline[leftOutKey(group)] ?? 0);
    if (more > mostLeftOut) problems.push(`${group} left out ${more} messages`);
    if (more < -mostAhead) problems.push(`${group} is ${-more} messages before where it was`);
  }
  for (const key of Object.keys(baseline))
    if (key.startsWith(leftOut) && !results.some(({ group }) => leftOutKey(group) === key))
      problems.push(`there are no results any more of ${key.slice(leftOut.length)}`);
  return judged("consumption", problems, "every consumer group goes on", measured(readings, at));
}

export function heldGroups(readings: Readings, at: number): SymptomVerdict {
  const signs = pairsIn(readings).flatMap((pair) =>
    isHeld(pair) && pair.is.end > pair.was.end
      ? [`${nameOf(pair)} is held at offset ${pair.is.offset} while messages come`]
      : [],
  );
  return symptomOf("consumption", signs, "no consumer group is held up", measured(readings, at));
}

import type { Bus } from "@microremed/bus";
import { commandStream, stageOfSubject } from "@microremed/contracts";
import type { State } from "@microremed/state";

export interface QueueWatchDeps {
  readonly bus: Pick<Bus, "queues">;
  readonly state: Pick<State, "queueReadings">;
  /** ms; the same for every scheduler. */
  readonly now: () => number;
}

/** A queue from which nothing was taken for so long, though messages wait, has no service, ms. */
export const unservedMs = 60_000;
/** NATS is not asked more often, ms. */
const readEveryMs = 2_000;

/** `unknown`: something waits, and only another reading, a minute later, can say. */
export type Service = "served" | "unserved" | "unknown";

/** Whether a service takes the messages of a subject, judged for a message that was sent at `sentAt`, ms. */
export type ServiceOf = (subject: string, sentAt: number) => Promise<Service>;

/** Reads the queues, and compares them with what this or another scheduler read a minute ago. */
export function createQueueWatch({ bus, state, now }: QueueWatchDeps): ServiceOf {
  let read: ReturnType<Bus["queues"]> | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  const queues = (): ReturnType<Bus["queues"]> => {
    if (read === undefined || Math.abs(now() - readAt) >= readEveryMs) {
      readAt = now();
      read = bus.queues();
      read.catch(() => {
        read = undefined;
      });
    }
    return read;
  };
  return async (subject, sentAt) => {
    const stage = stageOfSubject(subject);
    const name = stage && commandStream(stage).name;
    const queue = (await queues()).find(({ stream }) => stream === name);
    const consumer = queue?.consumers.find((one) => covers(one.subject, subject));
    // If no service ever served the subject, it has no consumer.
    const waiting = consumer ? consumer.waiting : (queue?.messages ?? 0);
    const deliveries = consumer?.deliveries ?? 0;
    const before = await state.queueReadings.get(subject);
    if (waiting > 0 && before?.deliveries === deliveries)
      return now() - Math.max(before.at, sentAt) >= unservedMs ? "unserved" : "unknown";
    await state.queueReadings.set(subject, { deliveries, at: now() });
    return waiting > 0 && before === undefined ? "unknown" : "served";
  };
}

/** Whether a filter that may end in `*` covers the subject. */
function covers(filter: string, subject: string): boolean {
  const tokens = subject.split(".");
  return filter.split(".").every((token, i) => token === "*" || token === ">" || token === tokens[i]);
}

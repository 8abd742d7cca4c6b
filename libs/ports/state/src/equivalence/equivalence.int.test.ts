import { AppError, silentLogger } from "@microremed/core";
import { startRedisServer } from "@microremed/servers";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { createMemoryState } from "../memory/index.ts";
import { createRedisState } from "../redis/create-redis-state.ts";
import { openRedis } from "../redis/redis-link.ts";
import type { State } from "../state.ts";
import { timedRedis } from "../testing/timed-redis.ts";
import { arenaSteps, clusterSteps, pauseSteps, register } from "./arena-steps.ts";
import { create, episodeSteps, experimentSteps } from "./experiment-steps.ts";
import { claimSteps, conversationSteps, modelSteps, outboxSteps } from "./message-steps.ts";
import type { History, Step } from "./step.ts";
import { viewOf } from "./view.ts";

const server = await startRedisServer();
afterAll(() => server[Symbol.asyncDispose]());

/** On a busy machine fewer have to do. */
const runs = { numRuns: 100, interruptAfterTimeLimit: 20_000, markInterruptAsFailure: false };
let spaces = 0;

/** Not whole hours, so that nothing ends at the very moment. */
const passes = [0.5, 0.5, 1_000, 1_000, 60_001, 60_001, 780_001, 4_020_001, 3_000_000_001];

/** Lets time pass for both. */
interface Pass {
  readonly ms: number;
}
const passing = fc.constantFrom(...passes).map((ms): Pass => ({ ms }));

/** The same steps on a state in memory and on a real Redis, with the same clock. */
async function sameOnBoth(steps: readonly (Step | Pass)[]): Promise<void> {
  let now = 1_700_000_000_123.5;
  const link = await openRedis({ url: server.url, log: silentLogger });
  // A run that was interrupted goes on beside the next: each has keys of its own.
  const prefix = `e${spaces++}:`;
  const redis = timedRedis(link, () => now, prefix);
  await using real = await createRedisState(redis.link, prefix);
  await using memory = createMemoryState({ now: () => now });
  const history: History = { leases: [], messageIds: [] };
  for (const one of steps) {
    if ("ms" in one) {
      now += one.ms;
      await redis.pass(one.ms);
      continue;
    }
    const [expected, answer] = [await outcome(real, one, history), await outcome(memory, one, history)];
    expect(near(answer, expected), `${one.name} ${JSON.stringify(one.args)}`).toEqual(expected);
    remember(history, one, answer);
  }
  expect(await viewOf(memory)).toEqual(await viewOf(real));
  await redis.clear();
}

/** What a step returns, or how it fails. */
async function outcome(state: State, one: Step, history: History): Promise<unknown> {
  try {
    return { returned: await one.run(state, history) };
  } catch (error) {
    const { code, severity, message, details } = AppError.from(error);
    return { code, severity, message, details };
  }
}

/** Claims end by Redis's own clock, which the test does not hold: what is left of one is compared roughly. */
function near(answer: unknown, expected: unknown): unknown {
  const [mine, other] = [leftOf(answer), leftOf(expected)];
  if (mine === undefined || other === undefined || Math.abs(mine - other) > 30_000) return answer;
  return { returned: { status: "busy", forMs: other } };
}

function leftOf(value: unknown): number | undefined {
  const { returned } = value as { returned?: { forMs?: number } };
  return returned?.forMs;
}

function remember({ leases, messageIds }: History, { name }: Step, answer: unknown): void {
  const { returned } = answer as { returned?: unknown };
  if (name === "leaseNext" && returned) leases.push(returned as History["leases"][number]);
  if (name === "claimOutbox") messageIds.push(...(returned as { id: string }[]).map(({ id }) => id));
}

test("memory answers as Redis does, whatever is asked in whatever order", async () => {
  const steps = fc.oneof(
    { weight: 2, arbitrary: passing },
    { weight: 4, arbitrary: fc.oneof(...experimentSteps) },
    { weight: 6, arbitrary: fc.oneof(...episodeSteps) },
    { weight: 6, arbitrary: fc.oneof(...arenaSteps) },
    { weight: 2, arbitrary: fc.oneof(...clusterSteps) },
    { weight: 1, arbitrary: fc.oneof(...pauseSteps) },
    { weight: 2, arbitrary: fc.oneof(...outboxSteps) },
    { weight: 1, arbitrary: fc.oneof(...conversationSteps) },
    { weight: 3, arbitrary: fc.oneof(...claimSteps) },
  );
  const start = fc.tuple(register, create);
  const rest = fc.array(steps, { minLength: 20, maxLength: 100, size: "max" });
  const both = fc.asyncProperty(start, rest, (first, then) => sameOnBoth([...first, ...then]));
  await fc.assert(both, runs);
});

test("memory counts and blocks calls of models as Redis does", async () => {
  const steps = fc.oneof(
    { weight: 1, arbitrary: passing },
    { weight: 5, arbitrary: fc.oneof(...modelSteps) },
  );
  const both = fc.asyncProperty(fc.array(steps, { minLength: 5, maxLength: 60, size: "max" }), sameOnBoth);
  await fc.assert(both, runs);
});

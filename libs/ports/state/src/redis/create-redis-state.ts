import type { State } from "../state.ts";
import { createArenas } from "./arenas.ts";
import { createClaims } from "./claims.ts";
import { createClusterHealth } from "./cluster-health.ts";
import { createConversations } from "./conversations.ts";
import { createEpisodes } from "./episodes.ts";
import { createExperiments } from "./experiments.ts";
import { createKeys } from "./keys.ts";
import { createModelCalls } from "./model-calls.ts";
import { createModelPauses } from "./model-pauses.ts";
import { createOutbox } from "./outbox.ts";
import { createQueueReadings } from "./queue-readings.ts";
import { readRangeId } from "./range-id.ts";
import type { RedisLink } from "./redis-link.ts";
import { createResults } from "./results.ts";
import { startServerClock } from "./server-clock.ts";
import { createSessions } from "./sessions.ts";
import { createStarts } from "./starts.ts";
import { createTokens } from "./tokens.ts";

/** The state behind a connection, which is closed with it. `prefix`: put before every key. */
export async function createRedisState(redis: RedisLink, prefix: string): Promise<State> {
  const keys = createKeys(prefix);
  const clock = await startServerClock(redis);
  const outbox = createOutbox(redis, keys);
  return {
    now: () => clock.now(),
    rangeId: () => readRangeId(redis, keys),
    get connected() {
      return redis.connected;
    },
    experiments: createExperiments(redis, keys),
    episodes: createEpisodes(redis, keys),
    arenas: createArenas(redis, keys),
    clusters: createClusterHealth(redis, keys),
    outbox,
    conversations: createConversations(redis, keys),
    modelCalls: createModelCalls(redis, keys),
    modelPauses: createModelPauses(redis, keys),
    results: createResults(redis, keys),
    claims: createClaims(redis, keys),
    starts: createStarts(redis, keys),
    queueReadings: createQueueReadings(redis, keys),
    tokens: createTokens(redis, keys),
    sessions: createSessions(redis, keys),
    [Symbol.asyncDispose]: async () => {
      clock[Symbol.dispose]();
      await outbox[Symbol.asyncDispose]();
      await redis[Symbol.asyncDispose]();
    },
  };
}

import type { State } from "../state.ts";
import { createArenas } from "./arenas.ts";
import { createClaims } from "./claims.ts";
import { createClusterHealth } from "./cluster-health.ts";
import { createConversations } from "./conversations.ts";
import { createEpisodes } from "./episodes.ts";
import { createExperiments } from "./experiments.ts";
import { createMemoryData, type MemoryData } from "./memory-data.ts";
import { openMemory } from "./memory-link.ts";
import { createModelCalls } from "./model-calls.ts";
import { createModelPauses } from "./model-pauses.ts";
import { createOutbox } from "./outbox.ts";
import { createQueueReadings } from "./queue-readings.ts";
import { createResults } from "./results.ts";
import { createSessions } from "./sessions.ts";
import { createStarts } from "./starts.ts";
import { createTokens } from "./tokens.ts";

/** Time and size of a state in memory. */
export interface MemoryStateOptions {
  /** Wall clock, ms since the epoch; it must not go back. Default: this process's. */
  readonly now?: () => number;
  /** When records, results, messages and conversations take so much, nothing is added. Default: 1 GiB. */
  readonly mostBytes?: number;
  /** When there is more, the experiments that finished first are forgotten; the latest ten are not. Default: 64 MiB. */
  readonly keptBytes?: number;
}

/** A state in this process. Its connections share it. */
export interface MemoryState extends State {
  /** Another connection to the same state, as another process would have it; each is disposed by itself. */
  connect(): MemoryState;
}

const defaultMostBytes = 2 ** 30;
const defaultKeptBytes = 2 ** 26;
/** The wall clock when the process began, and monotonic since. */
const wallClock = (): number => performance.timeOrigin + performance.now();

/** A state that lives and dies with this process; all else is as with Redis. */
export function createMemoryState(options: MemoryStateOptions = {}): MemoryState {
  const { now = wallClock, mostBytes = defaultMostBytes, keptBytes = defaultKeptBytes } = options;
  return connectMemory(createMemoryData(now, keptBytes), mostBytes);
}

function connectMemory(data: MemoryData, mostBytes: number): MemoryState {
  const link = openMemory(data, mostBytes);
  return {
    connect: () => connectMemory(data, mostBytes),
    now: () => Math.floor(data.now()),
    rangeId: () => link.use(() => data.rangeId),
    get connected() {
      return link.isOpen;
    },
    experiments: createExperiments(link),
    episodes: createEpisodes(link),
    arenas: createArenas(link),
    clusters: createClusterHealth(link),
    outbox: createOutbox(link),
    conversations: createConversations(link),
    modelCalls: createModelCalls(link),
    modelPauses: createModelPauses(link),
    results: createResults(link),
    claims: createClaims(link),
    starts: createStarts(link),
    queueReadings: createQueueReadings(link),
    tokens: createTokens(link),
    sessions: createSessions(link),
    [Symbol.asyncDispose]: async () => link.close(),
  };
}

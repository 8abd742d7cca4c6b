import { randomUUID } from "node:crypto";
import type { QueueReading } from "../queue-readings.ts";
import type { ArenaData } from "./arena-data.ts";
import type { Blame } from "./blame.ts";
import type { Circuit } from "./circuit.ts";
import { createExpiringMap, type ExpiringMap } from "./expiring-map.ts";
import { createLines, type Lines } from "./lines.ts";
import type { CallTimes } from "./reserve-call.ts";
import { createScoredSet, type ScoredSet } from "./scored-set.ts";
import type { SessionData } from "./sessions.ts";

/** An experiment; its record is text, as everything that callers wrote. */
export interface ExperimentData {
  readonly record: string;
  readonly wants: string;
  readonly clusters: readonly string[] | undefined;
  readonly maxParallel: number;
  readonly priority: number;
  /** Empty: it has none. */
  readonly owner: string;
  /** How many models it has. */
  readonly lanes: number;
  readonly total: number;
  readonly planned: number;
  readonly done: number;
  /** It was opened to the dispatcher. */
  readonly ready: boolean;
  readonly cancelled: boolean;
  readonly cancelledBy?: "agent" | undefined;
  readonly finished: boolean;
  /** Ids of planned episodes by lane and index. */
  readonly pending: ScoredSet;
  /** Ids of episodes that are neither planned nor done. */
  readonly active: Set<string>;
}

export interface EpisodeData {
  readonly version: number;
  readonly record: string;
}

export interface ModelData {
  readonly times: CallTimes;
  readonly circuit: Circuit;
}

/** Everything that is remembered, in one process. Times are ms. */
export interface MemoryData {
  now(): number;
  /** Identity of the range. */
  readonly rangeId: string;
  /** Of the texts that callers wrote. */
  bytes(): number;
  /** With more than so much, what is finished is forgotten. */
  readonly keptBytes: number;
  readonly experiments: ExpiringMap<ExperimentData>;
  /** Ids of experiments by their time of submission. */
  readonly submitted: ScoredSet;
  /** Ids of experiments that are not finished. */
  readonly running: Set<string>;
  /** Ids of experiments that are finished and not forgotten, the one that finished first before the others. */
  readonly finished: Set<string>;
  /** Experiments with pending episodes. */
  readonly lines: Lines;
  readonly episodes: ExpiringMap<EpisodeData>;
  /** Ids of episodes by when the stage that is out is to be checked. */
  readonly deadlines: ScoredSet;
  /** By name. */
  readonly arenas: Map<string, ArenaData>;
  readonly suspected: Map<string, Blame>;
  /** By cluster: why it gets no episodes. */
  readonly quarantined: Map<string, string>;
  /** By `<experiment>/<lane>`: why the episodes of that model get no arena. */
  readonly paused: Map<string, string>;
  /** Numbers of messages by when they may be claimed. */
  readonly outboxOrder: ScoredSet;
  readonly outboxTexts: ExpiringMap<string>;
  /** How many messages there ever were. */
  sent: number;
  readonly conversations: ExpiringMap<readonly string[]>;
  readonly models: ExpiringMap<ModelData>;
  readonly results: ExpiringMap<string>;
  /** Holders. */
  readonly claims: ExpiringMap<string>;
  /** Commands that were begun and must not be done twice. */
  readonly starts: ExpiringMap<true>;
  /** By subject. */
  readonly readings: ExpiringMap<QueueReading>;
  /** By id. */
  readonly sessions: ExpiringMap<SessionData>;
  /** Ids of open sessions by when they count as lost. */
  readonly sessionsLostAt: ScoredSet;
  /** By `<experiment>/<episode>`: the worker that it was given to. */
  readonly takenEpisodes: ExpiringMap<string>;
  /** By id; texts. */
  readonly tokens: Map<string, string>;
  /** By the id of a token: when the requests that were let in are used up. */
  readonly rates: ExpiringMap<number>;
}

const lengthOf = (text: string): number => text.length;
const nothing = (): number => 0;

export function createMemoryData(now: () => number, keptBytes: number): MemoryData {
  const experiments = createExpiringMap<ExperimentData>(now, ({ record }) => record.length);
  const episodes = createExpiringMap<EpisodeData>(now, ({ record }) => record.length);
  const outboxTexts = createExpiringMap(now, lengthOf);
  const conversations = createExpiringMap<readonly string[]>(now, (texts) =>
    texts.reduce((sum, { length }) => sum + length, 0),
  );
  const results = createExpiringMap(now, lengthOf);
  const texts = [experiments, episodes, outboxTexts, conversations, results];
  return {
    now,
    rangeId: randomUUID(),
    keptBytes,
    bytes: () => texts.reduce((sum, { bytes }) => sum + bytes, 0),
    experiments,
    submitted: createScoredSet(),
    running: new Set(),
    finished: new Set(),
    lines: createLines(),
    episodes,
    deadlines: createScoredSet(),
    arenas: new Map(),
    suspected: new Map(),
    quarantined: new Map(),
    paused: new Map(),
    outboxOrder: createScoredSet(),
    outboxTexts,
    sent: 0,
    conversations,
    models: createExpiringMap<ModelData>(now, nothing),
    results,
    claims: createExpiringMap<string>(now, nothing),
    starts: createExpiringMap<true>(now, nothing),
    readings: createExpiringMap<QueueReading>(now, nothing),
    sessions: createExpiringMap<SessionData>(now, nothing),
    sessionsLostAt: createScoredSet(),
    takenEpisodes: createExpiringMap<string>(now, nothing),
    tokens: new Map(),
    rates: createExpiringMap<number>(now, nothing),
  };
}

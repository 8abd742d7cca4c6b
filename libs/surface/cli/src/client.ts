import type { Bus, DeadLetters } from "@microremed/bus";
import { connectNatsBus } from "@microremed/bus/nats";
import {
  ClusterList,
  ClusterReleaseReply,
  type ClusterStatus,
  type Conversation,
  ConversationReply,
  type EpisodeRecord,
  ExperimentPage,
  type ExperimentRecord,
  type ExperimentRequestInput,
  PlaybookAnswerReply,
  type RangeEvent,
  type SubmitReply,
  subjects,
} from "@microremed/contracts";
import { AppError, type Logger, type TlsFiles, terminal } from "@microremed/core";

interface FullExperiment {
  readonly experiment: ExperimentRecord;
  readonly episodes: readonly EpisodeRecord[];
}

/** What a client does with a running range; all of it over NATS alone. */
export interface RangeClient extends AsyncDisposable {
  submit(request: ExperimentRequestInput): Promise<SubmitReply>;
  cancel(experimentId: string): Promise<void>;
  /** From the experiment's first event on, until aborted. */
  events(experimentId: string, signal: AbortSignal): AsyncIterable<RangeEvent>;
  /** Those that are stored now. */
  storedEvents(experimentId: string, signal: AbortSignal): AsyncIterable<RangeEvent>;
  readonly deadLetters: DeadLetters;
  /** Creates the streams that are missing; takes the admin's rights. */
  createStreams(replicas?: number): Promise<void>;
  experiment(experimentId: string): Promise<FullExperiment>;
  conversation(episodeId: string): Promise<Conversation>;
  clusters(): Promise<readonly ClusterStatus[]>;
  /** Ends the quarantine of a cluster and its arenas; takes the admin's rights. False: there was none. */
  releaseCluster(cluster: string): Promise<boolean>;
  /** Hands a person's playbook to the episode that waits for it; returns the attempt that it was taken for. */
  answer(episodeId: string, playbook: string): Promise<number>;
}

export interface Connection {
  readonly servers: string;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  readonly tls?: TlsFiles;
}

const rpcMs = 10_000;
/** Bounds the paging over an experiment's episodes: a plan has at most 100,000. */
const maxPages = 100_000;

/** Connects to a range's NATS. Throws `bus-unreachable` when nobody answers there. */
export function connectTo({ servers, user, password, tls }: Connection, log: Logger): Promise<Bus> {
  return connectNatsBus({
    servers,
    name: "microremed-cli",
    ...(user !== undefined && { user }),
    ...(password !== undefined && { password }),
    ...(tls && { tls }),
    log,
  });
}

/** A client of a range; throws as `connectTo`. */
export async function connectClient(connection: Connection, log: Logger): Promise<RangeClient> {
  const bus = await connectTo(connection, log);
  return {
    submit: (request) => bus.submit(request),
    cancel: async (experimentId) => {
      await bus.publish(subjects.cancel, { experimentId }, { msgId: `cancel/${experimentId}` });
    },
    events: (experimentId, signal) => bus.readEvents(experimentId, { signal }),
    storedEvents: (experimentId, signal) => bus.readEvents(experimentId, { signal, follow: false }),
    deadLetters: bus.deadLetters,
    createStreams: (replicas) => bus.ensureStreams(replicas === undefined ? {} : { replicas }),
    experiment: (experimentId) => readExperiment(bus, experimentId),
    conversation: async (episodeId) => {
      const reply = await bus.request(
        subjects.conversationQuery,
        { episodeId },
        { schema: ConversationReply, timeoutMs: rpcMs },
      );
      return reply.conversation;
    },
    clusters: async () => {
      const options = { schema: ClusterList, timeoutMs: rpcMs };
      return (await bus.request(subjects.clustersQuery, {}, options)).clusters;
    },
    releaseCluster: async (cluster) => {
      const options = { schema: ClusterReleaseReply, timeoutMs: rpcMs };
      return (await bus.request(subjects.clusterRelease, { cluster }, options)).released;
    },
    answer: async (episodeId, playbook) => {
      const subject = subjects.answer(episodeId);
      const options = { schema: PlaybookAnswerReply, timeoutMs: rpcMs };
      const reply = await bus.request(subject, { episodeId, playbook }, options);
      return reply.attempt;
    },
    [Symbol.asyncDispose]: () => bus[Symbol.asyncDispose](),
  };
}

async function readExperiment(bus: Bus, experimentId: string): Promise<FullExperiment> {
  const episodes: EpisodeRecord[] = [];
  let from = 0;
  for (let page = 0; page < maxPages; page += 1) {
    const reply = await bus.request(
      subjects.experimentQuery,
      { experimentId, from },
      { schema: ExperimentPage, timeoutMs: rpcMs },
    );
    if (reply.status === "error") throw new AppError(reply.error.code, reply.error.message);
    episodes.push(...reply.episodes);
    if (reply.next === null) return { experiment: reply.experiment, episodes };
    from = reply.next;
  }
  throw terminal("internal", `experiment ${experimentId} has more than ${maxPages} pages of episodes`);
}

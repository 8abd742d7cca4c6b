import type { Bus, DeadLetters } from "@microremed/bus";
import {
  type CancelRequest,
  ClusterList,
  ClusterReleaseReply,
  type ClusterStatus,
  type Conversation,
  type EpisodeRecord,
  ExperimentList,
  type ExperimentRecord,
  type ExperimentRequestInput,
  episodeIndexOf,
  experimentIdOf,
  type ListedExperiment,
  ModelCheckReply,
  PlaybookAnswerReply,
  type RangeEvent,
  type SubmitReply,
  subjects,
} from "@microremed/contracts";
import { terminal } from "@microremed/core";
import { readConversation, readExperiment, readPage, rpcMs } from "./read-pages.ts";

/** An experiment with all of its episodes, by index. */
export interface FullExperiment {
  readonly experiment: ExperimentRecord;
  readonly episodes: readonly EpisodeRecord[];
}

/** What a client does with a running range; it needs nothing but the bus. */
export interface RangeClient extends AsyncDisposable {
  submit(request: ExperimentRequestInput): Promise<SubmitReply>;
  /** Ends an experiment. `by`: its agent leaves, which is charged to it; absent: it is ended from outside. */
  cancel(experimentId: string, by?: "agent"): Promise<void>;
  /** From the experiment's first event on, until aborted. */
  events(experimentId: string, signal: AbortSignal): AsyncIterable<RangeEvent>;
  /** Those that are stored now. */
  storedEvents(experimentId: string, signal: AbortSignal): AsyncIterable<RangeEvent>;
  readonly deadLetters: DeadLetters;
  /** Creates the streams that are missing; takes the admin's rights. */
  createStreams(replicas?: number): Promise<void>;
  /** Those that were submitted last, the newest first; at most 200. */
  experiments(limit: number): Promise<readonly ListedExperiment[]>;
  experiment(experimentId: string): Promise<FullExperiment>;
  /** An experiment without its episodes. */
  experimentRecord(experimentId: string): Promise<ExperimentRecord>;
  /** An experiment, and as many episodes from index `from` as fit in one message; `next`: index of the next ones, null: there are none. */
  episodes(
    experimentId: string,
    from: number,
    limit: number,
  ): Promise<FullExperiment & { readonly next: number | null }>;
  /** One episode, and the experiment that it belongs to. */
  episode(
    episodeId: string,
  ): Promise<{ readonly experiment: ExperimentRecord; readonly record: EpisodeRecord }>;
  conversation(episodeId: string): Promise<Conversation>;
  /** Has a model asked one short question. Throws `bus-unreachable` when no remediator that serves it answers. */
  checkModel(model: string, timeoutSeconds: number): Promise<ModelCheckReply>;
  clusters(): Promise<readonly ClusterStatus[]>;
  /** Ends the quarantine of a cluster and its arenas; takes the admin's rights. False: there was none. */
  releaseCluster(cluster: string): Promise<boolean>;
  /** Hands a person's playbook to the episode that waits for it; returns the attempt that it was taken for. */
  answer(episodeId: string, playbook: string): Promise<number>;
}

/** A client over a connection to the range's bus. Disposing it closes the connection. */
export function createRangeClient(bus: Bus): RangeClient {
  return {
    submit: (request) => bus.submit(request),
    cancel: async (experimentId, by) => {
      const request: CancelRequest = { experimentId, ...(by && { by }) };
      const msgId = by === undefined ? `cancel/${experimentId}` : `cancel/${experimentId}/${by}`;
      await bus.publish(subjects.cancel, request, { msgId });
    },
    events: (experimentId, signal) => bus.readEvents(experimentId, { signal }),
    storedEvents: (experimentId, signal) => bus.readEvents(experimentId, { signal, follow: false }),
    deadLetters: bus.deadLetters,
    createStreams: (replicas) => bus.ensureStreams(replicas === undefined ? {} : { replicas }),
    experiments: async (limit) => {
      const options = { schema: ExperimentList, timeoutMs: rpcMs };
      return (await bus.request(subjects.experimentList, { limit }, options)).experiments;
    },
    experiment: (experimentId) => readExperiment(bus, experimentId),
    episodes: (experimentId, from, limit) => readPage(bus, { experimentId, from, limit }),
    experimentRecord: async (experimentId) =>
      (await readPage(bus, { experimentId, from: 0, limit: 1 })).experiment,
    episode: async (id) => {
      const wanted = { experimentId: experimentIdOf(id), from: episodeIndexOf(id), limit: 1 };
      const { experiment, episodes } = await readPage(bus, wanted);
      const record = episodes.find((one) => one.id === id);
      if (record) return { experiment, record };
      throw terminal("unknown-experiment", `experiment ${experiment.id} has no episode ${id}`);
    },
    conversation: (episodeId) => readConversation(bus, episodeId),
    checkModel: (model, timeoutSeconds) =>
      bus.request(
        subjects.checkModel(model),
        { model, timeoutSeconds },
        { schema: ModelCheckReply, timeoutMs: timeoutSeconds * 1000 + rpcMs },
      ),
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

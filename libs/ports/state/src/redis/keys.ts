/** Every key in Redis. Scripts build the keys of what they choose themselves (an arena, an experiment) by the same rules. */
export function createKeys(prefix: string) {
  const experiment = (id: string): string => `${prefix}experiment:${id}`;
  return {
    prefix,
    /** String: identity of the range. */
    range: `${prefix}range`,
    /** Hash: record, ready, wants, clusters, maxParallel, priority, lanes (models), owner, total, planned, done, cancelled, cancelledBy, finished. */
    experiment,
    /** Sorted set of episode ids by lane and index (see lanes.lua): planned, waiting for an arena. */
    pending: (id: string) => `${experiment(id)}:pending`,
    /** Set of episode ids: neither planned nor done. */
    active: (id: string) => `${experiment(id)}:active`,
    /** Sorted set of every experiment's id by its time of submission, ms. */
    experiments: `${prefix}experiments`,
    /** Hash by `<experiment>/<lane>`: why the episodes of that model get no arena; JSON. */
    pausedModels: `${prefix}experiments:paused`,
    /** Set of ids: not finished. */
    running: `${prefix}experiments:running`,
    /** Sorted set of owners with experiments that wait, by when each came or was served last (see lines.lua). */
    waitingOwners: `${prefix}experiments:owners`,
    /**
     * Sorted set of ids with pending episodes, by what they have been given (see lease-next.lua): the least is next. Those of an
     * owner are in one of their own.
     */
    waiting: `${prefix}experiments:waiting`,
    waitingOf: (owner: string) => `${prefix}experiments:waiting${owner === "" ? "" : `:${owner}`}`,
    /** What the experiment served last had been given before: where those begin that come new; one for each owner, as before. */
    ticket: `${prefix}experiments:ticket`,
    /** Hash: version, body. */
    episode: (id: string) => `${prefix}episode:${id}`,
    /** Sorted set of episode ids by when the stage that is out is checked next, ms of wall clock. */
    deadlines: `${prefix}deadlines`,
    /** Hash: cluster, slot, fence, episode, deployed, quarantined, quarantinedAt (s). `name` is `<cluster>/<slot>`. */
    arena: (name: string) => `${prefix}arena:${name}`,
    /** Sets of arena names. */
    arenas: `${prefix}arenas`,
    freeArenas: `${prefix}arenas:free`,
    /** Hash by cluster: what has failed there since something last went well, with weights; JSON. */
    suspectedClusters: `${prefix}clusters:suspected`,
    /** Hash by cluster: why it gets no episodes; JSON. */
    quarantinedClusters: `${prefix}clusters:quarantined`,
    /** Sorted set of leased arenas' names by the wall-clock end of the lease, ms. */
    leases: `${prefix}arenas:leases`,
    /** Sorted set of message numbers by when they may be claimed, microseconds; hash of the messages; counter. */
    outboxOrder: `${prefix}outbox:order`,
    outboxBodies: `${prefix}outbox:bodies`,
    outboxCounter: `${prefix}outbox:counter`,
    /** List of chat messages. */
    conversation: (episodeId: string, trial: number, beside?: string) =>
      `${prefix}conversation:${episodeId}/${trial}${beside === undefined ? "" : `/${beside}`}`,
    /** Hash: requestsAt, tokensAt, pausedUntil, circuitUntil (ms), failures, trying. */
    model: (name: string) => `${prefix}model:${name}`,
    /** String: the result of one stage. */
    result: (stageKey: string) => `${prefix}result:${stageKey}`,
    /** String: who works on one command; expires. */
    claim: (stageKey: string) => `${prefix}claim:${stageKey}`,
    /** String: set when a command is begun that must not be done twice; expires. */
    start: (stageKey: string) => `${prefix}start:${stageKey}`,
    /** String: a token of the gateway, without its secret; JSON. Set of the ids of all. */
    token: (id: string) => `${prefix}token:${id}`,
    tokens: `${prefix}tokens`,
    /** Hash: record, and `seat:<worker>`: what the worker works on; JSON. */
    session: (id: string) => `${prefix}session:${id}`,
    /** Sorted set of the ids of open sessions by when they count as lost, ms. */
    sessions: `${prefix}sessions`,
    /** Set of the ids of a token's open sessions. */
    sessionsOf: (tokenId: string) => `${prefix}sessions:of:${tokenId}`,
    /** Hash by episode: `<session>/<worker>` that it was given to. */
    takenEpisodes: (experimentId: string) => `${prefix}sessions:taken:${experimentId}`,
    /** String: when the requests of a token that were let in are used up, ms; expires. */
    rate: (id: string) => `${prefix}rate:${id}`,
    /** String: when the problems that a token has started are used up, ms; expires. */
    problemRate: (id: string) => `${prefix}rate:${id}:problems`,
    /** String: what was read last of the queue of a subject; JSON; expires. */
    queueReading: (subject: string) => `${prefix}queue:${subject}`,
  };
}

export type Keys = ReturnType<typeof createKeys>;

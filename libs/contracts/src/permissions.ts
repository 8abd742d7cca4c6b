import { type StageService, serviceOfStage, streams } from "./streams.ts";
import { subjects } from "./subjects.ts";

/** As whom one may connect to NATS and Redis: the services, clients (the command line), and who sets the range up. */
export const users = [
  "scheduler",
  "injector",
  "remediator",
  "executor",
  "verifier",
  "client",
  "admin",
] as const;
export type User = (typeof users)[number];

export interface NatsRights {
  readonly publish: readonly string[];
  /** A subject, or a subject, a blank and the only queue group in which it may be subscribed. */
  readonly subscribe: readonly string[];
  /**
   * May answer a request at whatever inbox it names, once. Not for whoever takes thousands of messages in ten minutes:
   * NATS then notes each that has a reply subject, as all have that come from a stream, and beyond 4,096 goes through
   * all its notes at every further one.
   */
  readonly answers: boolean;
}

export interface RedisRights {
  /** As in an ACL: `+get`, `+@hash`, `-@dangerous`; later ones win. */
  readonly commands: readonly string[];
  /** Key patterns behind the prefix of all keys. */
  readonly readWrite: readonly string[];
  readonly read: readonly string[];
}

export interface Rights {
  readonly nats: NatsRights;
  /** Undefined: no access at all. */
  readonly redis: RedisRights | undefined;
  readonly doc: string;
}

/** Where a user's replies arrive. Clients have the usual `_INBOX`, so that any NATS client works; nobody reads another's. */
export function inboxPrefix(user: string | undefined): string {
  const isService = user !== "client" && users.some((name) => name === user);
  return isService ? `_INBOX_${user}` : "_INBOX";
}

/** JetStream grants by stream: taking, making and settling what one of its consumers gives. */
const consuming = (stream: string): string[] => [
  `$JS.API.CONSUMER.CREATE.${stream}.>`,
  `$JS.API.CONSUMER.INFO.${stream}.*`,
  `$JS.API.CONSUMER.DELETE.${stream}.*`,
  `$JS.API.CONSUMER.MSG.NEXT.${stream}.*`,
  `$JS.API.STREAM.MSG.GET.${stream}`,
  `$JS.ACK.${stream}.>`,
];

/** What everybody may ask: whether JetStream and the streams are there. */
const looking = ["$JS.API.INFO", "$JS.API.STREAM.INFO.*"];

/** Enough for the values that a stage keeps. */
const stageCommands = [
  ...[
    "+ping",
    "+select",
    "+time",
    "+eval",
    "+evalsha",
    "+@string",
    "+@hash",
    "+@list",
    "+sismember",
    "+smembers",
  ],
  ...["+zrange", "+zrangebyscore", "+del", "+exists", "+expire", "+pexpire", "+pttl", "+multi", "+exec"],
];

/** Nothing that lists, flushes, configures or watches; the client asks by INFO whether the server has loaded its files. */
const nothingDangerous = ["-@dangerous", "+info"];

/** A service that does stages: it takes its own commands, and answers and keeps results of its own stages alone. */
function stageRights(
  service: StageService,
  doc: string,
  more: Partial<NatsRights> & { readonly keys?: readonly string[] } = {},
): Rights {
  const stages = Object.entries(serviceOfStage)
    .filter(([, owner]) => owner === service)
    .map(([stage]) => stage);
  return {
    doc,
    nats: {
      publish: [
        ...looking,
        ...consuming(streams[service].name),
        ...stages.map((stage) => `microremed.results.${stage}`),
        subjects.deadLetter(service),
        ...(more.publish ?? []),
      ],
      subscribe: [`${inboxPrefix(service)}.>`, ...(more.subscribe ?? [])],
      answers: more.answers ?? false,
    },
    redis: {
      commands: [...stageCommands, ...nothingDangerous],
      readWrite: [
        ...stages.flatMap((stage) => [`result:*/${stage}`, `claim:*/${stage}`]),
        ...(more.keys ?? []),
      ],
      read: ["arena:*", "arenas", "arenas:leases"],
    },
  };
}

/**
 * What each user may do at NATS and at Redis, and nothing besides. The servers' configurations are rendered from this
 * (`@microremed/servers`), and so are the tables in the documentation; a service that needs more gets it here.
 */
export const permissions: Readonly<Record<User, Rights>> = {
  scheduler: {
    doc: "takes requests, results and dead letters; sends commands and events; owns episodes, arenas and the outbox",
    nats: {
      publish: [
        ...looking,
        // The lengths of the queues, which it counts for operators.
        "$JS.API.CONSUMER.LIST.*",
        ...[streams.experiments, streams.results, streams.deadletters].flatMap(({ name }) => consuming(name)),
        "microremed.commands.>",
        "microremed.events.>",
        "microremed.rpc.look.*",
        subjects.deadLetter("scheduler"),
        `${inboxPrefix("client")}.>`,
        `${inboxPrefix("admin")}.>`,
      ],
      subscribe: [
        `${inboxPrefix("scheduler")}.>`,
        `${subjects.experimentQuery} scheduler`,
        `${subjects.conversationQuery} scheduler`,
        `${subjects.clustersQuery} scheduler`,
        `${subjects.clusterRelease} scheduler`,
      ],
      // At the inboxes above.
      answers: false,
    },
    redis: {
      commands: [...stageCommands, "+@set", "+@sortedset", "+discard", ...nothingDangerous],
      readWrite: ["experiment*", "episode:*", "deadlines", "arena*", "clusters:*", "outbox:*"],
      read: ["conversation:*", "result:*", "claim:*"],
    },
  },
  injector: stageRights("injector", "deploys, injects, restores; looks whether clusters answer", {
    subscribe: ["microremed.rpc.look.* injector"],
    answers: true,
  }),
  remediator: stageRights("remediator", "calls models; asks executors for probes; keeps conversations", {
    publish: ["microremed.rpc.probe.*"],
    subscribe: ["microremed.rpc.answer.* remediator"],
    answers: true,
    keys: ["conversation:*", "model:*"],
  }),
  executor: stageRights("executor", "runs playbooks and answers probes", {
    subscribe: ["microremed.rpc.probe.* executor"],
    answers: true,
  }),
  verifier: stageRights("verifier", "judges"),
  client: {
    doc: "submits and cancels experiments, reads events, episodes, conversations, clusters and dead letters",
    nats: {
      publish: [
        ...looking,
        ...[streams.events, streams.deadletters].flatMap(({ name }) => consuming(name)),
        subjects.submit,
        subjects.cancel,
        subjects.experimentQuery,
        subjects.conversationQuery,
        subjects.clustersQuery,
        "microremed.rpc.answer.*",
      ],
      // Events also as they come, for clients that know nothing of JetStream.
      subscribe: [`${inboxPrefix("client")}.>`, "microremed.events.>"],
      answers: false,
    },
    redis: undefined,
  },
  admin: {
    doc: "sets the range up (streams), retries and drops dead letters, ends quarantines, looks into everything",
    nats: { publish: [">"], subscribe: [">"], answers: false },
    redis: { commands: ["+@all"], readWrite: ["*"], read: [] },
  },
};

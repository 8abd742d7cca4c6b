import { catalog, kindOf } from "./messages/catalog.ts";
import { type Message, patternOf, subjectOf } from "./messages/define-message.ts";
import { stageResult } from "./messages/stage-result.ts";
import { type Party, parties, type StageService } from "./parties.ts";
import { stagesOf } from "./stages/stages.ts";
import { streams, streamsOf } from "./streams.ts";

/** The users of NATS and Redis. */
export const users = parties;

/** The name of a user at NATS and Redis. */
export type User = Party;

/** Rights at NATS: subjects, in which `*` is any token and `>` the rest. */
export interface NatsRights {
  readonly publish: readonly string[];
  /** A subject, or a subject, a blank and the only queue group in which it may be subscribed. */
  readonly subscribe: readonly string[];
  /**
   * May answer a request at the inbox it names, once. Not for users that receive thousands of messages in ten minutes:
   * NATS then notes each that has a reply subject, as all have that come from a stream, and beyond 4,096 goes through
   * all its notes at every further one.
   */
  readonly answers: boolean;
}

/** Rights at Redis, as its ACLs have them. */
export interface RedisRights {
  /** As in an ACL: `+get`, `+@hash`, `-@dangerous`; later ones win. */
  readonly commands: readonly string[];
  /** Key patterns behind the prefix of all keys. */
  readonly readWrite: readonly string[];
  readonly read: readonly string[];
}

/** All rights of one user. */
export interface Rights {
  readonly nats: NatsRights;
  /** Undefined: no access at all. */
  readonly redis: RedisRights | undefined;
  readonly doc: string;
}

/** Where a user's replies arrive. Clients have the usual `_INBOX`, so that any NATS client works; no user can read another's. */
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

/** Every user may ask whether JetStream and the streams exist. */
const inspecting = ["$JS.API.INFO", "$JS.API.STREAM.INFO.*"];

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

/** Messages that a user sends, each as the subjects that it may publish to. */
function sentBy(user: User): string[] {
  return catalog.filter(({ from }) => from.includes(user)).flatMap((message) => ownSubjects(message, user));
}

function ownSubjects(message: Message, user: User): string[] {
  if (message.name === stageResult.name)
    return stagesOf(user as StageService).map((stage) => subjectOf(stageResult, { stage }));
  return [patternOf({ subject: message.subject.replace("<service>", user) })];
}

/** The streams of the messages that are addressed to a user, without the other services' commands. */
function streamsFor(user: User): string[] {
  const kinds = catalog.filter(({ to, reply }) => to.includes(user) && !reply).map(kindOf);
  return [...new Set(kinds)].flatMap((kind) =>
    kind === "commands" ? streams[user as StageService].name : streamsOf(kind).map(({ name }) => name),
  );
}

/** The requests that a user answers, each in its queue group. */
function answeredBy(user: User): string[] {
  return catalog
    .filter(({ to, reply }) => to.includes(user) && reply)
    .map((message) => `${patternOf(message)} ${user}`);
}

/** What follows from the catalogue: streams to take from, subjects to send to, requests to answer. */
function natsRights(user: User, more: Partial<NatsRights> = {}): NatsRights {
  return {
    publish: [
      ...inspecting,
      ...streamsFor(user).flatMap(consuming),
      ...sentBy(user),
      ...(more.publish ?? []),
    ],
    subscribe: [`${inboxPrefix(user)}.>`, ...answeredBy(user), ...(more.subscribe ?? [])],
    answers: more.answers ?? answeredBy(user).length > 0,
  };
}

/** A service that does stages: it keeps results of its own stages alone, and values under `keys`. */
function stageRights(service: StageService, doc: string, keys: readonly string[] = []): Rights {
  return {
    doc,
    nats: natsRights(service),
    redis: {
      commands: [...stageCommands, ...nothingDangerous],
      readWrite: [
        ...stagesOf(service).flatMap((stage) => [`result:*/${stage}`, `claim:*/${stage}`]),
        ...stagesOf(service).flatMap((stage) => (stage === "act" ? ["start:*/act"] : [])),
        ...keys,
      ],
      read: ["arena:*", "arenas", "arenas:leases"],
    },
  };
}

/**
 * What each user may do at NATS and at Redis, and nothing besides. The servers' configurations are rendered from this
 * (`@microremed/servers`), and so are the tables in the documentation. Rights to messages follow from the catalogue.
 */
export const permissions: Readonly<Record<User, Rights>> = {
  scheduler: {
    doc: "takes requests, results and dead letters; sends commands and events; owns episodes, arenas and the outbox",
    nats: natsRights("scheduler", {
      // The lengths of the queues, which it counts for operators; and the inboxes that it answers.
      publish: [
        "$JS.API.CONSUMER.LIST.*",
        `${inboxPrefix("client")}.>`,
        `${inboxPrefix("gateway")}.>`,
        `${inboxPrefix("remediator")}.>`,
        `${inboxPrefix("admin")}.>`,
      ],
      answers: false,
    }),
    redis: {
      commands: [...stageCommands, "+@set", "+@sortedset", "+discard", ...nothingDangerous],
      readWrite: ["experiment*", "episode:*", "deadlines", "arena*", "clusters:*", "outbox:*", "queue:*"],
      read: ["conversation:*", "result:*", "claim:*"],
    },
  },
  injector: stageRights("injector", "deploys, injects, restores; checks whether clusters answer", ["range"]),
  remediator: stageRights("remediator", "calls models; asks executors for probes; keeps conversations", [
    "conversation:*",
    "model:*",
  ]),
  executor: stageRights("executor", "runs playbooks and answers probes"),
  verifier: stageRights("verifier", "verifies and grades"),
  gateway: {
    doc: "answers people and agents over HTTP: sends what clients send, reads events; reads tokens",
    nats: natsRights("gateway", { subscribe: streams.events.subjects }),
    redis: {
      commands: [...stageCommands, "+@set", "+@sortedset", ...nothingDangerous],
      readWrite: ["rate:*", "session*"],
      read: ["token:*", "tokens"],
    },
  },
  client: {
    doc: "submits and cancels experiments, reads events, episodes, conversations, clusters and dead letters",
    nats: natsRights("client", {
      // Events also as they come, for clients that know nothing of JetStream.
      subscribe: streams.events.subjects,
    }),
    redis: undefined,
  },
  admin: {
    doc: "sets the range up (streams), retries and drops dead letters, ends quarantines, reads everything",
    nats: { publish: [">"], subscribe: [">"], answers: false },
    redis: { commands: ["+@all"], readWrite: ["*"], read: [] },
  },
};

import type { Stage } from "./results.ts";

/**
 * A name as one NATS token: characters other than letters, digits, dash and underscore become `=` and their code in
 * hex, so that different names stay different (`reference/noop` -> `reference=2fnoop`).
 */
export function subjectToken(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, (char) => `=${char.charCodeAt(0).toString(16).padStart(2, "0")}`);
}

/** The name that `subjectToken` made the token of. */
export function nameOfToken(token: string): string {
  return token.replace(/=([0-9a-f]{2})/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/** The commands that a cluster shard serves, and the one that a model shard serves. */
export type CommandName = Stage;

export const subjects = {
  submit: "microremed.experiments.submit",
  cancel: "microremed.experiments.cancel",
  /** `shard` is a cluster's name, or the model's for `remediate`. */
  command: (name: CommandName, shard: string) => `microremed.commands.${name}.${subjectToken(shard)}`,
  /** The commands of a stage for every cluster or model. */
  commandOfAll: (name: CommandName) => `microremed.commands.${name}.*`,
  result: (stage: Stage) => `microremed.results.${stage}`,
  /** `episode` is `-` for events of the whole experiment. */
  event: (experimentId: string, episode: string, type: string) =>
    `microremed.events.${subjectToken(experimentId)}.${subjectToken(episode)}.${type}`,
  eventsOf: (experimentId: string) => `microremed.events.${subjectToken(experimentId)}.>`,
  deadLetter: (service: string) => `microremed.deadletters.${subjectToken(service)}`,
  probe: (cluster: string) => `microremed.rpc.probe.${subjectToken(cluster)}`,
  answer: (episode: string) => `microremed.rpc.answer.${subjectToken(episode)}`,
  experimentQuery: "microremed.rpc.experiments",
  conversationQuery: "microremed.rpc.conversations",
  look: (cluster: string) => `microremed.rpc.look.${subjectToken(cluster)}`,
  clustersQuery: "microremed.rpc.clusters",
  clusterRelease: "microremed.rpc.release",
} as const;

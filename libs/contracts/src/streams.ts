import type { Stage } from "./results.ts";

/** Nanoseconds, as JetStream counts ages. */
const hours = (n: number): number => n * 3600 * 1e9;

/** The services that do an episode's stages. */
export type StageService = "injector" | "remediator" | "executor" | "verifier";

/** Which service does a stage: it alone may take the commands, and publish the results. */
export const serviceOfStage = {
  prepare: "injector",
  inject: "injector",
  remediate: "remediator",
  execute: "executor",
  verify: "verifier",
  restore: "injector",
} as const satisfies Record<Stage, StageService>;

export interface StreamSpec {
  readonly name: string;
  readonly subjects: readonly string[];
  readonly retention: "workqueue" | "limits";
  /** Nanoseconds; 0: for ever. */
  readonly maxAge: number;
  /** -1: no bound. */
  readonly maxBytes: number;
  readonly doc: string;
}

/** A stream per service, so that NATS can keep services from one another's commands: it grants rights by stream. */
const commandsOf = <N extends string>(name: N, service: StageService): StreamSpec & { readonly name: N } => ({
  name,
  subjects: Object.entries(serviceOfStage)
    .filter(([, owner]) => owner === service)
    .map(([stage]) => `microremed.commands.${stage}.*`),
  retention: "workqueue",
  maxAge: hours(24 * 7),
  maxBytes: 256 * 2 ** 20,
  doc: `one command per stage, consumed by the ${service}`,
});

/** Every stream of the product. `ensureStreams` in the bus creates what is missing. */
export const streams = {
  experiments: {
    name: "EXPERIMENTS",
    subjects: ["microremed.experiments.>"],
    retention: "workqueue",
    maxAge: hours(24 * 7),
    maxBytes: 256 * 2 ** 20,
    doc: "requests and cancellations, consumed by the scheduler",
  },
  injector: commandsOf("COMMANDS_INJECTOR", "injector"),
  remediator: commandsOf("COMMANDS_REMEDIATOR", "remediator"),
  executor: commandsOf("COMMANDS_EXECUTOR", "executor"),
  verifier: commandsOf("COMMANDS_VERIFIER", "verifier"),
  results: {
    name: "RESULTS",
    subjects: ["microremed.results.>"],
    retention: "workqueue",
    maxAge: hours(24 * 7),
    maxBytes: 1024 * 2 ** 20,
    doc: "what came of each command, consumed by the scheduler",
  },
  events: {
    name: "EVENTS",
    subjects: ["microremed.events.>"],
    retention: "limits",
    maxAge: hours(24 * 30),
    maxBytes: 1024 * 2 ** 20,
    doc: "what happened, for people and exporters: the audit log",
  },
  deadletters: {
    name: "DEADLETTERS",
    subjects: ["microremed.deadletters.>"],
    retention: "limits",
    maxAge: hours(24 * 30),
    maxBytes: 256 * 2 ** 20,
    doc: "messages that nobody could handle, for a person",
  },
} as const satisfies Record<string, StreamSpec>;

/** The stream in which the commands of a stage wait. */
export function commandStream(stage: Stage): StreamSpec {
  return streams[serviceOfStage[stage]];
}

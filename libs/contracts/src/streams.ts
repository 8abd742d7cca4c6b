import { patternOf } from "./messages/define-message.ts";
import type { StageService } from "./parties.ts";
import { type Stage, stageNames, stages, stagesOf } from "./stages/stages.ts";

/** Nanoseconds, as JetStream counts ages. */
const hours = (n: number): number => n * 3600 * 1e9;

/** Which service does a stage: it alone may take the commands, and publish the results. */
export const serviceOfStage = Object.fromEntries(
  stageNames.map((stage) => [stage, stages[stage].service]),
) as { readonly [S in Stage]: (typeof stages)[S]["service"] };

/** A JetStream stream. `workqueue`: a message is removed once it is handled; `limits`: by age and size alone. */
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
  subjects: stagesOf(service).map((stage) => patternOf(stages[stage].message)),
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
    doc: "the result of each command, consumed by the scheduler",
  },
  events: {
    name: "EVENTS",
    subjects: ["microremed.events.>"],
    retention: "limits",
    maxAge: hours(24 * 30),
    maxBytes: 1024 * 2 ** 20,
    doc: "events for people and exporters: the audit log",
  },
  deadletters: {
    name: "DEADLETTERS",
    subjects: ["microremed.deadletters.>"],
    retention: "limits",
    maxAge: hours(24 * 30),
    maxBytes: 256 * 2 ** 20,
    doc: "messages that no service could handle, for a person to decide on",
  },
} as const satisfies Record<string, StreamSpec>;

/** The streams that a kind of message (the second token of its subject) waits in; requests with a reply have none. */
export function streamsOf(kind: string): readonly StreamSpec[] {
  return Object.values(streams).filter(({ subjects }) =>
    subjects.some((subject) => subject.split(".")[1] === kind),
  );
}

/** The stream in which the commands of a stage wait. */
export function commandStream(stage: Stage): StreamSpec {
  return streams[serviceOfStage[stage]];
}

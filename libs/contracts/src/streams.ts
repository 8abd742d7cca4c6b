/** Nanoseconds, as JetStream counts ages. */
const hours = (n: number): number => n * 3600 * 1e9;

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
  commands: {
    name: "COMMANDS",
    subjects: ["microremed.commands.>"],
    retention: "workqueue",
    maxAge: hours(24 * 7),
    maxBytes: 1024 * 2 ** 20,
    doc: "one command per stage, consumed by the service that owns the stage",
  },
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

import type { Probe, ProbeReply } from "@microremed/contracts";

/** What every reading of an arena needs. */
interface ReadingRun {
  /** YAML text. A reading run has read-only credentials, and every request of it is checked too (`reviewReading`). */
  readonly kubeconfig: string;
  /** Ms: wall clock in a sandbox, cluster time in process. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Characters of output kept. Default: 128 Ki. */
  readonly maxOutput?: number;
}

/** One shell command that only reads. */
export interface ProbeRun extends ReadingRun {
  readonly command: string;
}

/** A question that kubectl answers. */
export type KubectlQuestion = Extract<Probe, { kind: "logs" | "events" | "metrics" | "topology" }>;

/** One question to the arena's logs, metrics, events or topology. */
export interface TelemetryRun extends ReadingRun {
  readonly probe: KubectlQuestion;
}

/** One shell command that may change something: the credentials are what bounds it. */
export interface CommandRun extends ReadingRun {
  readonly command: string;
  /** Awaited before anything goes out to the API server; once it throws, nothing does any more. */
  readonly mayPass?: () => Promise<void>;
  /** Is called with the reason when a connection to the API server cannot be made. */
  readonly onUnreachable?: (why: string) => void;
}

/** Reads arenas for models, and runs their commands. What a command is or does is a reply; thrown is what is the machine's or the harness's fault. */
export interface Prober {
  /** Runs one reading shell command, or refuses it and says why. */
  runProbe(run: ProbeRun): Promise<ProbeReply>;
  /**
   * Runs one reading shell command whatever its text says. Each of its requests is checked, and what does not read is not
   * sent; then the reply is a refusal too.
   */
  runReading(run: ProbeRun): Promise<ProbeReply>;
  /** Runs one shell command as it is. */
  runCommand(run: CommandRun): Promise<ProbeReply>;
  /** Answers one question to the telemetry. */
  runTelemetry(run: TelemetryRun): Promise<ProbeReply>;
}

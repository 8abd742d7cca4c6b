import type { KubeConfig } from "@kubernetes/client-node";

/** Something a cluster may lack without being any less a Kubernetes. */
export type Need = Feature | Since;
export type Feature = "chaos-mesh" | "metrics-server" | "pod-resize" | "two-nodes";
/** A version from which on the case holds. */
export type Since = `Kubernetes 1.${number}`;

/** An object as a manifest has it. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name?: string; readonly [field: string]: unknown };
  readonly [field: string]: unknown;
}

export interface Ran {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly input?: string;
  /** Service account of the case's namespace whose token is used instead of the admin's credentials. */
  readonly as?: string;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

/** One cluster, with every client's way to reach it. */
export interface Target {
  readonly kubeconfig: string;
  readonly config: KubeConfig;
  /** Where clients may leave files; HOME of all that are started. */
  readonly dir: string;
  /** Starts a client; never rejects for an exit code. */
  run(program: string, args: readonly string[], options: ProcessOptions): Promise<Ran>;
  /** Starts a client that goes on until it is disposed of. */
  serve(program: string, args: readonly string[], options: ProcessOptions): Serving;
  http(method: string, path: string, options: HttpOptions): Promise<HttpAnswer>;
}

/** A client that runs, e.g. `kubectl proxy`. */
export interface Serving extends AsyncDisposable {
  /** Waits until it has printed this, on either stream. Rejects with what it printed instead when it ends. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
}

export interface ProcessOptions {
  readonly signal: AbortSignal;
  readonly input?: string;
  readonly cwd?: string;
}

export interface HttpOptions {
  readonly signal: AbortSignal;
  readonly body?: string;
  readonly contentType?: string;
  readonly accept?: string;
}

/** What a case's steps work with. */
export interface CaseContext {
  readonly target: Target;
  /** The case's own, empty at the start, removed after it. Replaces `$NS` in commands, manifests and patterns. */
  readonly namespace: string;
  readonly signal: AbortSignal;
  /** Replaces `$NS` by the namespace's name. */
  fill(text: string): string;
  kubectl(args: readonly string[], options?: RunOptions): Promise<Ran>;
  /** A kubectl command that goes on until it is disposed of. */
  serving(args: readonly string[]): Serving;
  /** Runs when the case ends, however it ends, last one first. */
  afterwards(action: () => Promise<void>): void;
}

/** One thing that is done, or demanded. Rejects with what was expected and what was seen. */
export interface Step {
  readonly needs?: Need;
  readonly run: (context: CaseContext) => Promise<void>;
}

export interface Case {
  readonly name: string;
  readonly steps: readonly Step[];
}

/** Text in one client's own language; all scripts of an area share one start of that client. */
export interface Script {
  readonly name: string;
  readonly script: string;
}

/** Runs several scripts in one process; gives for each what went wrong, undefined when nothing did. */
export type Interpreter = (
  target: Target,
  jobs: readonly (Script & { readonly namespace: string })[],
  signal: AbortSignal,
) => Promise<readonly (string | undefined)[]>;

interface AreaBase {
  readonly name: string;
  readonly needs?: Need;
  /** Its cases close nodes to pods, so that those of other cases would wait: they run after the others, one at a time. */
  readonly closesNodes?: true;
}

export type Area =
  | (AreaBase & { readonly cases: readonly Case[] })
  | (AreaBase & { readonly interpreter: Interpreter; readonly scripts: readonly Script[] });

/** `skipped`: the cluster or this machine lacks what the case needs. */
export type Outcome = "passed" | "failed" | "skipped";

/** How one case ended. */
export interface CaseResult {
  readonly area: string;
  readonly name: string;
  readonly outcome: Outcome;
  /** What went wrong, or why it was skipped. */
  readonly reason?: string;
  /** Wall clock, ms; for scripts the whole process's. */
  readonly ms: number;
  /** Which try this was; left out for the first. */
  readonly attempt?: number;
}

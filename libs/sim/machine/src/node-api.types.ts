import type { ContainerRuntime, PodSandbox } from "./machine.ts";

/** A command for a running container, as `kubectl exec` sends it. */
export interface ExecRequest {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  readonly command: readonly string[];
  /** Undefined when the client attached no stdin; ends when the client closes it. */
  readonly stdin: AsyncIterable<Uint8Array> | undefined;
  readonly tty: boolean;
  stdout(chunk: Uint8Array | string): void;
  stderr(chunk: Uint8Array | string): void;
  /** Resolves when the client has taken most of what was sent, or has gone; undefined: it takes everything at once. */
  drained?: (() => Promise<void>) | undefined;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
  /** A program that a shell has left in the background: the container's first process is its parent now. */
  readonly orphaned?: boolean;
  /** It is the container's main process: no process of its own. */
  readonly isMain?: boolean;
}

/** `error`: the command could not be started; the text is the runtime's. */
export type ExecResult = { readonly exitCode: number } | { readonly error: string };

/** Runs a command in a running container. The API server has checked that pod and container exist and run. */
export type Exec = (request: ExecRequest) => Promise<ExecResult>;

/** A container whose main process is a shell with a script. */
export interface MainScript {
  readonly sandbox: PodSandbox;
  readonly container: ContainerRuntime;
  /** A program that is not known runs on for ever; else it is tried. */
  readonly staysInUnknown: boolean;
  /** It has come to a program that is not known, which is taken for a server. */
  serves(): void;
  /** The script has ended by itself. */
  ended(exitCode: number): void;
  /** It cannot be run bit by bit. Called once at most, soon after the start. */
  unknown(): void;
}

/**
 * Runs the scripts of containers' main processes, on the cluster's time. Those that only print are run when
 * their log is read, by `ContainerRuntime.printUntil`. Gives the way to stop one; undefined: it is no script.
 */
export type RunMainScript = (main: MainScript) => (() => void) | undefined;

export interface ForwardRequest {
  readonly namespace: string;
  readonly pod: string;
  readonly port: number;
  /** What the client sends; ends when it closes its side. */
  readonly input: AsyncIterable<Uint8Array>;
  output(chunk: Uint8Array): void;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
}

/**
 * Carries one TCP connection to a port inside a running pod, to its end. The text is the container runtime's when
 * nothing listens there; undefined: the connection was made.
 */
export type ForwardPort = (request: ForwardRequest) => Promise<string | undefined>;

/** A GET through the API server's proxy to a node, pod or Service. */
export interface ProxyRequest {
  readonly kind: "nodes" | "pods" | "services";
  readonly namespace: string | undefined;
  readonly name: string;
  readonly port: number | undefined;
  /** With its leading slash. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
}

/** `error`: the backend could not be reached, in the words of the API server's dialler. */
export type ProxyReply =
  | { readonly status: number; readonly contentType: string; readonly body: string }
  | { readonly error: string };

/** Answers what is asked of kubelets, pods and services through the API server. */
export type ProxyBackend = (request: ProxyRequest) => Promise<ProxyReply>;

/** The query of `kubectl logs`. */
export interface LogOptions {
  readonly follow: boolean;
  readonly previous: boolean;
  readonly timestamps: boolean;
  readonly tailLines?: number;
  readonly sinceSeconds?: number;
  /** RFC 3339. */
  readonly sinceTime?: string;
  readonly limitBytes?: number;
}

/** Text of a container's log with its line ends; with `follow` it goes on until `signal` or the container's end. */
export type Logs = (
  target: { readonly namespace: string; readonly pod: string; readonly container: string },
  options: LogOptions,
  signal: AbortSignal,
) => AsyncIterable<string> | string;

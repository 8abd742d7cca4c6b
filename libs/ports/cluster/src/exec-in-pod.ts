import type { IncomingMessage } from "node:http";
import { Readable, Writable } from "node:stream";
import type { V1Status } from "@kubernetes/client-node";
import { AppError, retryable } from "@microremed/core";
import type { ClientOptions, WebSocket } from "ws";
import { causeOf, refusal } from "./cluster-errors.ts";
import { readBody, type Transport } from "./transport.ts";

export interface ExecOptions {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  readonly command: readonly string[];
  /** Ms of cluster time at most; measured on the wall clock, which is never faster. */
  readonly timeoutMs: number;
  /** Of stdout and of stderr; the rest is dropped. Default 256 KiB. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
}

export interface ExecResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs one command in a container, without a shell.
 * Throws `cluster-refused` when the kubelet can't run it (no such pod or container, not running) and
 * `cluster-unreachable` when the connection breaks or the time is up.
 */
export async function execInPod(
  cluster: string,
  transport: Transport,
  options: ExecOptions,
): Promise<ExecResult> {
  const { Exec } = await import("@kubernetes/client-node");
  const { WebSocketHandler } = await import("@kubernetes/client-node/dist/web-socket-handler.js");
  const { WebSocket } = await import("ws");
  const where = `${options.namespace}/${options.pod} (${options.container})`;
  const broken = (why: string): AppError =>
    retryable("cluster-unreachable", `exec in ${where} on cluster ${cluster}: ${why}`, { cluster });
  const { promise: ended, resolve, reject } = Promise.withResolvers<V1Status>();
  const stdout = createSink(options.maxBytes);
  const stderr = createSink(options.maxBytes);

  let socket: WebSocket | undefined;
  let over = false;
  const open = (url: string, protocols: string[], given: ClientOptions): WebSocket => {
    socket = new WebSocket(url, protocols, { ...given, perMessageDeflate: false });
    socket.on("unexpected-response", (_request: unknown, response: IncomingMessage) => {
      readBody(response).then((body) => {
        const error = refusal(cluster, "exec", new URL(url).pathname, response.statusCode ?? 0, body);
        // The kubelet says 500 for a container that does not run: that is an answer, not an outage.
        reject(new AppError("cluster-refused", error.message, { details: error.details }));
      }, reject);
    });
    socket.on("error", (error) => reject(broken(causeOf(error))));
    socket.on("close", () => reject(broken("the connection closed before the command ended")));
    if (over) socket.terminate();
    return socket;
  };
  const streams = { stdin: Readable.from([]), stdout: stdout.stream, stderr: stderr.stream };
  const handler = new WebSocketHandler(transport.config, open, streams);
  const exec = new Exec(transport.config, {
    connect: (path, onText, onBinary) =>
      handler.connect(path, onText, (channel, data) => {
        try {
          return onBinary?.(channel, data) ?? false;
        } catch (error) {
          // Thrown further, a channel or status that it can't read would end the process.
          reject(broken(causeOf(error)));
          return false;
        }
      }),
  });
  const late = setTimeout(() => reject(broken(`no end within ${options.timeoutMs} ms`)), options.timeoutMs);
  const abort = (): void => reject(options.signal?.reason);
  options.signal?.addEventListener("abort", abort, { once: true });
  try {
    const [namespace, pod] = [options.namespace, options.pod].map(encodeURIComponent);
    exec
      .exec(
        namespace ?? "",
        pod ?? "",
        options.container,
        [...options.command],
        stdout.stream,
        stderr.stream,
        null,
        false,
        resolve,
      )
      // Only of credentials: whatever the socket has to say came before.
      .catch((error: unknown) => reject(broken(causeOf(error))));
    const exitCode = exitCodeOf(await ended);
    if (typeof exitCode === "number") return { exitCode, stdout: stdout.text(), stderr: stderr.text() };
    throw new AppError("cluster-refused", `exec in ${where} on cluster ${cluster}: ${exitCode}`);
  } finally {
    over = true;
    clearTimeout(late);
    options.signal?.removeEventListener("abort", abort);
    socket?.terminate();
  }
}

/** The exit code from the status channel, or why the command could not be run. */
function exitCodeOf(status: V1Status): number | string {
  if (status.status === "Success") return 0;
  const cause = status.details?.causes?.find(({ reason }) => reason === "ExitCode");
  const code = Number(cause?.message);
  if (status.reason === "NonZeroExitCode" && Number.isInteger(code)) return code;
  return status.message ?? JSON.stringify(status);
}

/** Keeps the first `maxBytes`; writing to it never waits. */
function createSink(maxBytes = 262_144): { readonly stream: Writable; text(): string } {
  const chunks: Buffer[] = [];
  let left = maxBytes;
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (left > 0) chunks.push(Buffer.from(chunk.subarray(0, left)));
      left -= chunk.length;
      done();
    },
  });
  // Written to after its end, which the status brings: too late to matter.
  stream.on("error", () => {});
  return { stream, text: () => Buffer.concat(chunks).toString("utf8") };
}

import type { IncomingMessage } from "node:http";
import { Readable, Writable } from "node:stream";
import type { KubeConfig, V1Status } from "@kubernetes/client-node";
import { AppError, retryable } from "@microremed/core";
import type { ClientOptions, WebSocket } from "ws";
import { type BoundedText, createBoundedText } from "../bounded-text.ts";
import type { ExecOptions, ExecResult } from "../cluster.types.ts";
import { causeOf, refusal } from "../cluster-errors.ts";
import { exitCodeOf } from "../exit-code.ts";
import { readBody } from "./api-requests.ts";

/**
 * Runs one command in a container, without a shell.
 * Throws `cluster-refused` when the kubelet can't run it (no such pod or container, not running) and
 * `cluster-unreachable` when the connection breaks, `deadline-exceeded` when the time is up: the command may be what hangs.
 */
export async function execOverWebSocket(
  cluster: string,
  config: KubeConfig,
  options: ExecOptions,
): Promise<ExecResult> {
  const { Exec } = await import("@kubernetes/client-node");
  const { WebSocketHandler } = await import("@kubernetes/client-node/dist/web-socket-handler.js");
  const { WebSocket } = await import("ws");
  options.signal?.throwIfAborted();
  const where = `${options.namespace}/${options.pod} (${options.container})`;
  const failure = (code: string, why: string): AppError =>
    retryable(code, `exec in ${where} on cluster ${cluster}: ${why}`, { cluster });
  const broken = (why: string): AppError => failure("cluster-unreachable", why);
  const { promise: ended, resolve, reject } = Promise.withResolvers<V1Status>();
  const [stdout, stderr] = [createBoundedText(options.maxBytes), createBoundedText(options.maxBytes)];
  const streams = { stdin: Readable.from([]), stdout: intoText(stdout), stderr: intoText(stderr) };

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
  const handler = new WebSocketHandler(config, open, streams);
  const exec = new Exec(config, {
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
  const noEnd = failure("deadline-exceeded", `no end within ${options.timeoutMs} ms`);
  const late = setTimeout(() => reject(noEnd), options.timeoutMs);
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
        streams.stdout,
        streams.stderr,
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

/** Writing to it never waits. */
function intoText(text: BoundedText): Writable {
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text.add(chunk);
      done();
    },
  });
  // Written to after its end, which the status brings: too late to matter.
  stream.on("error", () => {});
  return stream;
}

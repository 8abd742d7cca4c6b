import type { IncomingMessage } from "node:http";
import { Readable, Writable } from "node:stream";
import { type AppError, retryable } from "@microremed/core";
import type { RawData, WebSocket } from "ws";
import { causeOf, refusal } from "../cluster-errors.ts";
import { type ExecStatus, exitCodeOf } from "../exit-code.ts";
import { requestPath } from "../request-path.ts";
import { type ApiRequests, readBody } from "./api-requests.ts";

/** A command in a container whose input and output are streams. */
export interface ExecStreamOptions {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  /** The API server's audit log has it. */
  readonly command: readonly string[];
  /** Ms in which the connection must be open. */
  readonly openWithinMs: number;
}

/** A running command. What it reads and prints is held back as the other side holds back. */
export interface ExecStream extends Disposable {
  readonly stdin: Writable;
  /** What it prints, stderr too. Ends when the connection does. */
  readonly output: Readable;
  /**
   * Its exit code. Rejects with `cluster-refused` if the kubelet could not run it, with `cluster-unreachable` if the
   * connection ended first; what became of the command is not known then.
   */
  readonly ended: Promise<number>;
}

/** The one that every kubelet of the last ten years knows: it can't close stdin, so that a protocol over it must not need that. */
const protocol = "v4.channel.k8s.io";
const channels = { stdin: 0, stdout: 1, stderr: 2, status: 3 } as const;
/** A connection without traffic is cut by load balancers; ms. */
const pingEveryMs = 20_000;
const maxMessage = 16 * 2 ** 20;

/** Starts a command in a container. Throws `cluster-refused` and `cluster-unreachable` as `Cluster.exec`. */
export async function openExecStream(
  cluster: string,
  requests: ApiRequests,
  options: ExecStreamOptions,
): Promise<ExecStream> {
  const { WebSocket } = await import("ws");
  const { namespace, pod, container, command, openWithinMs } = options;
  const where = `${namespace}/${pod} (${container})`;
  const broken = (why: string): AppError =>
    retryable("cluster-unreachable", `exec in ${where} on cluster ${cluster}: ${why}`, { cluster });
  const path = requestPath(
    `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(pod)}/exec`,
    { container, stdin: true, stdout: true, stderr: true },
  );
  const words = command.map((word) => `&command=${encodeURIComponent(word)}`).join("");
  const signed: ConstructorParameters<typeof WebSocket>[2] = {};
  await requests.config.applyToHTTPSOptions(signed);
  const url = new URL(requests.config.getCurrentCluster()?.server ?? requests.origin);
  const base = `${url.protocol === "http:" ? "ws:" : "wss:"}//${url.host}${url.pathname.replace(/\/$/, "")}`;
  const socket = new WebSocket(`${base}${path}${words}`, [protocol], {
    ...signed,
    perMessageDeflate: false,
    handshakeTimeout: openWithinMs,
    maxPayload: maxMessage,
  });
  await opened(socket, broken, (status, body) => refusal(cluster, "exec", path, status, body));
  return streamOver(socket, broken);
}

/** Resolves when the socket is open. */
function opened(
  socket: WebSocket,
  broken: (why: string) => AppError,
  refused: (status: number, body: string) => AppError,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.once("open", resolve);
  socket.on("error", (error) => reject(broken(causeOf(error))));
  socket.on("close", () => reject(broken("the connection closed")));
  socket.on("unexpected-response", (_request: unknown, response: IncomingMessage) => {
    readBody(response)
      .then((body) => reject(refused(response.statusCode ?? 0, body)), reject)
      .finally(() => socket.terminate());
  });
  return promise;
}

function streamOver(socket: WebSocket, broken: (why: string) => AppError): ExecStream {
  const { promise: ended, resolve, reject } = Promise.withResolvers<number>();
  // A caller that does not wait for the end must not end the process by that.
  ended.catch(() => undefined);
  const output = new Readable({ read: () => socket.resume() });
  const stdin = new Writable({
    write(chunk: Buffer, _encoding, done) {
      const frame = Buffer.concat([Buffer.of(channels.stdin), chunk]);
      // Its callback is called once the bytes are with the kernel, which is what holds the writer back.
      socket.send(frame, done);
    },
  });
  stdin.on("error", () => {});
  output.on("error", () => {});
  const ping = setInterval(() => socket.readyState === socket.OPEN && socket.ping(), pingEveryMs).unref();
  const finish = (): void => {
    clearInterval(ping);
    output.push(null);
    stdin.destroy();
    reject(broken("the connection closed before the command ended"));
  };
  socket.on("message", (data: RawData) => {
    const frame = Buffer.isBuffer(data) ? data : Buffer.concat([data].flat() as Buffer[]);
    const content = frame.subarray(1);
    switch (frame[0]) {
      case channels.stdout:
      case channels.stderr:
        if (content.length > 0 && !output.push(content)) socket.pause();
        return;
      case channels.status:
        settle(content.toString("utf8"));
        return;
      default:
        return;
    }
  });
  const settle = (text: string): void => {
    try {
      const code = exitCodeOf(JSON.parse(text) as ExecStatus);
      if (typeof code === "number") resolve(code);
      else reject(broken(code));
    } catch (error) {
      reject(broken(causeOf(error)));
    }
  };
  socket.once("close", finish);
  return {
    stdin,
    output,
    ended,
    [Symbol.dispose]() {
      socket.terminate();
      output.resume();
    },
  };
}

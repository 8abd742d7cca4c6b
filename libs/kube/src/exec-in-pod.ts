import type { IncomingMessage } from "node:http";
import { AppError, retryable } from "@microremed/core";
import { readBody, refusal, type Transport } from "./transport.ts";

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

const stdoutChannel = 1;
const stderrChannel = 2;
const statusChannel = 3;

/**
 * Runs one command in a container, without a shell, over a WebSocket.
 * Throws `cluster-refused` when the kubelet can't run it (no such pod or container, not running) and
 * `cluster-unreachable` when the connection breaks or the time is up.
 */
export async function execInPod(
  cluster: string,
  transport: Transport,
  options: ExecOptions,
): Promise<ExecResult> {
  // Loaded on first use: most processes that reach a cluster never exec.
  const { WebSocket } = await import("ws");
  const { tls, authorization } = await transport.access.credentials();
  const path = `/api/v1/namespaces/${options.namespace}/pods/${options.pod}/exec`;
  const url = transport.url(path, { container: options.container, stdout: true, stderr: true });
  for (const word of options.command) url.searchParams.append("command", word);
  url.protocol = url.protocol === "http:" ? "ws:" : "wss:";
  const where = `${options.namespace}/${options.pod} (${options.container})`;

  const { promise, resolve, reject } = Promise.withResolvers<ExecResult>();
  const output = {
    [stdoutChannel]: createSink(options.maxBytes),
    [stderrChannel]: createSink(options.maxBytes),
  };
  const socket = new WebSocket(url, ["v5.channel.k8s.io", "v4.channel.k8s.io"], {
    ...tls,
    headers: authorization === undefined ? {} : { authorization },
    perMessageDeflate: false,
  });
  const broken = (why: string): AppError =>
    retryable("cluster-unreachable", `exec in ${where} on cluster ${cluster}: ${why}`, { cluster });

  socket.on("message", (data: Buffer) => {
    const [channel] = data;
    const payload = data.subarray(1);
    if (channel === stdoutChannel || channel === stderrChannel) output[channel].push(payload);
    if (channel !== statusChannel) return;
    const exitCode = exitCodeOf(payload.toString("utf8"));
    if (typeof exitCode === "number") {
      resolve({ exitCode, stdout: output[stdoutChannel].text(), stderr: output[stderrChannel].text() });
    } else {
      reject(new AppError("cluster-refused", `exec in ${where} on cluster ${cluster}: ${exitCode}`));
    }
  });
  socket.on("unexpected-response", (_request: unknown, response: IncomingMessage) => {
    readBody(response).then((body) => {
      const error = refusal(cluster, "exec", path, response.statusCode ?? 0, body);
      // The kubelet says 500 for a container that does not run: that is an answer, not an outage.
      reject(new AppError("cluster-refused", error.message, { details: error.details }));
    }, reject);
  });
  socket.on("error", (error) => reject(broken(error.message)));
  socket.on("close", () => reject(broken("the connection closed before the command ended")));
  const late = setTimeout(() => reject(broken(`no end within ${options.timeoutMs} ms`)), options.timeoutMs);
  const abort = (): void => reject(options.signal?.reason);
  options.signal?.addEventListener("abort", abort, { once: true });
  try {
    return await promise;
  } finally {
    clearTimeout(late);
    options.signal?.removeEventListener("abort", abort);
    socket.terminate();
  }
}

/** The exit code from the status channel, or why the command could not be run. */
function exitCodeOf(text: string): number | string {
  const status = JSON.parse(text) as {
    status?: string;
    message?: string;
    reason?: string;
    details?: { causes?: { reason?: string; message?: string }[] };
  };
  if (status.status === "Success") return 0;
  const cause = status.details?.causes?.find(({ reason }) => reason === "ExitCode");
  const code = Number(cause?.message);
  if (status.reason === "NonZeroExitCode" && Number.isInteger(code)) return code;
  return status.message ?? text;
}

function createSink(maxBytes = 262_144): { push(chunk: Buffer): void; text(): string } {
  const chunks: Buffer[] = [];
  let left = maxBytes;
  return {
    push(chunk) {
      if (left <= 0) return;
      chunks.push(Buffer.from(chunk.subarray(0, left)));
      left -= chunk.length;
    },
    text: () => Buffer.concat(chunks).toString("utf8"),
  };
}

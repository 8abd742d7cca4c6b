import { AppError, retryable } from "@microremed/core";
import { createBoundedText } from "../bounded-text.ts";
import type { ExecOptions, ExecResult } from "../cluster.types.ts";
import { refusal } from "../cluster-errors.ts";
import { exitCodeOf } from "../exit-code.ts";
import type { ApiInProcess } from "./api-in-process.types.ts";

/** Made once: what an abort makes by itself collects a stack each time. */
const isOver = new DOMException("the command is over", "AbortError");

/** Runs one command in a container of a cluster of this process; its deadline is cluster time. */
export async function execInProcess(
  api: ApiInProcess,
  cluster: string,
  headers: Readonly<Record<string, string>>,
  options: ExecOptions,
): Promise<ExecResult> {
  const { namespace, pod, container, command, timeoutMs, maxBytes } = options;
  options.signal?.throwIfAborted();
  const where = `exec in ${namespace}/${pod} (${container}) on cluster ${cluster}`;
  const [stdout, stderr] = [createBoundedText(maxBytes), createBoundedText(maxBytes)];
  const over = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, over.signal]) : over.signal;
  const late = api.clock.sleep(timeoutMs, signal).then(() => {
    throw retryable("deadline-exceeded", `${where}: no end within ${timeoutMs} ms`, { cluster });
  });
  const running = api.exec({
    namespace,
    pod,
    container,
    command,
    headers,
    signal,
    stdout: (chunk) => stdout.add(typeof chunk === "string" ? Buffer.from(chunk) : chunk),
    stderr: (chunk) => stderr.add(typeof chunk === "string" ? Buffer.from(chunk) : chunk),
  });
  try {
    const answer = await Promise.race([running, late]);
    options.signal?.throwIfAborted();
    if (answer.status !== 200)
      throw kubeletRefusal(cluster, `/api/v1/namespaces/${namespace}/pods/${pod}/exec`, answer);
    const exitCode = exitCodeOf(JSON.parse(answer.body));
    if (typeof exitCode === "number") return { exitCode, stdout: stdout.text(), stderr: stderr.text() };
    throw new AppError("cluster-refused", `${where}: ${exitCode}`);
  } finally {
    over.abort(isOver);
    // What loses the race still ends, by the signal.
    for (const loser of [running, late]) loser.catch(() => {});
  }
}

/** The kubelet says 500 for a container that does not run: that is an answer, not an outage. */
function kubeletRefusal(
  cluster: string,
  path: string,
  { status, body }: { status: number; body: string },
): AppError {
  const error = refusal(cluster, "exec", path, status, body);
  return new AppError("cluster-refused", error.message, { details: error.details });
}

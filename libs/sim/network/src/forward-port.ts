import { createHash } from "node:crypto";
import type { ForwardPort, Machine, Network, PodSandbox } from "@microremed/sim-machine";
import type { EventLoop } from "@microremed/sim-time";
import { readHttpRequests } from "./http-requests.ts";

export interface ForwardPortDeps {
  readonly loop: EventLoop;
  readonly machine: Machine;
  readonly network: Network;
}

/** Containers answer in the end or not at all: what a browser waits for. */
const answerTimeoutMs = 120_000;
/** To a port inside the pod; cluster time. */
const connectTimeoutMs = 10_000;

const statusTexts: Readonly<Record<number, string>> = {
  200: "OK",
  404: "Not Found",
  500: "Internal Server Error",
};

/** The path that a container runtime's errors name. */
function netns(sandbox: PodSandbox): string {
  const hex = createHash("sha256").update(sandbox.uid).digest("hex");
  return `/var/run/netns/cni-${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}

function refusal(sandbox: PodSandbox, port: number, why: string): string {
  const id = createHash("sha256").update(`sandbox/${sandbox.uid}`).digest("hex");
  const at = netns(sandbox);
  return `error forwarding port ${port} to pod ${id}, uid : failed to execute portforward in network namespace "${at}": failed to connect to localhost:${port} inside namespace "${at}", IPv4: dial tcp4 127.0.0.1:${port}: connect: ${why} IPv6 dial tcp6: address localhost: no suitable address `;
}

function response(status: number, method: string, keepAlive: boolean, answer = "OK"): Buffer {
  const text = statusTexts[status] ?? "";
  const body = `${status < 400 ? answer : text}\n`;
  const head = [
    `HTTP/1.1 ${status} ${text}`,
    "Content-Type: text/plain; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    `Connection: ${keepAlive ? "keep-alive" : "close"}`,
  ].join("\r\n");
  return Buffer.from(`${head}\r\n\r\n${method === "HEAD" ? "" : body}`);
}

/**
 * The pod's end of port-forwards: programs that speak HTTP answer each request when the simulated server does, in
 * cluster time; others accept the connection and close it when they are spoken to.
 */
export function createForwardPort({ loop, machine, network }: ForwardPortDeps): ForwardPort {
  return async ({ namespace, pod, port, input, output, signal }) => {
    const sandbox = machine.byPod(namespace, pod);
    if (!sandbox) return `error forwarding port ${port}: pod ${pod} has no running sandbox`;
    const dialled = network.tcpConnect(sandbox, "127.0.0.1", port, connectTimeoutMs);
    if (!dialled.ok) return refusal(sandbox, port, dialled.error);
    for await (const { method, path, keepAlive } of readHttpRequests(input)) {
      const answer = network.httpGet(sandbox, "127.0.0.1", port, path, answerTimeoutMs);
      await loop.sleep(answer.elapsedMs, signal);
      if (signal.aborted || answer.status === undefined) return undefined;
      output(response(answer.status, method, keepAlive, answer.body));
      if (!keepAlive) return undefined;
    }
    return undefined;
  };
}

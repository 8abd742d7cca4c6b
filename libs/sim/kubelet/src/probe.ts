import type { Attempted, ContainerRuntime, Network, PodSandbox } from "@microremed/sim-machine";
import type { ContainerSpec, ProbeSpec } from "./container-spec.ts";

export interface ProbeResult {
  readonly ok: boolean;
  /** Cluster time until the result is there, ms. */
  readonly elapsedMs: number;
  /** As shown in the Unhealthy event. */
  readonly message: string;
}

export interface ProbeTarget {
  readonly sandbox: PodSandbox;
  readonly container: ContainerRuntime;
  readonly spec: ContainerSpec;
}

function portOf(spec: ContainerSpec, port: number | string): number {
  if (typeof port === "number") return port;
  return spec.ports?.find((each) => each.name === port)?.containerPort ?? Number(port);
}

/** A pod in its node's network is on its localhost. */
const hostOf = ({ ip, hostNetwork }: PodSandbox, given: string | undefined): string =>
  given === undefined || (hostNetwork && given.startsWith("127.")) ? ip : given;

function dialError(address: string, { error }: Attempted): string {
  if (/refused/.test(error)) return `dial tcp ${address}: connect: connection refused`;
  if (/no route/.test(error)) return `dial tcp ${address}: connect: no route to host`;
  return `dial tcp ${address}: i/o timeout`;
}

function http(
  network: Network,
  { sandbox, spec }: ProbeTarget,
  get: NonNullable<ProbeSpec["httpGet"]>,
  timeoutMs: number,
): ProbeResult {
  const port = portOf(spec, get.port);
  const host = hostOf(sandbox, get.host);
  const path = get.path ?? "/";
  const tried = network.httpGet("node", host, port, path, timeoutMs);
  const { elapsedMs, status } = tried;
  if (status !== undefined) {
    const ok = tried.ok && status >= 200 && status < 400;
    return { ok, elapsedMs, message: ok ? "" : `HTTP probe failed with statuscode: ${status}` };
  }
  if (tried.ok) return { ok: true, elapsedMs, message: "" };
  const url = `${(get.scheme ?? "HTTP").toLowerCase()}://${host}:${port}${path.startsWith("/") ? path : `/${path}`}`;
  const cause = /refused|no route/.test(tried.error)
    ? dialError(`${host}:${port}`, tried)
    : /reset|EOF/i.test(tried.error)
      ? tried.error
      : "context deadline exceeded (Client.Timeout exceeded while awaiting headers)";
  return { ok: false, elapsedMs, message: `Get "${url}": ${cause}` };
}

function tcp(
  network: Network,
  { sandbox, spec }: ProbeTarget,
  socket: { port: number | string; host?: string },
  timeoutMs: number,
): ProbeResult {
  const port = portOf(spec, socket.port);
  const host = hostOf(sandbox, socket.host);
  const tried = network.tcpConnect("node", host, port, timeoutMs);
  return {
    ok: tried.ok,
    elapsedMs: tried.elapsedMs,
    message: tried.ok ? "" : dialError(`${host}:${port}`, tried),
  };
}

function exec(
  network: Network,
  { sandbox, container }: ProbeTarget,
  command: readonly string[],
  timeoutMs: number,
): ProbeResult {
  const tried = network.execProbe(container, sandbox, command, timeoutMs);
  const timedOut = !tried.ok && tried.elapsedMs >= timeoutMs;
  const message = timedOut
    ? `command timed out: "${command.join(" ")}" timed out after ${timeoutMs / 1000}s`
    : tried.error;
  return { ok: tried.ok, elapsedMs: tried.elapsedMs, message: tried.ok ? "" : message };
}

/** The port takes the connection, and the program behind it says that it serves. */
function grpc(
  network: Network,
  target: ProbeTarget,
  { port }: { readonly port: number },
  timeoutMs: number,
): ProbeResult {
  const result = tcp(network, target, { port }, timeoutMs);
  if (!result.ok || !target.container.isUnwell) return result;
  return { ...result, ok: false, message: 'service unhealthy (responded with "NOT_SERVING")' };
}

/** Runs one probe. The result counts only once `elapsedMs` have passed. */
export function runProbe(network: Network, target: ProbeTarget, probe: ProbeSpec): ProbeResult {
  const timeoutMs = (probe.timeoutSeconds ?? 1) * 1000;
  if (probe.httpGet) return http(network, target, probe.httpGet, timeoutMs);
  if (probe.tcpSocket) return tcp(network, target, probe.tcpSocket, timeoutMs);
  if (probe.grpc) return grpc(network, target, probe.grpc, timeoutMs);
  return exec(network, target, probe.exec?.command ?? [], timeoutMs);
}

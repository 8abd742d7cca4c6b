import type { Rng } from "@microremed/core";
import {
  type Attempted,
  type ContainerRuntime,
  lookupDelayMs,
  type Machine,
  type Network,
  type PodSandbox,
} from "@microremed/sim-machine";
import {
  httpEffect,
  httpFaultsOn,
  type NetworkPolicies,
  type ServiceDirectory,
  sampleEcho,
  sampleHandshake,
  sampleSegment,
} from "@microremed/sim-network";
import { refused, timedOut, unknownHost } from "./answers.ts";
import { type ContainerStates, isUp } from "./container-state.ts";
import { createDialAtStart } from "./dial-at-start.ts";
import { createDialler, type Destination, type End } from "./dialler.ts";
import { createExecProbe } from "./exec-probe.ts";
import { createJobCalls } from "./job-calls.ts";
import type { Programs } from "./programs.ts";
import { createServers, type Servers } from "./servers.ts";
import { listenerOn } from "./topology.ts";

export interface NetworkDeps {
  readonly machine: Machine;
  readonly directory: ServiceDirectory;
  readonly programs: Programs;
  readonly states: ContainerStates;
  readonly policies: NetworkPolicies;
  readonly rng: Rng;
  /**
   * Pods whose requests measure: they cost a server no time, and draw from random numbers of their own, so that no agent sees in
   * the system that it was measured.
   */
  readonly measures?: (from: PodSandbox) => boolean;
}

/** Single requests through the simulated network, decided by the current state of physics. */
export function createNetwork(deps: NetworkDeps): Network {
  const { programs, states, rng, measures = () => false } = deps;
  const network = rng.fork("network");
  const servers = createServers({ programs, states, rng: network });
  const users = networkWith(deps, servers, network);
  const apart = rng.fork("measurements");
  const free = createServers({ programs, states, rng: apart, isFree: true });
  const observers = networkWith(deps, free, apart);
  const of = (from: End): Connections => (from !== "node" && measures(from) ? observers : users);
  return {
    resolve: (from, ...to) => of(from).resolve(from, ...to),
    tcpConnect: (from, ...to) => of(from).tcpConnect(from, ...to),
    httpGet: (from, ...to) => of(from).httpGet(from, ...to),
    ping: (from, ...to) => of(from).ping(from, ...to),
    execProbe: createExecProbe(states, servers),
    dialAtStart: createDialAtStart(deps, users.tcpConnect),
    ...createJobCalls(deps, users, servers),
  };
}

type Connections = Pick<Network, "resolve" | "tcpConnect" | "httpGet" | "ping">;

function networkWith(deps: NetworkDeps, servers: Servers, rng: Rng): Connections {
  const { programs } = deps;
  const { resolve, locate, pingLink } = createDialler({ ...deps, rng });

  /** The handshake; answers ok with the listener when a program accepts. */
  function connect(
    from: End,
    host: string,
    port: number,
    timeoutMs: number,
  ): {
    readonly result: Attempted;
    readonly destination: Destination;
    readonly container?: ContainerRuntime;
  } {
    const destination = locate(from, host, port);
    const failed = (result: Attempted) => ({ result, destination });
    if (lookupDelayMs(from, host) > timeoutMs) return failed(timedOut(timeoutMs, "name resolution"));
    if (destination.kind === "unknown") return failed(unknownHost(host));
    if (destination.kind === "refused") return failed(refused(0.2));
    if (destination.kind === "unreachable") return failed(timedOut(timeoutMs, "connection"));
    const elapsedMs = lookupDelayMs(from, host) + sampleHandshake(destination.link, timeoutMs, rng);
    if (elapsedMs > timeoutMs) return failed(timedOut(timeoutMs, "connection"));
    if (destination.kind === "internet") return failed({ ok: true, elapsedMs, error: "" });
    const container = listenerOn(destination.sandbox, destination.port, destination.by);
    if (!container || !isUp(container)) return failed(refused(elapsedMs));
    const by = { sandbox: destination.sandbox, container };
    return { result: { ok: true, elapsedMs, error: "", by }, destination, container };
  }

  function httpGet(from: End, host: string, port: number, path: string, timeoutMs: number): Attempted {
    const { result, destination, container } = connect(from, host, port, timeoutMs);
    if (!result.ok) return result;
    const answered =
      destination.kind === "pod" && container
        ? answerOf(destination, container, path, timeoutMs, result.elapsedMs)
        : timedOut(timeoutMs, "request");
    return { ...answered, connectedMs: result.elapsedMs };
  }

  /** What comes back on a connection that is there since `connectedMs`. */
  function answerOf(
    destination: Extract<Destination, { readonly kind: "pod" }>,
    container: ContainerRuntime,
    path: string,
    timeoutMs: number,
    connectedMs: number,
  ): Attempted {
    const listening = container.behaviour?.listens.includes(destination.port);
    if (!listening || programs.of(container.behaviour)?.httpPorts.has(destination.port) === false)
      return { ok: false, elapsedMs: connectedMs, error: "malformed HTTP response" };
    const answer = servers.serve(container, path);
    const faults = httpFaultsOn(destination.sandbox, destination.port);
    const effect = httpEffect(faults, path.split("?")[0] ?? path, answer.status);
    const { request, reply } = destination.link;
    const rtt = request.delayMs + reply.delayMs;
    const elapsedMs =
      connectedMs +
      sampleSegment(request, rtt, timeoutMs, rng) +
      answer.ms +
      effect.delayMs +
      sampleSegment(reply, rtt, timeoutMs, rng);
    if (elapsedMs > timeoutMs) return timedOut(timeoutMs, "request");
    if (effect.aborted) return { ok: false, elapsedMs, error: "EOF" };
    const status = effect.code ?? answer.status;
    const ok = status < 400;
    const body = ok && effect.code === undefined ? answer.body : undefined;
    return { ok, elapsedMs, error: ok ? "" : `HTTP ${status}`, status, ...(body !== undefined && { body }) };
  }

  function ping(from: End, host: string, timeoutMs: number): Attempted {
    const addresses = resolve(from, host);
    const [ip] = addresses;
    if (ip === undefined) return unknownHost(host);
    const link = pingLink(from, ip);
    const elapsedMs = link ? sampleEcho(link, rng) : Number.POSITIVE_INFINITY;
    return elapsedMs > timeoutMs ? { ok: false, elapsedMs: timeoutMs, error: "no reply" } : echoed(elapsedMs);
  }

  const echoed = (elapsedMs: number): Attempted => ({
    ok: true,
    elapsedMs: elapsedMs * (1 + 0.2 * rng.float()) + 0.05 * rng.float(),
    error: "",
  });

  return {
    resolve,
    tcpConnect: (from, host, port, timeoutMs) => connect(from, host, port, timeoutMs).result,
    httpGet,
    ping,
  };
}

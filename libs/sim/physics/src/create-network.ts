import type { Rng } from "@microremed/core";
import type { PolicyPort } from "@microremed/kube-rules";
import {
  type Attempted,
  type ContainerRuntime,
  type Machine,
  type Network,
  type PodSandbox,
  programsOfImage,
} from "@microremed/sim-machine";
import {
  backends,
  httpEffect,
  httpFaultsOn,
  type Link,
  linkBetween,
  loopbackLink,
  type NetworkPolicies,
  type PolicyEnd,
  resolveHost,
  type ServiceDirectory,
  sampleEcho,
  sampleHandshake,
  sampleSegment,
} from "@microremed/sim-network";
import { type ContainerStates, isUp, newcomerSpeed, programSpeed } from "./container-state.ts";
import { workSeconds } from "./cpu.ts";
import { fileComplaint } from "./file-probe.ts";
import { probeRequirement } from "./probe-command.ts";
import type { Programs } from "./programs.ts";
import { shared } from "./queueing.ts";
import { listenerOn } from "./topology.ts";

export interface NetworkDeps {
  readonly machine: Machine;
  readonly directory: ServiceDirectory;
  readonly programs: Programs;
  readonly states: ContainerStates;
  readonly policies: NetworkPolicies;
  readonly rng: Rng;
}

/** CPU of a health probe's process or of a health page, core-seconds. */
const probeWork = 0.005;
const healthPageWork = 0.001;
/** Starting a process in a container: fork, exec, page faults; wall time on an idle machine. */
const processStartMs = 10;
/** One round trip to a well-known address on the Internet, ms; nothing else outside answers. */
const internetRttMs = 12;
const internetHosts = new Set(["8.8.8.8", "8.8.4.4", "1.1.1.1"]);

type End = PodSandbox | "node";

/** Where a dialled address leads. */
type Destination =
  | { readonly kind: "pod"; readonly sandbox: PodSandbox; readonly port: number; readonly link: Link }
  | { readonly kind: "internet"; readonly link: Link }
  | { readonly kind: "refused" }
  | { readonly kind: "unreachable" }
  | { readonly kind: "unknown" };

const refused = (elapsedMs: number): Attempted => ({ ok: false, elapsedMs, error: "connection refused" });
const timedOut = (timeoutMs: number, what: string): Attempted => ({
  ok: false,
  elapsedMs: timeoutMs,
  error: `${what} timed out`,
});
const unknownHost = (host: string): Attempted => ({
  ok: false,
  elapsedMs: 1,
  error: `lookup ${host}: no such host`,
});

/** Single requests through the simulated network, judged by what physics knows right now. */
export function createNetwork(deps: NetworkDeps): Network {
  const { machine, directory, programs, states, policies, rng: base } = deps;
  const rng = base.fork("network");

  const resolve = (from: End, host: string): readonly string[] =>
    resolveHost(directory, from, host, from === "node" || policies.admitsDns(from));
  const admits = (from: End, to: PolicyEnd, port: PolicyPort): boolean =>
    from === "node" || policies.admits(from, to, port);

  function locate(from: End, host: string, port: number): Destination {
    const addresses = resolve(from, host);
    if (addresses.length === 0) return { kind: "unknown" };
    const ip = rng.pick(addresses);
    if (ip.startsWith("127."))
      return from === "node" ? { kind: "refused" } : { kind: "pod", sandbox: from, port, link: loopbackLink };
    if (internetHosts.has(ip)) {
      const open = admits(from, { ip }, { protocol: "TCP", port });
      return open ? { kind: "internet", link: internetLink(from, ip) } : { kind: "unreachable" };
    }
    const choices = backends(directory, machine, ip, port);
    if (choices === undefined) return { kind: "unreachable" };
    // kube-proxy answers for a service without endpoints with a reset.
    if (choices.length === 0) return { kind: "refused" };
    const choice = rng.pick(choices);
    const sandbox = machine.byIp(choice.ip);
    if (!sandbox || !admits(from, sandbox, { protocol: "TCP", port: choice.port }))
      return { kind: "unreachable" };
    return { kind: "pod", sandbox, port: choice.port, link: linkBetween(from, sandbox, ip) };
  }

  /** The handshake; answers ok with the listener when somebody accepts. */
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
    if (destination.kind === "unknown") return failed(unknownHost(host));
    if (destination.kind === "refused") return failed(refused(0.2));
    if (destination.kind === "unreachable") return failed(timedOut(timeoutMs, "connection"));
    const elapsedMs = sampleHandshake(destination.link, timeoutMs, rng);
    if (elapsedMs > timeoutMs) return failed(timedOut(timeoutMs, "connection"));
    if (destination.kind === "internet") return failed({ ok: true, elapsedMs, error: "" });
    const container = listenerOn(destination.sandbox, destination.port);
    if (!container || !isUp(container)) return failed(refused(elapsedMs));
    return { result: { ok: true, elapsedMs, error: "" }, destination, container };
  }

  function httpGet(from: End, host: string, port: number, path: string, timeoutMs: number): Attempted {
    const { result, destination, container } = connect(from, host, port, timeoutMs);
    if (!result.ok || destination.kind !== "pod" || !container) {
      return result.ok ? timedOut(timeoutMs, "request") : result;
    }
    const listening = container.behaviour?.listens.includes(destination.port);
    if (!listening || programs.of(container.behaviour)?.httpPorts.has(destination.port) === false)
      return { ok: false, elapsedMs: result.elapsedMs, error: "malformed HTTP response" };
    const answer = serve(container, path);
    const faults = httpFaultsOn(destination.sandbox, destination.port);
    const effect = httpEffect(faults, path.split("?")[0] ?? path, answer.status);
    const { request, reply } = destination.link;
    const rtt = request.delayMs + reply.delayMs;
    const elapsedMs =
      result.elapsedMs +
      sampleSegment(request, rtt, timeoutMs, rng) +
      answer.ms +
      effect.delayMs +
      sampleSegment(reply, rtt, timeoutMs, rng);
    if (elapsedMs > timeoutMs) return timedOut(timeoutMs, "request");
    if (effect.aborted) return { ok: false, elapsedMs, error: "EOF" };
    const status = effect.code ?? answer.status;
    const ok = status < 400;
    return { ok, elapsedMs, error: ok ? "" : `HTTP ${status}`, status };
  }

  /** One request in the server: it waits its turn, takes CPU in the container's cgroup, and makes its calls. */
  function serve(
    container: ContainerRuntime,
    path: string,
  ): { readonly ms: number; readonly status: number } {
    const state = states.of(container);
    const { behaviour } = container;
    const bare = path.split("?")[0] ?? path;
    const found = !behaviour?.paths.length || behaviour.paths.includes(bare);
    const healthy = programs.of(container.behaviour)?.healthPaths.has(bare) ?? false;
    const work =
      healthy || !found
        ? healthPageWork
        : Math.max(healthPageWork, (behaviour?.cpuMillisPerRequest ?? 1) / 1000);
    const waitMs = state.backlogMs + queueWait(state.wait.chance, state.wait.ms);
    const cpuMs = cpuTime(container, work, behaviour?.concurrency ?? 1);
    if (!found || healthy) return { ms: waitMs + cpuMs, status: found ? 200 : 404 };
    const { fixed, mean } = state.calls;
    const callsMs = fixed + exponential(mean - fixed);
    return { ms: waitMs + cpuMs + callsMs, status: rng.float() < state.callSuccess ? 200 : 500 };
  }

  function cpuTime(container: ContainerRuntime, work: number, servers: number): number {
    const state = states.of(container);
    const { share, contended } = programSpeed(container, state);
    state.pendingWork += work;
    const aloneMs = 1000 * workSeconds(work, share, contended);
    return servers > 1 ? shared(aloneMs, state.cpuLoad) : aloneMs;
  }

  const exponential = (meanMs: number): number => (meanMs > 0 ? -Math.log(1 - rng.float()) * meanMs : 0);
  const queueWait = (chance: number, meanMs: number): number =>
    rng.float() < chance ? exponential(meanMs) : 0;

  function ping(from: End, host: string, timeoutMs: number): Attempted {
    const addresses = resolve(from, host);
    const [ip] = addresses;
    if (ip === undefined) return unknownHost(host);
    const link = pingLink(from, ip);
    const elapsedMs = link ? sampleEcho(link, rng) : Number.POSITIVE_INFINITY;
    return elapsedMs > timeoutMs ? { ok: false, elapsedMs: timeoutMs, error: "no reply" } : echoed(elapsedMs);
  }

  /** A cluster IP is a rule for TCP and UDP ports: nobody answers an echo. */
  function pingLink(from: End, ip: string): Link | undefined {
    if (ip.startsWith("127.")) return loopbackLink;
    const sandbox = machine.byIp(ip);
    if (!admits(from, sandbox ?? { ip }, "icmp")) return undefined;
    if (internetHosts.has(ip)) return internetLink(from, ip);
    return sandbox && linkBetween(from, sandbox, ip);
  }

  const echoed = (elapsedMs: number): Attempted => ({
    ok: true,
    elapsedMs: elapsedMs * (1 + 0.2 * rng.float()) + 0.05 * rng.float(),
    error: "",
  });

  function execProbe(
    container: ContainerRuntime,
    sandbox: PodSandbox,
    command: readonly string[],
    timeoutMs: number,
  ): Attempted {
    const missing = missingProgram(container, command);
    if (missing) return { ok: false, elapsedMs: processStartMs, error: missing };
    const state = states.of(container);
    const { share, contended } = newcomerSpeed(container, state);
    state.pendingWork += probeWork;
    const ownMs = processStartMs + 1000 * workSeconds(probeWork, share, contended);
    const complaint = container.behaviour ? undefined : fileComplaint(sandbox, container, command);
    if (complaint !== undefined) return { ok: false, elapsedMs: ownMs, error: complaint };
    const needs = probeRequirement(command);
    const answer = needs === undefined ? { ok: true, ms: 0 } : askLocally(sandbox, container, needs);
    const elapsedMs = ownMs + answer.ms;
    if (elapsedMs > timeoutMs) return timedOut(timeoutMs, `command "${command.join(" ")}"`);
    return answer.ok ? { ok: true, elapsedMs, error: "" } : refused(elapsedMs);
  }

  function askLocally(
    sandbox: PodSandbox,
    container: ContainerRuntime,
    port: number | "own program",
  ): { readonly ok: boolean; readonly ms: number } {
    const listener = port === "own program" ? container : listenerOn(sandbox, port);
    if (!listener || !isUp(listener)) return { ok: false, ms: 0 };
    const { wait, backlogMs } = states.of(listener);
    const cpuMs = cpuTime(listener, healthPageWork, listener.behaviour?.concurrency ?? 1);
    return { ok: true, ms: backlogMs + queueWait(wait.chance, wait.ms) + cpuMs };
  }

  return {
    resolve,
    tcpConnect: (from, host, port, timeoutMs) => connect(from, host, port, timeoutMs).result,
    httpGet,
    ping,
    execProbe,
  };
}

function internetLink(from: End, ip: string): Link {
  const link = linkBetween(from, "node", ip);
  return { request: link.request, reply: { ...link.reply, delayMs: link.reply.delayMs + internetRttMs } };
}

/** An image that is no program of ours (a pause image, say) has neither shell nor probe in it. */
function missingProgram(container: ContainerRuntime, command: readonly string[]): string | undefined {
  if (container.behaviour) return undefined;
  const [program = ""] = command;
  if (programsOfImage(container.image).includes(program.replace(/^\/(usr\/)?bin\//, ""))) return undefined;
  const why = program.startsWith("/")
    ? `stat ${program}: no such file or directory`
    : "executable file not found in $PATH";
  return `exec: "${program}": ${why}: unknown`;
}

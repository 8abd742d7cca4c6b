import { appendLog, type ContainerRuntime, type Machine, type PodSandbox } from "@microremed/sim-machine";
import type { EventLoop } from "@microremed/sim-time";
import { watchFlagFiles } from "./flag-files.ts";
import { type Level, logStyleOf } from "./log-styles.ts";

/** What physics reports about traffic; its own type satisfies this. */
export interface Traffic {
  /** Calls between workloads of a namespace. */
  edges(namespace: string): readonly {
    readonly from: string;
    readonly to: string;
    readonly requestsPerSecond: number;
    /** 0..1 */
    readonly successRatio: number;
    readonly latencyMs: number;
    /** What the program that is called says of what it refuses, and its pod; absent: it refuses nothing. */
    readonly refusal?: { readonly message: string; readonly pod: string };
  }[];
  /** Requests served per pod of a namespace. */
  services(namespace: string): readonly {
    readonly pod: string;
    readonly workload: string;
    readonly requestsPerSecond: number;
    readonly successRatio: number;
    readonly latencyMs: number;
  }[];
}

/** How often start-up is checked, and how often traffic is logged, ms. */
const sweepMs = 1000;
const trafficMs = 10_000;
/** Callers complain of answers slower than this, ms, and of more failures than this share. */
const slowMs = 1000;
const tolerated = 0.98;

/** What a MySQL or MongoDB server notes of a login that it refused with a message; undefined: nothing. */
function noteOf(isMysql: boolean, message: string): ["info" | "warn", string] | undefined {
  if (isMysql) return message.includes("command denied") ? undefined : ["warn", message];
  if (message.includes("Authentication failed")) return ["info", "Authentication failed"];
  return message.includes("during the handshake")
    ? ["info", "Error receiving request from client. Ending connection from remote"]
    : undefined;
}

/** Writes the lines that programs print: at start-up, a sample of their requests, and what goes wrong with their calls. */
export function startLogWriter(deps: {
  readonly loop: EventLoop;
  readonly machine: Machine;
  readonly traffic: Traffic;
}): Disposable {
  const { loop, machine, traffic } = deps;
  const announced = loop.keep(new Map<ContainerRuntime, "started" | "ready">());
  const flagFiles = watchFlagFiles(loop);

  function say(
    sandbox: PodSandbox,
    container: ContainerRuntime,
    level: Level,
    message: string,
    at = loop.now(),
  ): void {
    const style = logStyleOf(container);
    if (!style) return;
    const stream = level === "error" ? "stderr" : "stdout";
    appendLog(container, {
      at,
      stream,
      text: style.line(level, message, new Date(at + (container.clockShift?.ms ?? 0)), sandbox),
    });
  }

  function announce(sandbox: PodSandbox, container: ContainerRuntime): void {
    const stage = announced.get(container);
    if (stage === "ready") return;
    const style = logStyleOf(container);
    if (!style) return;
    if (stage === undefined) {
      announced.set(container, "started");
      for (const message of style.starting(container))
        say(sandbox, container, "info", message, container.startedAt);
    }
    if (container.startupLeft > 0 || container.isDialling) return;
    announced.set(container, "ready");
    const seconds = (loop.now() - container.startedAt) / 1000;
    for (const message of style.ready(container, seconds)) say(sandbox, container, "info", message);
  }

  function sweep(): void {
    let count = 0;
    for (const sandbox of machine.sandboxes.values()) {
      for (const container of sandbox.containers.values()) {
        count += 1;
        announce(sandbox, container);
        for (const [level, message] of flagFiles.notes(sandbox, container))
          say(sandbox, container, level, message);
      }
    }
    if (announced.size <= count) return;
    const running = new Set(machine.sandboxes.values().flatMap(({ containers }) => containers.values()));
    for (const container of announced.keys()) if (!running.has(container)) announced.delete(container);
    flagFiles.retain(running);
  }

  function writeTraffic(): void {
    const byNamespace = Map.groupBy(machine.sandboxes.values(), (sandbox) => sandbox.namespace);
    for (const [namespace, sandboxes] of byNamespace) {
      const services = traffic.services(namespace);
      if (services.length === 0) continue;
      const complaints = Map.groupBy(traffic.edges(namespace).filter(isBad), (edge) => edge.from);
      const byPod = new Map(services.map((service) => [service.pod, service]));
      for (const sandbox of sandboxes) writeFor(sandbox, byPod.get(sandbox.name), complaints);
    }
  }

  function writeFor(
    sandbox: PodSandbox,
    service: ReturnType<Traffic["services"]>[number] | undefined,
    complaints: ReadonlyMap<string, ReturnType<Traffic["edges"]>>,
  ): void {
    const main = [...sandbox.containers.values()].find((container) => container.behaviour?.listens.length);
    if (!service || !main || main.startupLeft > 0 || main.isDialling) return;
    if (service.requestsPerSecond > 0 && logStyleOf(main)?.requests !== false) {
      const latency = service.latencyMs.toFixed(1);
      say(
        sandbox,
        main,
        "info",
        `request completed in ${latency} ms (${service.requestsPerSecond.toFixed(1)} requests/s)`,
      );
    }
    for (const edge of complaints.get(service.workload) ?? []) say(sandbox, main, ...complaintOf(edge));
    const server = sandbox.containers
      .values()
      .find(({ behaviour }) => behaviour?.runtime === "mysql" || behaviour?.runtime === "mongodb");
    if (server) writeRefusals(sandbox, server, complaints);
  }

  /** MySQL and MongoDB note refused logins; Redis does not. */
  function writeRefusals(
    sandbox: PodSandbox,
    server: ContainerRuntime,
    complaints: ReadonlyMap<string, ReturnType<Traffic["edges"]>>,
  ): void {
    const said = complaints
      .values()
      .flatMap((edges) => [...edges])
      .filter(({ refusal }) => refusal?.pod === sandbox.name);
    const messages = new Set(said.flatMap(({ refusal }) => (refusal ? [refusal.message] : [])));
    for (const message of messages) {
      const note = noteOf(server.behaviour?.runtime === "mysql", message);
      if (note) say(sandbox, server, ...note);
    }
  }

  const stops = [
    loop.every(sweepMs, "log start-up", sweep),
    loop.every(trafficMs, "log traffic", writeTraffic),
  ];
  return {
    [Symbol.dispose]: () => {
      for (const stop of stops) stop();
    },
  };
}

type Edge = ReturnType<Traffic["edges"]>[number];

const isBad = ({ successRatio, latencyMs }: Edge): boolean => successRatio < tolerated || latencyMs > slowMs;

function complaintOf({ to, successRatio, latencyMs, refusal }: Edge): [Level, string] {
  const latency = Math.round(latencyMs);
  if (successRatio >= tolerated) return ["warn", `slow response from ${to}: ${latency} ms`];
  const share = Math.round((1 - successRatio) * 100);
  const slow = latencyMs > slowMs ? `deadline exceeded after ${latency} ms` : "connection refused";
  const why = refusal?.message ?? slow;
  return ["error", `request to ${to} failed: ${why} (${share}% of calls in the last seconds)`];
}

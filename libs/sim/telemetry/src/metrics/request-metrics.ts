import type { ContainerRuntime, Machine, PodSandbox } from "@microremed/sim-machine";
import type { Physics, Route, Station } from "@microremed/sim-physics";
import type { EventLoop } from "@microremed/sim-time";
import { createExposition, type Labels } from "./exposition.ts";
import { createRequestCounter, type RequestCounter } from "./request-counter.ts";

/** Where OpenTelemetry's exporter for Prometheus listens in every instrumented program. */
export const exporterPort = 9464;

/** Bytes of a request and of its answer on the wire, as the network's model has them. */
const requestBytes = 1000;
const replyBytes = 4000;

interface Call {
  readonly counter: RequestCounter;
  readonly protocol: Route["call"]["protocol"];
  readonly address: string;
  readonly port: string;
}

/** The instrumentation of one running program: its server's side and that of every call it makes. */
interface Instruments {
  readonly sandbox: PodSandbox;
  readonly station: Pick<Station, "namespace" | "program">;
  readonly server: RequestCounter;
  readonly calls: Map<string, Call>;
}

export interface RequestMetrics extends Disposable {
  /** What the pod's program tells a scraper; undefined when it is not instrumented. */
  exposition(sandbox: PodSandbox): string | undefined;
  /** Pods whose program is instrumented. */
  pods(): readonly PodSandbox[];
  /** Bytes that a pod received and sent with its requests. */
  traffic(sandbox: PodSandbox): { readonly received: number; readonly sent: number };
}

const tickMs = 1000;
const durationHelp = {
  server: "Duration of requests served.",
  client: "Duration of requests made.",
} as const;

/** Counts the requests of every program in the names of OpenTelemetry's semantic conventions. */
export function createRequestMetrics(deps: {
  readonly loop: EventLoop;
  readonly machine: Machine;
  readonly physics: Pick<Physics, "stations">;
}): RequestMetrics {
  const { loop, machine, physics } = deps;
  const programs = loop.keep(new Map<ContainerRuntime, Instruments>());

  function instrumentsOf(station: Station): Instruments {
    const known = programs.get(station.container);
    if (known) return known;
    const fresh: Instruments = {
      sandbox: station.sandbox,
      station: { namespace: station.namespace, program: station.program },
      server: createRequestCounter(loop),
      calls: loop.keep(new Map()),
    };
    programs.set(station.container, fresh);
    return fresh;
  }

  function callOf({ calls }: Instruments, route: Route): Call {
    const known = calls.get(route.address);
    if (known) return known;
    const colon = route.address.lastIndexOf(":");
    const fresh: Call = {
      counter: createRequestCounter(loop),
      protocol: route.call.protocol,
      address: route.address.slice(0, colon),
      port: route.address.slice(colon + 1),
    };
    calls.set(route.address, fresh);
    return fresh;
  }

  const stop = loop.every(tickMs, "request metrics", () => {
    const seconds = tickMs / 1000;
    const stations = physics.stations();
    for (const station of stations) {
      const instruments = instrumentsOf(station);
      const { served: rate, success, latency } = station;
      instruments.server.add({ rate, success, latency }, seconds);
      for (const route of station.routes)
        callOf(instruments, route).counter.add({ rate: route.rate, ...route.attempt }, seconds);
    }
    if (programs.size <= stations.length) return;
    const running = new Set(stations.map(({ container }) => container));
    for (const container of programs.keys()) if (!running.has(container)) programs.delete(container);
  });

  function instrumented(sandbox: PodSandbox): Instruments | undefined {
    for (const container of sandbox.containers.values()) {
      const found = programs.get(container);
      if (found) return found;
    }
    return undefined;
  }

  function exposition(sandbox: PodSandbox): string | undefined {
    const found = instrumented(sandbox);
    if (!found || !machine.sandboxes.has(sandbox.uid)) return undefined;
    const { program, namespace } = found.station;
    const out = createExposition();
    out.gauge(
      "target_info",
      "Target metadata",
      {
        service_name: program.workloadName,
        service_namespace: namespace,
        k8s_namespace_name: namespace,
        k8s_pod_name: sandbox.name,
        k8s_node_name: sandbox.nodeName,
      },
      1,
    );
    const write = (
      side: "server" | "client",
      counter: RequestCounter,
      name: string,
      outcomes: readonly [ok: Labels, failed: Labels],
    ): void => {
      const { succeeded, failed } = counter.durations();
      for (const [labels, durations] of [
        [outcomes[0], succeeded],
        [outcomes[1], failed],
      ] as const)
        if (durations.count > 0) out.histogram(name, durationHelp[side], labels, durations);
    };
    const [serverName, serverLabels] = serverMetric(program.httpPorts.size > 0);
    write("server", found.server, serverName, serverLabels);
    for (const call of found.calls.values()) {
      const [name, labels] = clientMetric(call);
      const server = { server_address: call.address, server_port: call.port };
      write("client", call.counter, name, [
        { ...labels[0], ...server },
        { ...labels[1], ...server },
      ]);
    }
    return out.text();
  }

  return {
    exposition,
    pods: () => [...programs.values()].map(({ sandbox }) => sandbox),
    traffic(sandbox) {
      const found = instrumented(sandbox);
      if (!found) return { received: 0, sent: 0 };
      const served = found.server.total();
      const made = [...found.calls.values()].reduce((sum, { counter }) => sum + counter.total(), 0);
      return {
        received: served * requestBytes + made * replyBytes,
        sent: served * replyBytes + made * requestBytes,
      };
    },
    [Symbol.dispose]: stop,
  };
}

type Metric = readonly [name: string, outcomes: readonly [ok: Labels, failed: Labels]];

function serverMetric(http: boolean): Metric {
  if (!http) return ["rpc_server_call_duration_seconds", rpcOutcomes];
  const common = { http_request_method: "GET", url_scheme: "http" };
  return [
    "http_server_request_duration_seconds",
    [
      { ...common, http_response_status_code: "200" },
      { ...common, http_response_status_code: "500", error_type: "500" },
    ],
  ];
}

const rpcOutcomes: Metric[1] = [
  { rpc_system_name: "grpc", rpc_response_status_code: "OK" },
  { rpc_system_name: "grpc", rpc_response_status_code: "UNAVAILABLE", error_type: "UNAVAILABLE" },
];

function clientMetric({ protocol }: Call): Metric {
  switch (protocol) {
    case "grpc":
      return ["rpc_client_call_duration_seconds", rpcOutcomes];
    case "redis":
    case "mysql":
      return [
        "db_client_operation_duration_seconds",
        [{ db_system_name: protocol }, { db_system_name: protocol, error_type: "_OTHER" }],
      ];
    case "amqp": {
      const common = { messaging_system: "rabbitmq", messaging_operation_name: "publish" };
      return ["messaging_client_operation_duration_seconds", [common, { ...common, error_type: "_OTHER" }]];
    }
    default: {
      const common = { http_request_method: "GET" };
      return [
        "http_client_request_duration_seconds",
        [
          { ...common, http_response_status_code: "200" },
          { ...common, error_type: "_OTHER" },
        ],
      ];
    }
  }
}

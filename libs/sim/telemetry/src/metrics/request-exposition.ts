import type { PodSandbox } from "@microremed/sim-machine";
import type { Route, Station } from "@microremed/sim-physics";
import { createExposition, type Exposition, type Labels } from "./exposition.ts";
import type { RequestCounter } from "./request-counter.ts";

export interface Call {
  readonly counter: RequestCounter;
  readonly protocol: Route["call"]["protocol"];
  readonly operation: string | undefined;
  readonly address: string;
  readonly port: string;
}

/** The instrumentation of one running program: its server's side and that of every call it makes. */
export interface Instruments {
  readonly sandbox: PodSandbox;
  readonly station: Pick<Station, "namespace" | "program">;
  readonly server: RequestCounter;
  readonly calls: Map<string, Call>;
}

const durationHelp = {
  server: "Duration of requests served.",
  client: "Duration of requests made.",
} as const;

/** What an instrumented program shows a scraper, in Prometheus' text format. */
export function requestExposition({ sandbox, station, server, calls }: Instruments): string {
  const { program, namespace } = station;
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
  writeDurations(out, "server", server, serverMetric(program.httpPorts.size > 0));
  for (const call of calls.values()) {
    const [name, [ok, failed]] = clientMetric(call);
    const method = call.operation === undefined ? {} : { rpc_method: call.operation };
    const peer = { server_address: call.address, server_port: call.port, ...method };
    writeDurations(out, "client", call.counter, [
      name,
      [
        { ...ok, ...peer },
        { ...failed, ...peer },
      ],
    ]);
  }
  return out.text();
}

function writeDurations(
  out: Exposition,
  side: keyof typeof durationHelp,
  counter: RequestCounter,
  [name, [ok, bad]]: Metric,
): void {
  const { succeeded, failed } = counter.durations();
  if (succeeded.count > 0) out.histogram(name, durationHelp[side], ok, succeeded);
  if (failed.count > 0) out.histogram(name, durationHelp[side], bad, failed);
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

const thriftOutcomes: Metric[1] = [
  { rpc_system_name: "apache_thrift" },
  { rpc_system_name: "apache_thrift", error_type: "_OTHER" },
];

const rpcOutcomes: Metric[1] = [
  { rpc_system_name: "grpc", rpc_response_status_code: "OK" },
  { rpc_system_name: "grpc", rpc_response_status_code: "UNAVAILABLE", error_type: "UNAVAILABLE" },
];

function clientMetric({ protocol }: Call): Metric {
  switch (protocol) {
    case "grpc":
      return ["rpc_client_call_duration_seconds", rpcOutcomes];
    case "thrift":
      return ["rpc_client_call_duration_seconds", thriftOutcomes];
    case "redis":
    case "memcached":
    case "mysql":
    case "postgresql":
    case "mongodb":
      return [
        "db_client_operation_duration_seconds",
        [{ db_system_name: protocol }, { db_system_name: protocol, error_type: "_OTHER" }],
      ];
    case "amqp":
    case "nats":
    case "kafka": {
      const system = protocol === "amqp" ? "rabbitmq" : protocol;
      const common = { messaging_system: system, messaging_operation_name: "publish" };
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

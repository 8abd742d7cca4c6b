import type { Behaviour, CallSpec, WorkloadSpec } from "@microremed/catalogue/environment";
import { type Confidence, isAtLeast } from "../marked.ts";
import { behind, over, type System } from "../system.ts";
import { type Mention, mentionsOf, type Pods } from "./mentions.ts";
import { type Role, roleOf } from "./roles.ts";

/** A call that is inferred, with its numbers, which are guesses wherever the call comes from. */
export interface InferredCall {
  readonly from: string;
  readonly call: Omit<CallSpec, "discovery" | "paths"> & Partial<Pick<CallSpec, "discovery" | "paths">>;
  readonly confidence: Confidence;
  readonly why: string;
}

type Protocol = CallSpec["protocol"];

const bySchemes: Readonly<Record<string, Protocol>> = {
  http: "http",
  https: "http",
  grpc: "grpc",
  redis: "redis",
  rediss: "redis",
  mongodb: "mongodb",
  postgres: "postgresql",
  postgresql: "postgresql",
  "jdbc:postgresql": "postgresql",
  mysql: "mysql",
  amqp: "amqp",
  amqps: "amqp",
  nats: "nats",
  kafka: "kafka",
};
const byRuntime: Partial<Record<Behaviour["runtime"], Protocol>> = {
  redis: "redis",
  memcached: "memcached",
  mongodb: "mongodb",
  mysql: "mysql",
  postgresql: "postgresql",
  rabbitmq: "amqp",
  nats: "nats",
  kafka: "kafka",
};
/** What a workload that clients call by a store's protocol runs, by the protocol. */
export const runtimeOfProtocol: Partial<Record<Protocol, Behaviour["runtime"]>> = Object.fromEntries(
  Object.entries(byRuntime).map(([runtime, protocol]) => [protocol, runtime]),
);
const caches: ReadonlySet<Protocol> = new Set(["memcached", "redis"]);
const timeouts: Partial<Record<Protocol, number>> = {
  memcached: 1,
  redis: 2,
  http: 10,
  grpc: 10,
  thrift: 10,
};
const usualTimeout = 5;

/** The calls that mentions of Services in variables, arguments and configuration files show. */
export const inferCalls = (system: System): InferredCall[] =>
  [...system.workloads].flatMap(([from, spec]) =>
    callsOfPods(system, from, spec, new Set(over(system, from))).filter(({ call }) => call.to !== from),
  );

/** What the pods of `from` call. `own`: the Services over them. */
export function callsOfPods(
  system: System,
  from: string,
  pods: Pods,
  own: ReadonlySet<string> = new Set(),
): InferredCall[] {
  const best = new Map<string, InferredCall>();
  for (const mention of mentionsOf(system, pods, own))
    for (const to of behind(system, mention.service)) {
      const made = callOf(system, from, to, mention);
      const known = best.get(to);
      if (made && (!known || (!isAtLeast(known.confidence, made.confidence) && to !== from)))
        best.set(to, made);
    }
  return [...best.values()];
}

function callOf(system: System, from: string, to: string, mention: Mention): InferredCall | undefined {
  if (mention.address === undefined) return undefined;
  const { address, variable, confidence, why } = mention;
  const protocol = protocolOf(system, to, mention);
  return { from, call: inferredCall(system, to, address, protocol, variable), confidence, why };
}

/** A call with the numbers that its kind usually has. */
export function inferredCall(
  system: System,
  to: string,
  address: string,
  protocol: Protocol,
  variable?: string,
): InferredCall["call"] {
  const target = system.workloads.get(to);
  const role: Role = target ? roleOf(to, target) : "service";
  // What is exported, and what is asked at the start, is on no request's path.
  const isBeside = role === "telemetry" || role === "registry";
  return {
    to,
    address,
    ...(variable !== undefined && { env: variable }),
    protocol,
    perRequest: isBeside ? 0 : 1,
    timeoutSeconds: timeouts[protocol] ?? usualTimeout,
    // Without its cache a program asks where the data is.
    required: !isBeside && !caches.has(protocol),
  };
}

/** By a scheme, by what the callee is, by the name of its port, by how its own probes ask. */
export function protocolOf(
  { workloads, services }: System,
  to: string,
  { service, address, scheme }: Pick<Mention, "service" | "address" | "scheme">,
): Protocol {
  const target = workloads.get(to);
  const byTarget = byRuntime[target?.containers[0]?.behaviour.runtime ?? "idle"];
  if (byTarget) return byTarget;
  const bySchema = scheme === undefined ? undefined : bySchemes[scheme];
  if (bySchema) return bySchema;
  const port = services.get(service)?.ports.find((one) => `${service}:${one.port}` === address);
  if (/^(grpc|tcp-grpc)/.test(port?.name ?? "") || speaksGrpc(target)) return "grpc";
  if (/^thrift/.test(port?.name ?? "")) return "thrift";
  return "http";
}

function speaksGrpc(target: WorkloadSpec | undefined): boolean {
  const [first] = target?.containers ?? [];
  return [first?.readinessProbe, first?.livenessProbe, first?.startupProbe].some(
    (probe) =>
      probe?.type === "grpc" ||
      (probe?.type === "exec" && probe.command.join(" ").includes("grpc_health_probe")),
  );
}

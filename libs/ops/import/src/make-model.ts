import type { Behaviour, TextFile, WorkloadSpec } from "@microremed/catalogue/environment";
import { callsByName } from "./infer/by-name.ts";
import { type InferredCall, inferCalls, inferredCall, protocolOf, runtimeOfProtocol } from "./infer/calls.ts";
import { type Entry, inferEntry, unknownCallers } from "./infer/entry.ts";
import { callsInFiles } from "./infer/from-files.ts";
import { type InferredJob, inferJobs } from "./infer/jobs.ts";
import { tracesShow, withoutLoops } from "./infer/loops.ts";
import { inferProgram, type Program } from "./infer/programs.ts";
import { type Role, roleOf } from "./infer/roles.ts";
import { guess, likely, type Marked } from "./marked.ts";
import type { Observed } from "./observed.ts";
import { over, type System } from "./system.ts";

/** What is inferred of a workload. */
export interface InferredWorkload {
  readonly name: string;
  readonly role: Role;
  readonly programs: ReadonlyMap<string, Program>;
  readonly calls: readonly InferredCall[];
  readonly dataMount?: Marked<string>;
  readonly keepsData?: Marked<boolean>;
}

/** A model with the confidence of each of its parts. */
export interface InferredModel {
  readonly workloads: readonly InferredWorkload[];
  /** Those of which the model has to say something. */
  readonly jobs: readonly InferredJob[];
  readonly targets: readonly string[];
  readonly entry: Entry | undefined;
  readonly requestsPerSecond: Marked<number>;
}

/** Rate of requests where nothing is known. */
const usualRate = 5;

/** Infers what the manifests do not say. `files`: configuration beside them; `observed`: what a running system shows. */
export function inferModel(
  system: System,
  files: readonly TextFile[],
  observed: Observed | undefined,
): InferredModel {
  const calls = allCalls(system, files, observed);
  const entry = inferEntry(system, calls);
  const guessed = entry ? callsOfEntry(system, entry.workload, calls) : [];
  const every = withoutLoops([...calls, ...guessed].map((call) => asTraced(call, observed)));
  const made = Map.groupBy(every, ({ from }) => from);
  const jobs = inferJobs(system);
  const received = Map.groupBy([...every, ...jobs.flatMap((job) => job.calls)], ({ call }) => call.to);
  const workloads = [...system.workloads].map(([name, spec]): InferredWorkload => {
    const role = roleOf(name, spec);
    const services = over(system, name).flatMap((service) => system.services.get(service) ?? []);
    const programs = new Map(
      [...spec.initContainers, ...spec.containers].map((container, index) => [
        container.name,
        inferProgram(container, {
          usage: observed?.usage.get(`${name}/${container.name}`),
          ...(index === spec.initContainers.length
            ? { services, calledAs: calledAs(received.get(name) ?? []) }
            : { services: [], calledAs: undefined }),
        }),
      ]),
    );
    const mount = dataMountOf(system, name);
    return {
      ...{ name, role, programs },
      calls: made.get(name) ?? [],
      ...(mount && { dataMount: mount }),
      ...(isStateless(role, spec) && {
        keepsData: likely(false, "no store's image, no claim, no StatefulSet"),
      }),
    };
  });
  const isTarget = ({ name, role }: InferredWorkload): boolean =>
    role !== "telemetry" &&
    role !== "load" &&
    name !== entry?.from?.value &&
    system.workloads.get(name)?.kind !== "DaemonSet";
  return {
    workloads,
    jobs,
    targets: workloads.filter(isTarget).map(({ name }) => name),
    entry,
    requestsPerSecond: observed?.requestsPerSecond ?? guess(usualRate, "nothing says how many"),
  };
}

/** The store that a workload is by the protocol of an address that leads to it, by the calls that it receives. */
function calledAs(received: readonly InferredCall[]): Behaviour["runtime"] | undefined {
  return received
    .map(({ call }) => runtimeOfProtocol[call.protocol])
    .find((runtime) => runtime !== undefined);
}

/** What of others would be asked for: stores and what has claims are known. */
const isStateless = (role: Role, { kind, volumes }: WorkloadSpec): boolean =>
  role !== "store" && kind === "Deployment" && !Object.values(volumes).some(({ type }) => type === "claim");

/** What traces show comes first; then what is configured, then what names suggest. */
function allCalls(
  system: System,
  files: readonly TextFile[],
  observed: Observed | undefined,
): InferredCall[] {
  const configured = inferCalls(system);
  const seen = (observed?.edges ?? []).flatMap(({ from, to, perRequest }): InferredCall[] => {
    const known = configured.find((one) => one.from === from && one.call.to === to);
    const [service] = over(system, to);
    const port = service === undefined ? undefined : system.services.get(service)?.ports[0]?.port;
    if (!known && (service === undefined || port === undefined)) return [];
    const address = known?.call.address ?? `${service}:${port}`;
    const of = { service: service ?? "", address, scheme: undefined };
    const call = known?.call ?? inferredCall(system, to, address, protocolOf(system, to, of));
    return [{ from, call: { ...call, perRequest }, confidence: "sure", why: tracesShow }];
  });
  const isSeen = (one: InferredCall): boolean =>
    seen.some(({ from, call }) => from === one.from && call.to === one.call.to);
  const known = [...seen, ...configured.filter((one) => !isSeen(one))];
  const read = callsInFiles(system, files, known);
  return [...known, ...read, ...callsByName(system, [...known, ...read])];
}

/** So many requests of a caller without a call say that it hardly ever makes it. */
const fewestRequests = 20;

/** A call that no trace shows, though traces show requests of its caller and calls to what it would call, is left without a number. */
function asTraced(one: InferredCall, observed: Observed | undefined): InferredCall {
  const { from, call, why } = one;
  const requests = observed?.served.get(from) ?? 0;
  const isReported = observed?.edges.some(({ to }) => to === call.to) ?? false;
  if (why === tracesShow || requests < fewestRequests || !isReported) return one;
  return {
    ...one,
    call: { ...call, perRequest: 0, required: false },
    why: `${why}; none of ${requests} traced requests of ${from} makes it`,
  };
}

function callsOfEntry(system: System, entry: string, calls: readonly InferredCall[]): InferredCall[] {
  return unknownCallers(system, entry, calls).map(({ workload, service }) => {
    const address = `${service}:${system.services.get(service)?.ports[0]?.port}`;
    const protocol = protocolOf(system, workload, { service, address, scheme: undefined });
    return {
      from: entry,
      call: { ...inferredCall(system, workload, address, protocol), perRequest: 0.5 },
      confidence: "guess",
      why: whyUnasked(workload, calls),
    };
  });
}

function whyUnasked(workload: string, calls: readonly InferredCall[]): string {
  const callers = new Set(calls.flatMap(({ from, call }) => (call.to === workload ? [from] : [])));
  return callers.size === 0
    ? "no configuration names who calls it"
    : `users' requests do not reach who calls it (${[...callers].join(", ")}): if they are for that alone, perRequest is 0 here`;
}

const dataPaths: Partial<Record<Behaviour["runtime"], RegExp>> = {
  mongodb: /^\/data(\/db)?$|mongodb/,
  mysql: /mysql/,
  postgresql: /postgres|pgdata/,
  redis: /^\/data$|redis/,
};

/** Where a database's own image keeps its data, if something is mounted there. */
function dataMountOf(system: System, name: string): Marked<string> | undefined {
  const [first] = system.workloads.get(name)?.containers ?? [];
  const pattern = first && dataPaths[first.behaviour.runtime];
  const hasTools = first?.behaviour.tools.some((tool) => tool === "coreutils" || tool === "busybox") ?? false;
  const path =
    pattern && hasTools ? Object.keys(first.volumeMounts).find((one) => pattern.test(one)) : undefined;
  return path === undefined ? undefined : likely(path, `what ${first?.behaviour.runtime} keeps there`);
}

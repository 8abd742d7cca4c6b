import {
  allLoads,
  type Behaviour,
  barePath,
  type CallSpec,
  type ContainerSpec,
  type Environment,
  loadRequests,
  pathsOfCall,
  workloadAtEntry,
} from "@microremed/environments";
import { callOrder } from "./call-order.ts";

/** What a program answers where all is well; what is absent is as such programs have it. */
interface RightAnswer {
  readonly status?: number | undefined;
  readonly content?: string | undefined;
}

/** A program as an image brings it along: it calls what it was written to call, wherever it runs. */
export interface Program {
  readonly environment: Environment;
  /** Or that of the Job. */
  readonly workloadName: string;
  /** What it calls for each request that it serves; a Job's first container, in its run. */
  readonly calls: readonly CallSpec[];
  /** Of its workload. */
  readonly replicas: number;
  /** Position in the call graph, callers first. */
  readonly order: number;
  /** It serves the workload's requests and makes its calls; a sidecar does not. */
  readonly main: boolean;
  /** Paths that nothing but the kubelet's probes asks for: answered without any call. */
  readonly healthPaths: ReadonlySet<string>;
  /** Ports that speak HTTP/1.1. */
  readonly httpPorts: ReadonlySet<number>;
  /** Path with its query -> what a right answer is, as the loads say. */
  readonly answers: ReadonlyMap<string, RightAnswer>;
}

/** The programs that images bring along. */
export interface Programs {
  /** The program behind a behaviour: the very object of the environment, however many containers run it. */
  of(behaviour: Behaviour | undefined): Program | undefined;
}

/** The programs of these environments. A container runs one if its behaviour is the environment's own object. */
export function createPrograms(environments: readonly Environment[]): Programs {
  const programs = new Map<Behaviour, Program>();
  for (const environment of environments) {
    const order = callOrder(environment);
    const entry = workloadAtEntry(environment);
    const answers = answersOf(environment);
    for (const [workloadName, workload] of Object.entries(environment.workloads)) {
      for (const container of [...workload.containers, ...workload.initContainers]) {
        programs.set(container.behaviour, {
          environment,
          workloadName,
          calls: workload.calls,
          replicas: workload.replicas,
          order: order.get(workloadName) ?? 0,
          main: container === workload.containers[0],
          healthPaths: healthPaths(container, askedPaths(environment, workloadName)),
          httpPorts: httpPorts(environment, workloadName, container),
          answers: workloadName === entry ? answers : noAnswers,
        });
      }
    }
    for (const [workloadName, job] of Object.entries(environment.jobs))
      for (const container of [...job.initContainers, ...job.containers])
        programs.set(container.behaviour, {
          ...{ environment, workloadName, order: 0, main: false, replicas: 1 },
          calls: container === job.containers[0] ? job.calls : [],
          healthPaths: new Set(),
          httpPorts: new Set(),
          answers: noAnswers,
        });
  }
  return { of: (behaviour) => behaviour && programs.get(behaviour) };
}

function healthPaths(container: ContainerSpec, asked: ReadonlySet<string>): ReadonlySet<string> {
  const probed = probesOf(container).flatMap((probe) =>
    probe?.type === "http" ? [barePath(probe.path)] : [],
  );
  return new Set(probed.filter((path) => !asked.has(path)));
}

/** Paths that users and callers ask a workload for, without queries. A callee without calls has nothing behind it to ask. */
function askedPaths(environment: Environment, name: string): ReadonlySet<string> {
  const { workloads, load } = environment;
  const isEntry = workloadAtEntry(environment) === name;
  const byUsers = isEntry
    ? allLoads(load)
        .flatMap(loadRequests)
        .map(({ path }) => path)
    : [];
  const callers = workloads[name]?.calls.length ? Object.entries(workloads) : [];
  const byCallers = callers.flatMap(([caller, { calls }]) =>
    calls.filter(({ to }) => to === name).flatMap((call) => pathsOfCall(environment, caller, call)),
  );
  return new Set([...byUsers, ...byCallers].map(barePath));
}

const noAnswers: ReadonlyMap<string, RightAnswer> = new Map();

/** Where loads differ, each adds what the others leave open. */
function answersOf({ load }: Environment): ReadonlyMap<string, RightAnswer> {
  const answers = new Map<string, RightAnswer>();
  for (const { path, expect } of allLoads(load).flatMap(loadRequests)) {
    const { status, content } = answers.get(path) ?? {};
    answers.set(path, { status: status ?? expect?.status?.[0], content: content ?? expect?.content });
  }
  return answers;
}

const probesOf = ({ readinessProbe, livenessProbe, startupProbe }: ContainerSpec) => [
  readinessProbe,
  livenessProbe,
  startupProbe,
];

/** Ports that a probe or a caller uses with HTTP; by default all of them. */
function httpPorts(
  environment: Environment,
  workloadName: string,
  container: ContainerSpec,
): ReadonlySet<number> {
  const ports = new Set<number>();
  for (const probe of probesOf(container)) if (probe?.type === "http") ports.add(probe.port);
  const calls = Object.values(environment.workloads)
    .flatMap((workload) => workload.calls)
    .filter((call) => call.to === workloadName);
  const speaksHttp = calls.length === 0 || calls.some((call) => call.protocol === "http");
  if (speaksHttp) for (const port of container.behaviour.listens) ports.add(port);
  return ports;
}

import { chmod } from "node:fs/promises";
import type { KubeObject } from "@microremed/cluster";
import { retryable, terminal } from "@microremed/core";
import type { Machine } from "./machine/machine.ts";
import type { RunningPod } from "./run-pod.ts";
import { createSiteMembers, type Member } from "./site-members.ts";
import { dataOf, isBehind, serviceOf, type Workload, workloadOf } from "./site-objects.ts";
import { createSitePods } from "./site-pods.ts";
import { createConnectionWatch } from "./watch-connections.ts";
import { createMemoryWatch, type MemoryUse } from "./watch-memory.ts";

export interface SiteOptions {
  /** Rendered manifests with their Secrets. */
  readonly objects: readonly KubeObject[];
  readonly dir: string;
  readonly machine: Machine;
  /** Which of the network's sites it is, from 0. */
  readonly number?: number;
  /** Names outside the site that its pods can resolve. */
  readonly names?: Readonly<Record<string, string>>;
}

/** What a rehearsal has found out about manifests. */
export interface Findings {
  /** What a cluster would have refused, or what a healthy pod does not do: one sentence each. */
  readonly complaints: readonly string[];
  /** Different connections that were held against the network policies. */
  readonly connections: number;
  readonly memory: readonly MemoryUse[];
}

/** One Kubernetes cluster's worth of manifests, running as processes of this machine. */
export interface Site extends AsyncDisposable {
  /** Starts every pod and waits until all are ready and Jobs have ended. */
  start(): Promise<void>;
  readonly pods: readonly RunningPod[];
  podsOf(workload: string): readonly RunningPod[];
  /** Of the first pod behind a Service. */
  addressOf(service: string): string;
  /** Text of an /etc/hosts with the Services' names, for clients that check certificates. */
  readonly hosts: string;
  /** A key of a Secret, for clients of the site. */
  secret(name: string, key: string): string;
  /** As `kubectl scale`; returns when the new pods are ready, or the old ones gone. */
  scale(deployment: string, replicas: number): Promise<void>;
  /** As `kubectl rollout restart` of a Deployment with maxSurge 1: one new pod ready, one old one stopped. */
  rollOut(deployment: string): Promise<void>;
  /** As a StatefulSet when the node of one of its pods is gone: the same name and volume elsewhere, not ready yet. */
  replace(pod: RunningPod): RunningPod;
  findings(): Promise<Findings>;
}

const checkEveryMs = 2_000;

/** A site that is not started yet. */
export function createSite({ objects, dir, machine, number = 0, names = {} }: SiteOptions): Site {
  const { network, bounds } = machine;
  const workloads = objects.flatMap(workloadOf);
  const services = objects.flatMap(serviceOf);
  const members = createSiteMembers({
    dir,
    workloads,
    services,
    names,
    address: (ordinal) => network.address(number, ordinal),
  });
  const complaints: string[] = [];
  const connections = createConnectionWatch(objects, network.gateway);
  const memory = createMemoryWatch(bounds);
  let checking = Promise.resolve();

  const { launch, end } = createSitePods({
    objects,
    members,
    network,
    connections,
    memory,
    complain: (sentence) => void complaints.push(sentence),
  });
  const check = (): Promise<void> => {
    checking = checking
      .then(() => Promise.all([connections.checkAll(), memory.check()]))
      .then(() => undefined);
    return checking;
  };
  const timer = setInterval(() => void check().catch(() => undefined), checkEveryMs).unref();

  return {
    start: async () => {
      // Users of pods must get through to what is theirs in it.
      await chmod(dir, 0o711);
      const outcomes = await Promise.allSettled([...members.all].map((member) => launch(member).ready));
      const reasons = outcomes.flatMap((one) => (one.status === "rejected" ? [String(one.reason)] : []));
      // One that does not start takes others with it: all are needed to see which.
      if (reasons.length > 0) throw retryable("deadline-exceeded", reasons.join("\n\n"));
    },
    get pods() {
      return members.all.flatMap(({ pod }) => pod ?? []);
    },
    podsOf: (name) => members.all.filter((one) => one.workload.name === name).flatMap(({ pod }) => pod ?? []),
    addressOf(name) {
      const service = services.find((one) => one.name === name);
      const first = members.all.find(({ workload }) => service && isBehind(service, workload));
      if (first) return first.ip;
      throw terminal("invalid-config", `no pod is behind a Service ${name} in these manifests`);
    },
    get hosts() {
      return members.hostsSeenFrom("");
    },
    secret: (name, key) => secretOf(objects, name, key),
    async scale(name, replicas) {
      const workload = deploymentOf(workloads, name);
      const existing = members.of(workload);
      await Promise.all(existing.slice(replicas).map(end));
      const missing = Math.max(0, replicas - existing.length);
      const added = Array.from({ length: missing }, () => members.add(workload));
      await Promise.all(added.map((member) => launch(member).ready));
    },
    async rollOut(name) {
      const workload = deploymentOf(workloads, name);
      for (const old of [...members.of(workload)]) {
        await launch(members.add(workload)).ready;
        await end(old);
      }
    },
    replace(pod) {
      const old = members.all.find((member) => member.pod === pod);
      if (old?.workload.kind !== "StatefulSet")
        throw terminal("invalid-config", `${pod.name} is no pod of a StatefulSet of these manifests`);
      members.remove(old);
      return launch(members.add(old.workload, old.name));
    },
    async findings() {
      await check();
      const uses = memory.uses();
      return {
        complaints: [...complaints, ...connections.refused, ...starved(uses)],
        connections: connections.seen,
        memory: uses,
      };
    },
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      await Promise.all(members.all.filter((one) => !isBackbone(one)).map(({ pod }) => pod?.stop()));
      await Promise.all(members.all.filter(isBackbone).map(({ pod }) => pod?.stop()));
      await checking.catch(() => undefined);
    },
  };
}

/** What services need to end in peace: databases and brokers. */
const isBackbone = ({ workload }: Member): boolean =>
  workload.labels["app.kubernetes.io/component"] !== "service";

const starved = (uses: readonly MemoryUse[]): readonly string[] =>
  uses
    .filter(({ kills }) => kills > 0)
    .map(({ container, kills }) => `${container}: killed ${kills} times by the OOM killer`);

function deploymentOf(workloads: readonly Workload[], name: string): Workload {
  const found = workloads.find((one) => one.kind === "Deployment" && one.name === name);
  if (found) return found;
  throw terminal("invalid-config", `there is no Deployment ${name} in these manifests`);
}

function secretOf(objects: readonly KubeObject[], name: string, key: string): string {
  const holder = objects.find((one) => one.kind === "Secret" && one.metadata.name === name);
  const value = holder && dataOf(objects, holder.metadata.namespace ?? "", "Secret", name)?.[key];
  if (value !== undefined) return value;
  throw terminal("invalid-config", `there is no Secret ${name} with a key ${key}`);
}

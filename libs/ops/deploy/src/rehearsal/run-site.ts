import { randomBytes } from "node:crypto";
import { chmod, open } from "node:fs/promises";
import { join } from "node:path";
import type { KubeObject } from "@microremed/cluster";
import { retryable, terminal } from "@microremed/core";
import { hostsFor } from "./hosts.ts";
import type { Machine } from "./machine/machine.ts";
import type { PodLink } from "./machine/pod-network.ts";
import { hostsFileOf } from "./run-container.ts";
import { type RunningPod, runPod } from "./run-pod.ts";
import { dataOf, isBehind, serviceOf, type Workload, workloadOf } from "./site-objects.ts";
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

interface Member {
  readonly workload: Workload;
  readonly name: string;
  readonly ip: string;
  pod?: RunningPod;
  link?: PodLink;
}

const lookEveryMs = 2_000;

/** A site that is not started yet. */
export function createSite({ objects, dir, machine, number = 0, names = {} }: SiteOptions): Site {
  const { network, bounds } = machine;
  const workloads = objects.flatMap(workloadOf);
  const services = objects.flatMap(serviceOf);
  const members: Member[] = [];
  const complaints: string[] = [];
  const connections = createConnectionWatch(objects, network.gateway);
  const memory = createMemoryWatch(bounds);
  let addresses = 0;
  let looking = Promise.resolve();

  const enlist = (workload: Workload, name: string): Member => {
    addresses += 1;
    const member = { workload, name, ip: network.address(number, addresses) };
    members.push(member);
    return member;
  };
  const newName = ({ name }: Workload): string => `${name}-${randomBytes(3).toString("hex")}`;
  for (const workload of workloads)
    for (let ordinal = 0; ordinal < workload.replicas; ordinal += 1)
      enlist(workload, workload.kind === "StatefulSet" ? `${workload.name}-${ordinal}` : newName(workload));

  const dirOf = ({ workload, name }: Member): string => join(dir, workload.namespace, name);
  const hostsSeenFrom = (namespace: string): string => {
    const named = members.map((one) => ({ ...one, isReady: one.pod?.isReady ?? false }));
    return hostsFor(namespace, services, named, names);
  };
  /** As a cluster's DNS does when pods come, go, and become ready. */
  const tellNames = (): void => {
    for (const member of members)
      void overwrite(hostsFileOf({ dir: dirOf(member) }), hostsSeenFrom(member.workload.namespace));
  };

  const launch = (member: Member): RunningPod => {
    const { namespace, name: workload, spec } = member.workload;
    const linked = network.attach(member.ip).then((link) => {
      member.link = link;
      connections.add(member, link);
      return link;
    });
    member.pod = runPod({
      spec,
      dir: dirOf(member),
      hostname: member.name,
      hosts: () => hostsSeenFrom(namespace),
      enter: async (container) => [
        ...(await memory.enter(workload, member.name, container)),
        ...(await linked).enter,
      ],
      complain: (sentence) => void complaints.push(sentence),
      changed: tellNames,
      place: {
        name: member.name,
        namespace,
        ip: member.ip,
        read: (kind, name) => dataOf(objects, namespace, kind, name),
      },
    });
    tellNames();
    return member.pod;
  };
  const deployment = (name: string): Workload => {
    const found = workloads.find((one) => one.kind === "Deployment" && one.name === name);
    if (found) return found;
    throw terminal("invalid-config", `there is no Deployment ${name} in these manifests`);
  };
  const of = (workload: Workload): Member[] => members.filter((one) => one.workload === workload);
  const end = async (member: Member): Promise<void> => {
    await member.pod?.stop();
    await connections.look(member.ip);
    members.splice(members.indexOf(member), 1);
    tellNames();
    await member.link?.[Symbol.asyncDispose]();
  };
  const look = (): Promise<void> => {
    looking = looking.then(() => Promise.all([connections.lookAtAll(), memory.look()])).then(() => undefined);
    return looking;
  };
  const timer = setInterval(() => void look().catch(() => undefined), lookEveryMs).unref();

  return {
    start: async () => {
      // Users of pods must get through to what is theirs in it.
      await chmod(dir, 0o711);
      const outcomes = await Promise.allSettled([...members].map((member) => launch(member).ready));
      const reasons = outcomes.flatMap((one) => (one.status === "rejected" ? [String(one.reason)] : []));
      // One that does not start takes others with it: all are needed to see which.
      if (reasons.length > 0) throw retryable("deadline-exceeded", reasons.join("\n\n"));
    },
    get pods() {
      return members.flatMap(({ pod }) => pod ?? []);
    },
    podsOf: (name) => members.filter((one) => one.workload.name === name).flatMap(({ pod }) => pod ?? []),
    addressOf(name) {
      const service = services.find((one) => one.name === name);
      const first = members.find(({ workload }) => service && isBehind(service, workload));
      if (first) return first.ip;
      throw terminal("invalid-config", `no pod is behind a Service ${name} in these manifests`);
    },
    get hosts() {
      return hostsSeenFrom("");
    },
    secret(name, key) {
      const holder = objects.find((one) => one.kind === "Secret" && one.metadata.name === name);
      const value = holder && dataOf(objects, holder.metadata.namespace ?? "", "Secret", name)?.[key];
      if (value !== undefined) return value;
      throw terminal("invalid-config", `there is no Secret ${name} with a key ${key}`);
    },
    async scale(name, replicas) {
      const workload = deployment(name);
      const existing = of(workload);
      await Promise.all(existing.slice(replicas).map(end));
      const missing = Math.max(0, replicas - existing.length);
      const added = Array.from({ length: missing }, () => enlist(workload, newName(workload)));
      await Promise.all(added.map((member) => launch(member).ready));
    },
    async rollOut(name) {
      const workload = deployment(name);
      for (const old of of(workload)) {
        await launch(enlist(workload, newName(workload))).ready;
        await end(old);
      }
    },
    replace(pod) {
      const old = members.find((member) => member.pod === pod);
      if (old?.workload.kind !== "StatefulSet")
        throw terminal("invalid-config", `${pod.name} is no pod of a StatefulSet of these manifests`);
      members.splice(members.indexOf(old), 1);
      return launch(enlist(old.workload, old.name));
    },
    async findings() {
      await look();
      const uses = memory.uses();
      const starved = uses.filter(({ kills }) => kills > 0);
      return {
        complaints: [
          ...complaints,
          ...connections.refused,
          ...starved.map(({ container, kills }) => `${container}: killed ${kills} times for want of memory`),
        ],
        connections: connections.seen,
        memory: uses,
      };
    },
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      const isBackbone = ({ workload }: Member): boolean =>
        workload.labels["app.kubernetes.io/component"] !== "service";
      await Promise.all(members.filter((one) => !isBackbone(one)).map(({ pod }) => pod?.stop()));
      await Promise.all(members.filter(isBackbone).map(({ pod }) => pod?.stop()));
      await looking.catch(() => undefined);
    },
  };
}

/** In place, for a container has the file itself, and never empty, for somebody may be reading it. */
async function overwrite(path: string, text: string): Promise<void> {
  const file = await open(path, "r+").catch(() => undefined);
  if (!file) return;
  try {
    await file.write(text, 0);
    await file.truncate(Buffer.byteLength(text));
  } finally {
    await file.close();
  }
}
